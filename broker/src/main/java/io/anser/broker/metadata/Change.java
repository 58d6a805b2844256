package io.anser.broker.metadata;

import io.anser.broker.metadata.TransactionChange.TransactionChecked;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.broker.metadata.TransactionChange.TransactionReopened;
import io.anser.protocol.body.RequestMode;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * One change of the broker's state that does not come from a message: a small record of the log.
 *
 * <p>A change says what holds afterwards, not how to get there, so that applying one twice does no harm. {@link
 * ChangeKind} lists the kinds and their layouts.
 */
public sealed interface Change
        permits AuthChange,
                Change.BrokerStarted,
                Change.GroupDeleted,
                Change.GroupSaved,
                Change.KeyTaken,
                Change.OffsetCommitted,
                Change.OrderLockMoved,
                Change.TimerFired,
                Change.TopicDeleted,
                Change.TopicSaved,
                GroupStarted,
                LeaseChange,
                ReadingForbidden,
                RequestModeSaved,
                SettingsChanged,
                TimerMoved,
                TimerRecalled,
                TransactionChange,
                ValueKept,
                ValueLost {
    /** Returns the number of this kind in the log. */
    short kind();

    /** Returns the payload as it stands in the log; a new array. */
    byte[] payload();

    /** Returns what this change is about, equal for two changes of the same thing. */
    Object subject();

    /** Returns it in words. */
    ChangeText text();

    /**
     * Reads a change back from the log.
     *
     * @param kind number of the kind
     * @param payload from position to limit exactly the payload; consumed
     * @throws UnknownChangeException if this version does not know the kind: the log was written by a newer one
     */
    static Change read(short kind, ByteBuffer payload) {
        return switch (kind) {
            case ChangeKind.TOPIC_SAVED -> new TopicSaved(payload.getLong(), TopicConfig.read(rest(payload)));
            case ChangeKind.GROUP_SAVED -> new GroupSaved(SubscriptionGroupConfig.read(rest(payload)));
            case ChangeKind.OFFSET_COMMITTED -> new OffsetCommitted(PayloadText.readKey(payload), payload.getLong());
            case ChangeKind.ORDER_LOCK_MOVED ->
                new OrderLockMoved(PayloadText.readKey(payload), PayloadText.read(payload));
            case ChangeKind.TIMER_FIRED -> new TimerFired(PendingTimer.read(payload));
            case ChangeKind.BROKER_STARTED -> new BrokerStarted(payload.getLong());
            case ChangeKind.TOPIC_DELETED -> new TopicDeleted(PayloadText.read(payload));
            case ChangeKind.GROUP_DELETED -> new GroupDeleted(PayloadText.read(payload), payload.get() != 0);
            case LeaseChangeKind.POPPED, LeaseChangeKind.SETTLED, LeaseChangeKind.RENEWED ->
                LeaseChange.read(kind, payload);
            case RequestModeSaved.KIND -> new RequestModeSaved(RequestMode.read(rest(payload)));
            case AuthChange.USER_SAVED,
                    AuthChange.USER_CREATED,
                    AuthChange.USER_CHANGED,
                    AuthChange.USER_DELETED,
                    AuthChange.RULES_SAVED,
                    AuthChange.RULES_ADDED,
                    AuthChange.RULES_REMOVED,
                    AuthChange.RULES_DELETED -> AuthChange.read(kind, payload);
            case SettingsChanged.KIND -> SettingsChanged.read(payload);
            case ReadingForbidden.KIND -> ReadingForbidden.read(payload);
            case ChangeKind.TRANSACTION_ENDED -> TransactionEnded.read(payload);
            case ChangeKind.TRANSACTION_CHECKED -> TransactionChecked.read(payload);
            case ChangeKind.TRANSACTION_REOPENED -> TransactionReopened.read(payload);
            case ChangeKind.TIMER_MOVED -> TimerMoved.read(payload);
            case ChangeKind.TIMER_RECALLED -> TimerRecalled.read(payload);
            case ChangeKind.KEY_TAKEN ->
                new KeyTaken(new DedupKey(payload.getLong(), payload.getLong()), payload.getInt(), payload.getLong());
            case GroupStarted.KIND -> GroupStarted.read(payload);
            case ValueKept.KIND -> ValueKept.read(payload);
            case ValueLost.KIND -> ValueLost.read(payload);
            default -> throw new UnknownChangeException(kind);
        };
    }

    private static byte[] rest(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return bytes;
    }

    /**
     * A topic was created or its configuration replaced.
     *
     * @param createdMillis wall time of its first proposal; kept when an existing topic is changed
     * @param config the whole configuration from now on
     */
    record TopicSaved(long createdMillis, TopicConfig config) implements Change {
        @Override
        public short kind() {
            return ChangeKind.TOPIC_SAVED;
        }

        @Override
        public byte[] payload() {
            byte[] json = config.write();
            return ByteBuffer.allocate(Long.BYTES + json.length)
                    .putLong(createdMillis)
                    .put(json)
                    .array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "topic saved",
                    "topic=" + config.topicName() + " queues=" + config.writeQueueNums() + " readQueues="
                            + config.readQueueNums() + " perm=" + config.perm() + " attributes="
                            + config.attributes() + " created=" + ChangeText.time(createdMillis));
        }

        @Override
        public Object subject() {
            return "topic " + config.topicName();
        }
    }

    /**
     * A consumer group was created or its configuration replaced.
     *
     * @param config the whole configuration from now on
     */
    record GroupSaved(SubscriptionGroupConfig config) implements Change {
        @Override
        public short kind() {
            return ChangeKind.GROUP_SAVED;
        }

        @Override
        public byte[] payload() {
            return config.write();
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "group saved",
                    "group=" + config.groupName() + " consumeEnable=" + config.consumeEnable() + " retryMaxTimes="
                            + config.retryMaxTimes());
        }

        @Override
        public Object subject() {
            return "group " + config.groupName();
        }
    }

    /**
     * A group has consumed a queue up to an offset.
     *
     * @param queue the queue as the group sees it
     * @param offset queue offset of the next message to consume, 0 or more
     */
    record OffsetCommitted(QueueKey queue, long offset) implements Change {
        @Override
        public short kind() {
            return ChangeKind.OFFSET_COMMITTED;
        }

        @Override
        public byte[] payload() {
            ByteBuffer payload = ByteBuffer.allocate(PayloadText.keyBytes(queue) + Long.BYTES);
            PayloadText.writeKey(payload, queue);
            return payload.putLong(offset).array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText("offset committed", queue.text() + " offset=" + offset);
        }

        @Override
        public Object subject() {
            return queue;
        }
    }

    /**
     * The order lock of a queue has another owner.
     *
     * @param queue the queue as the group sees it
     * @param clientId the owner from now on; empty: nobody
     */
    record OrderLockMoved(QueueKey queue, String clientId) implements Change {
        @Override
        public short kind() {
            return ChangeKind.ORDER_LOCK_MOVED;
        }

        @Override
        public byte[] payload() {
            ByteBuffer payload = ByteBuffer.allocate(PayloadText.keyBytes(queue) + PayloadText.bytes(clientId));
            PayloadText.writeKey(payload, queue);
            PayloadText.write(payload, clientId);
            return payload.array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "order lock moved", queue.text() + " owner=" + (clientId.isEmpty() ? "nobody" : clientId));
        }

        @Override
        public Object subject() {
            return queue;
        }
    }

    /**
     * A waiting message was delivered, or given up, and waits no longer.
     *
     * @param timer the timer that is done
     */
    record TimerFired(PendingTimer timer) implements Change {
        @Override
        public short kind() {
            return ChangeKind.TIMER_FIRED;
        }

        @Override
        public byte[] payload() {
            return timer.write(ByteBuffer.allocate(PendingTimer.BYTES)).array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText("timer fired", timer.text());
        }

        @Override
        public Object subject() {
            return timer;
        }
    }

    /**
     * The broker started again: what it registers from now on is newer than anything before.
     *
     * @param startedMillis wall time of the start, for people who read the log
     */
    record BrokerStarted(long startedMillis) implements Change {
        @Override
        public short kind() {
            return ChangeKind.BROKER_STARTED;
        }

        @Override
        public byte[] payload() {
            return ByteBuffer.allocate(Long.BYTES).putLong(startedMillis).array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText("broker started", "at=" + ChangeText.time(startedMillis));
        }

        @Override
        public Object subject() {
            return "broker";
        }
    }

    /**
     * A topic was deleted, with its messages, the offsets of all groups in it, and its order locks.
     *
     * @param topic its name
     */
    record TopicDeleted(String topic) implements Change {
        @Override
        public short kind() {
            return ChangeKind.TOPIC_DELETED;
        }

        @Override
        public byte[] payload() {
            ByteBuffer payload = ByteBuffer.allocate(PayloadText.bytes(topic));
            PayloadText.write(payload, topic);
            return payload.array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText("topic deleted", "topic=" + topic);
        }

        @Override
        public Object subject() {
            return "deletion of topic " + topic;
        }
    }

    /**
     * A consumer group was deleted, with its order locks.
     *
     * @param group its name
     * @param offsetsToo whether its offsets went too
     */
    record GroupDeleted(String group, boolean offsetsToo) implements Change {
        @Override
        public short kind() {
            return ChangeKind.GROUP_DELETED;
        }

        @Override
        public byte[] payload() {
            ByteBuffer payload = ByteBuffer.allocate(PayloadText.bytes(group) + 1);
            PayloadText.write(payload, group);
            return payload.put((byte) (offsetsToo ? 1 : 0)).array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText("group deleted", "group=" + group + " offsetsToo=" + offsetsToo);
        }

        @Override
        public Object subject() {
            return "deletion of group " + group;
        }
    }

    /**
     * The message behind this change, in the same unit, came with a key: the same one sent again is not stored again.
     *
     * @param key of the message, or of the batch whose first message it is
     * @param queueId the queue that the message is for
     * @param windowMillis for how long from its store time on
     */
    record KeyTaken(DedupKey key, int queueId, long windowMillis) implements Change {
        @Override
        public short kind() {
            return ChangeKind.KEY_TAKEN;
        }

        @Override
        public byte[] payload() {
            return ByteBuffer.allocate(3 * Long.BYTES + Integer.BYTES)
                    .putLong(key.high())
                    .putLong(key.low())
                    .putInt(queueId)
                    .putLong(windowMillis)
                    .array();
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "key taken",
                    String.format(
                            Locale.ROOT,
                            "key=%016x%016x queue=%d windowMillis=%d",
                            key.high(),
                            key.low(),
                            queueId,
                            windowMillis));
        }

        @Override
        public Object subject() {
            return key;
        }
    }
}
