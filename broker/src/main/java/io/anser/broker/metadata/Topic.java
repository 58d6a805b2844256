package io.anser.broker.metadata;

import io.anser.protocol.body.Perm;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * One topic as it is configured now, with the handles of its queues.
 *
 * <p>Immutable but for the cache of handles, which any thread may fill: a changed configuration makes a new object.
 */
public final class Topic {
    private final TopicConfig config;
    private final long createdMillis;
    private final long createdPosition;
    private final byte[] nameBytes;
    private final boolean openToSenders;
    private final long dedupWindowMillis;
    private final MessageType messageType;
    private final boolean compacted;
    private final long quotaBytes;
    private final long quotaMessages;
    private final QueueSource source;
    private final AtomicReferenceArray<QueueLog> queues;

    /**
     * Makes a topic.
     *
     * @param createdPosition log position of the record that created it; 0 when that was applied before the store was open
     */
    Topic(TopicConfig config, long createdMillis, long createdPosition, QueueSource source) {
        this.config = config;
        this.createdMillis = createdMillis;
        this.createdPosition = createdPosition;
        this.nameBytes = config.topicName().getBytes(StandardCharsets.UTF_8);
        this.openToSenders = Names.mayBeSentTo(config.topicName());
        this.messageType = MessageType.of(config.attributes());
        this.compacted = CompactionAttribute.isCompacted(config.attributes());
        this.dedupWindowMillis = DedupAttribute.windowMillis(config.attributes());
        this.quotaBytes = QuotaAttributes.bytesPerSecond(config.attributes());
        this.quotaMessages = QuotaAttributes.messagesPerSecond(config.attributes());
        this.source = source;
        this.queues = new AtomicReferenceArray<>(Math.max(config.readQueueNums(), config.writeQueueNums()));
    }

    /** Returns the name, unique in the broker. */
    public String name() {
        return config.topicName();
    }

    /** Returns the name in UTF-8; shared, never to be changed by the caller. */
    public byte[] nameBytes() {
        return nameBytes;
    }

    /** Returns the configuration as clients and tools see it. */
    public TopicConfig config() {
        return config;
    }

    /** Returns the wall time at which the topic was first proposed, 0 for a system topic. */
    public long createdMillis() {
        return createdMillis;
    }

    long createdPosition() {
        return createdPosition;
    }

    /** Returns the number of queues, at least 1: ids run from 0 to this, exclusive. */
    public int queueCount() {
        return queues.length();
    }

    /** Says whether consumers may read. */
    public boolean readable() {
        return Perm.isReadable(config.perm());
    }

    /** Says whether the topic's permission lets producers write. */
    public boolean writable() {
        return Perm.isWritable(config.perm());
    }

    /** Says whether clients may send to the topic; those that the broker keeps for itself are closed. */
    public boolean openToSenders() {
        return openToSenders;
    }

    /** Returns what kind of messages the topic is for. */
    public MessageType messageType() {
        return messageType;
    }

    /** Says whether the latest message of each key is kept when the others of its age expire. */
    public boolean compacted() {
        return compacted;
    }

    /** Returns for how long messages are recognised by their unique ids when they are sent again; 0: not at all. */
    public long dedupWindowMillis() {
        return dedupWindowMillis;
    }

    /** Returns how many bytes may be sent per second; 0: any number; {@link QuotaAttributes#AS_BROKER}. */
    public long quotaBytes() {
        return quotaBytes;
    }

    /** Returns how many messages may be sent per second; 0: any number; {@link QuotaAttributes#AS_BROKER}. */
    public long quotaMessages() {
        return quotaMessages;
    }

    /** Says whether topics may be created after its pattern. */
    public boolean inheritable() {
        return Perm.isInherited(config.perm());
    }

    /** Says whether the id names one of the topic's queues. */
    public boolean hasQueue(int queueId) {
        return queueId >= 0 && queueId < queues.length();
    }

    /**
     * Returns the log of one queue.
     *
     * @param queueId from 0 to {@link #queueCount()}, exclusive
     * @throws StoreException DROPPED if the topic's deletion is on its way: the queue of that name is that of the topic that
     *     may come after
     */
    public QueueLog queue(int queueId) {
        QueueLog known = queues.get(queueId);
        if (known != null) {
            return known;
        }
        // Two threads may both ask: the store hands the same handle to both.
        QueueLog found = source.queue(config.topicName(), queueId);
        if (found.sincePosition() > createdPosition) {
            throw new StoreException(StoreException.Kind.DROPPED, "topic=" + name() + " is being deleted");
        }
        queues.set(queueId, found);
        return found;
    }

    @Override
    public String toString() {
        return "topic=" + config.topicName() + " queues=" + queues.length() + " perm=" + config.perm();
    }
}
