package io.anser.broker.export;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.QueueKey;
import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.SubscriptionGroupTable;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.json.JsonBody;
import io.anser.protocol.message.Names;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** Writes the files of an Apache broker's settings: topics, groups, consumer offsets. Used once. */
final class ApacheSettingsFiles {
    private static final String DIRECTORY = "config";

    private final Storage storage;
    private final BrokerState state;
    private final DataVersion version;

    ApacheSettingsFiles(Storage storage, BrokerState state, long nowMillis) {
        this.storage = storage;
        this.state = state;
        this.version = DataVersion.ZERO.next(nowMillis);
    }

    /** Returns how many topics were written. Those that Apache makes for itself are left out. */
    int writeTopics() throws IOException {
        Map<String, TopicConfig> topics = new TreeMap<>(state.topics().created());
        topics.keySet().removeIf(name -> !Names.mayBeSentTo(name));
        write("topics.json", new TopicConfigTable(topics, version));
        return topics.size();
    }

    /** Returns how many groups were written. */
    int writeGroups() throws IOException {
        Map<String, SubscriptionGroupConfig> groups = new TreeMap<>();
        state.groups().all().forEach(group -> groups.put(group.groupName(), group));
        write("subscriptionGroup.json", new SubscriptionGroupTable(groups, version));
        return groups.size();
    }

    /** Returns how many offsets were written. None passes the end that its queue has in the exported log. */
    int writeOffsets(ExportedQueues queues) throws IOException {
        Map<String, Map<Integer, Long>> table = new TreeMap<>();
        int count = 0;
        for (Map.Entry<QueueKey, Long> entry : state.offsets().all().entrySet()) {
            QueueKey key = entry.getKey();
            if (Names.isSystemGroup(key.group())) {
                continue; // its queues are numbered anew
            }
            long offset = Math.min(entry.getValue(), queues.end(key.topic(), key.queueId()));
            table.computeIfAbsent(key.topic() + "@" + key.group(), name -> new TreeMap<>())
                    .put(key.queueId(), offset);
            count++;
        }
        write("consumerOffset.json", out -> {
            out.beginObject().member("dataVersion", version);
            out.name("offsetTable").beginObject();
            table.forEach((name, offsets) -> {
                out.name(name).beginObject();
                offsets.forEach((queueId, offset) -> out.name((long) queueId).value(offset));
                out.endObject();
            });
            out.endObject().endObject();
        });
        return count;
    }

    /** The delayed messages of each level are numbered anew and all of them wait: Apache begins at 0 everywhere. */
    void writeDelayOffsets() throws IOException {
        write("delayOffset.json", out -> {
            out.beginObject().member("dataVersion", version);
            out.name("offsetTable").beginObject().endObject().endObject();
        });
    }

    private void write(String name, JsonBody body) throws IOException {
        try (StoreFile file = storage.open(DIRECTORY + "/" + name)) {
            file.write(ByteBuffer.wrap(body.write()), 0);
            file.force();
        }
        storage.forceDirectory(DIRECTORY);
    }
}
