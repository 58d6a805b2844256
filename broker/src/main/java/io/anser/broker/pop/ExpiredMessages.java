package io.anser.broker.pop;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.append.NewMessage;
import io.anser.broker.append.RetryRule;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.MessageStore;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of messages whose lease is over: another try in the group's retry topic, or the dead letters. On workers, as it
 * reads the log.
 */
final class ExpiredMessages {
    private final MessageStore store;
    private final TopicTable topics;
    private final BrokerAddress address;

    ExpiredMessages(MessageStore store, TopicTable topics, BrokerAddress address) {
        this.store = store;
        this.topics = topics;
        this.address = address;
    }

    /**
     * One message to store again.
     *
     * @param original as it is stored
     * @param topic where the copy goes; the topic may have to be made
     * @param properties the copy's
     */
    record Copy(MessageView original, TopicConfig topic, byte[] properties) {}

    /** Decides for those messages of a lease whose bits are set; what is not there any more needs no copy. */
    List<Copy> copies(QueueKey key, Lease lease, int mask, SubscriptionGroupConfig group) {
        List<Copy> copies = new ArrayList<>(Integer.bitCount(mask));
        Optional<Topic> topic = topics.find(key.topic());
        // A topic may have fewer queues than before: what they hold is there nevertheless.
        Optional<QueueLog> queue = topic.flatMap(found -> found.hasQueue(key.queueId())
                ? Optional.of(found.queue(key.queueId()))
                : store.find(key.topic(), key.queueId()));
        if (queue.isEmpty()) {
            return copies;
        }
        QueueLog log = queue.get();
        QueueCursor cursor = new QueueCursor();
        for (int place = 0; place < lease.size(); place++) {
            boolean chosen = (mask & (1 << place)) != 0;
            if (chosen && cursor.seek(log, lease.offsets()[place]) && cursor.size() > 0) {
                copy(key, lease, place, cursor, group).ifPresent(copies::add);
            }
        }
        return copies;
    }

    private Optional<Copy> copy(
            QueueKey key, Lease lease, int place, QueueCursor cursor, SubscriptionGroupConfig group) {
        if (!store.isSound(cursor.position(), cursor.size())) {
            return Optional.empty();
        }
        try {
            ByteBuffer stored = store.read(cursor.position(), cursor.size());
            MessageView original = new MessageView().wrap(stored, stored.position());
            int tries = lease.ordered() ? lease.attempts()[place] : original.reconsumeTimes();
            byte[] properties = RetryRule.marked(original);
            if (original.findProperty(PropertyNames.FIRST_POP_TIME) == MessageProperties.ABSENT) {
                properties = RetryRule.withIfRoom(
                        properties, PropertyNames.FIRST_POP_TIME, Long.toString(lease.popMillis()));
            }
            return Optional.of(
                    RetryRule.isExhausted(tries, -1, group)
                            ? new Copy(
                                    original, RetryRule.deadLetterTopic(key.group()), RetryRule.deadLetter(properties))
                            : new Copy(
                                    original,
                                    RetryRule.popRetryTopic(key.group(), PopTopics.realTopic(key.group(), key.topic())),
                                    properties));
        } catch (MalformedMessageException unreadable) {
            return Optional.empty(); // nobody was ever able to consume it
        }
    }

    /** The message to append for a copy, once its topic exists. */
    NewMessage message(Copy copy) {
        String name = copy.topic().topicName();
        Topic target = topics.find(name)
                .orElseThrow(() ->
                        new StoreException(StoreException.Kind.DROPPED, "topic=" + name + " was deleted meanwhile"));
        MessageView original = copy.original();
        int queueId = Math.floorMod(original.queueId(), target.queueCount());
        return RetryRule.copy(original, target, queueId, address.host(), original.body(), copy.properties());
    }
}
