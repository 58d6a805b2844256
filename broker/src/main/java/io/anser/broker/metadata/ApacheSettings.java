package io.anser.broker.metadata;

import io.anser.broker.adoption.ApacheTable;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import io.anser.store.state.AdoptedBroker;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes topics, groups and consumer offsets over from the files that an Apache broker keeps in the folder {@code config}.
 * Used once, by the thread that opens the store.
 */
final class ApacheSettings {
    private static final Logger LOGGER = LoggerFactory.getLogger(ApacheSettings.class);

    private final AdoptedBroker broker;
    private final TopicTable topics;
    private final GroupTable groups;
    private final OffsetTable offsets;

    ApacheSettings(AdoptedBroker broker, TopicTable topics, GroupTable groups, OffsetTable offsets) {
        this.broker = broker;
        this.topics = topics;
        this.groups = groups;
        this.offsets = offsets;
    }

    /**
     * Does it all.
     *
     * @throws StoreException IO when a file is malformed; the text names the file and the byte
     */
    void takeOver() throws IOException {
        refuseDatabase("config/topics/CURRENT");
        refuseDatabase("config/metadata/CURRENT");
        takeTopics();
        ApacheTable.read(
                broker.files(),
                "subscriptionGroup.json",
                "subscriptionGroupTable",
                (name, in) -> groups.apply(new GroupSaved(SubscriptionGroupConfig.read(in))));
        new ApacheOffsets(broker, topics, offsets).takeOver();
    }

    /** Newer Apache brokers can keep their settings in a database, which we do not read. */
    private void refuseDatabase(String sign) {
        if (broker.files().exists(sign) && !broker.files().exists("config/topics.json")) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "the Apache broker keeps its settings in a database ("
                            + broker.files().describe(sign) + "); have its tools write them as JSON files first");
        }
    }

    private void takeTopics() throws IOException {
        Map<String, TopicConfig> found = new TreeMap<>();
        ApacheTable.read(
                broker.files(), "topics.json", "topicConfigTable", (name, in) -> found.put(name, TopicConfig.read(in)));
        if (found.isEmpty()) {
            found.putAll(topicsOfMessages());
        }
        found.forEach((name, config) -> {
            // The system's own topics are ours: their queues are what our code expects.
            if (topics.find(name).isEmpty() && name.equals(config.topicName())) {
                topics.apply(new TopicSaved(broker.lastStoreTimestamp(), readable(config)), 0);
            }
        });
        for (String topic : broker.topics()) {
            if (topics.findForStored(topic).isEmpty() && !Names.isSystemTopic(topic)) {
                broker.drop(topic); // deleted in Apache; its messages lie in the log until they expire
            }
        }
    }

    /** Older Apache brokers made topics of dead letters that nobody may read, which helps nobody. */
    private static TopicConfig readable(TopicConfig config) {
        if (!Names.isDlqTopic(config.topicName()) || Perm.isReadable(config.perm())) {
            return config;
        }
        return new TopicConfig(
                config.topicName(),
                config.readQueueNums(),
                config.writeQueueNums(),
                config.perm() | Perm.READ,
                config.topicFilterType(),
                config.topicSysFlag(),
                config.order(),
                config.attributes());
    }

    /** Without the file of topics, what the messages tell. */
    private Map<String, TopicConfig> topicsOfMessages() {
        Map<String, TopicConfig> found = new TreeMap<>();
        for (String topic : broker.topics()) {
            int queues = broker.queueIds(topic).stream().max(Integer::compare).orElse(0) + 1;
            found.put(topic, new TopicConfig(topic, queues, queues, Perm.READ | Perm.WRITE));
        }
        if (!found.isEmpty()) {
            LOGGER.warn(
                    "no file of topics, made them from the messages topics={} file={}",
                    found.size(),
                    broker.files().describe("config/topics.json"));
        }
        return found;
    }
}
