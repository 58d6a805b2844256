package io.anser.broker.timer;

import io.anser.broker.append.NewMessage;
import io.anser.broker.append.Postponement;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/**
 * Makes the message to deliver out of the one that waited, or that one once more: both keep its id, its birth and its count
 * of retries. Any thread.
 */
final class DueMessage {
    private final TopicTable topics;
    private final ToLongFunction<String> startPosition;

    /**
     * Makes due messages.
     *
     * @param startPosition log position before which nothing belongs to the present topic of a name
     */
    DueMessage(TopicTable topics, ToLongFunction<String> startPosition) {
        this.topics = topics;
        this.startPosition = startPosition;
    }

    /**
     * Returns the name of the topic that a waiting message is for, which need not exist any more.
     *
     * @throws MalformedMessageException if it does not say
     */
    static String topic(ByteBuffer stored) {
        return required(new MessageView().wrap(stored, stored.position()), PropertyNames.REAL_TOPIC);
    }

    /**
     * Returns the message as it goes to its real topic.
     *
     * @param stored the waiting message; the result refers to its bytes
     * @param position where it is in the log
     * @throws MalformedMessageException if it does not say where it belongs, or the topic does not exist any more
     */
    NewMessage of(ByteBuffer stored, long position) {
        MessageView waiting = new MessageView().wrap(stored, stored.position());
        String name = required(waiting, PropertyNames.REAL_TOPIC);
        Topic topic = topics.findForStored(name)
                .orElseThrow(() -> new MalformedMessageException("topic=" + name + " does not exist"));
        if (position < startPosition.applyAsLong(name)) {
            throw new MalformedMessageException("topic=" + name + " was deleted while the message waited");
        }
        // The topic may have fewer queues than when the message was sent.
        MessageHeader header = header(waiting, Math.floorMod(realQueueId(waiting), topic.queueCount()));
        return new NewMessage(topic, header, waiting.body(), Postponement.due(waiting.properties()));
    }

    /**
     * Returns a waiting message as it waits once more, in the same queue of the schedule topic. One that another broker had
     * accepted says by now when it is due, and leaves the topic of that broker's timers.
     */
    NewMessage again(ByteBuffer stored, PendingTimer timer) {
        MessageView waiting = new MessageView().wrap(stored, stored.position());
        Topic schedule = topics.find(Names.SCHEDULE_TOPIC).orElseThrow();
        boolean byLevel = waiting.hasTopic(schedule.nameBytes()) && schedule.hasQueue(waiting.queueId());
        byte[] properties = MessageProperties.with(
                waiting.properties(), PropertyNames.TIMER_OUT_MS, Long.toString(timer.dueMillis()));
        int queueId = byLevel ? waiting.queueId() : schedule.queueCount() - 1;
        return new NewMessage(schedule, header(waiting, queueId), waiting.body(), properties);
    }

    private static MessageHeader header(MessageView waiting, int queueId) {
        return new MessageHeader(
                queueId,
                waiting.flag(),
                waiting.sysFlag(),
                waiting.bornTimestamp(),
                waiting.bornHost(),
                waiting.storeHost(),
                waiting.reconsumeTimes(),
                0);
    }

    private static int realQueueId(MessageView waiting) {
        String text = required(waiting, PropertyNames.REAL_QID);
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new MalformedMessageException("property " + PropertyNames.REAL_QID + " is not a number");
        }
    }

    private static String required(MessageView waiting, String name) {
        return waiting.property(name)
                .orElseThrow(() -> new MalformedMessageException("property " + name + " is missing"));
    }
}
