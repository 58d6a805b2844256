package io.anser.broker.offset;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.LeaseTable;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.body.ConsumedQueue;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** How far groups have come. Any thread that may wait for the device. */
final class GroupProgress {
    private static final long UNKNOWN = 0;

    private final OffsetTable offsets;
    private final OffsetCommits commits;
    private final LeaseTable leases;
    private final StoredMessages messages;
    private final GroupAtWork members;
    private final String brokerName;

    GroupProgress(
            OffsetTable offsets,
            OffsetCommits commits,
            LeaseTable leases,
            StoredMessages messages,
            GroupAtWork members,
            String brokerName) {
        this.offsets = offsets;
        this.commits = commits;
        this.leases = leases;
        this.messages = messages;
        this.members = members;
        this.brokerName = brokerName;
    }

    /**
     * The topics that a group consumes: those that it has an offset in or that a member wants, but not those that nobody
     * wants any more while members are there.
     */
    Set<String> topics(String group) {
        Set<String> wanted = members.topics(group);
        Set<String> all = new TreeSet<>(offsets.topics(group));
        if (members.isOnline(group)) {
            all.removeIf(topic -> !wanted.contains(topic) && !Names.isRetryTopic(topic));
        }
        all.addAll(wanted);
        return all;
    }

    /** How far a group has come in each queue of a topic. */
    Map<MessageQueue, ConsumedQueue> in(Topic topic, String group) {
        Map<MessageQueue, ConsumedQueue> queues = new TreeMap<>();
        for (int queueId = 0; queueId < topic.config().readQueueNums(); queueId++) {
            queues.put(new MessageQueue(topic.name(), brokerName, queueId), in(topic.queue(queueId), group));
        }
        return queues;
    }

    private ConsumedQueue in(QueueLog queue, String group) {
        QueueKey key = new QueueKey(group, queue.topic(), queue.queueId());
        long committed = commits.current(key);
        long max = queue.maxOffset();
        // Without an offset the group has all before it that is still there, which is what an operator would have to
        // wait for.
        long consumed = committed == OffsetTable.NONE ? queue.minOffset() : committed;
        long out = leases.find(key).map(QueueLeases::frontier).orElse(consumed);
        return new ConsumedQueue(
                Math.max(max, consumed),
                consumed,
                Math.max(consumed, Math.min(out, max)),
                committed == OffsetTable.NONE ? UNKNOWN : storeTime(queue, consumed - 1, UNKNOWN));
    }

    /** When a message of a queue was stored, milliseconds; {@code orElse} if it is not there any more. */
    long storeTime(QueueLog queue, long queueOffset, long orElse) {
        QueueCursor cursor = new QueueCursor();
        return cursor.seek(queue, queueOffset) && cursor.size() > 0
                ? messages.message(cursor.position())
                        .map(message -> new MessageView()
                                .wrap(message, message.position())
                                .storeTimestamp())
                        .orElse(orElse)
                : orElse;
    }
}
