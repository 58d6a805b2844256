package io.anser.broker.append;

import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.DelayLevels;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;

/**
 * Puts a message off: it is stored in the schedule topic and carries where it belongs and when it is due. {@link
 * #due} undoes that.
 *
 * @param queueId queue of the schedule topic
 * @param dueMillis wall time at which it is delivered
 */
public record Postponement(int queueId, long dueMillis) {
    private static final String[] MARKS = {
        PropertyNames.DELAY, PropertyNames.REAL_TOPIC, PropertyNames.REAL_QID, PropertyNames.TIMER_OUT_MS
    };

    /** The postponement by a delay level of 1 or more; above the highest level the highest counts. */
    public static Postponement level(int level, long nowMillis) {
        return new Postponement(DelayLevels.queueId(level), nowMillis + DelayLevels.delayMillis(level));
    }

    /** The postponement to a point in time; it waits in the last queue of the schedule topic. */
    public static Postponement until(long dueMillis) {
        return new Postponement(DelayLevels.COUNT - 1, dueMillis);
    }

    /**
     * Returns the message to store instead.
     *
     * @param schedule the schedule topic
     * @param real the message as it is to be delivered
     */
    NewMessage of(Topic schedule, NewMessage real) {
        byte[] properties = real.allProperties();
        properties = MessageProperties.with(
                properties, PropertyNames.REAL_TOPIC, real.topic().name());
        properties = MessageProperties.with(
                properties,
                PropertyNames.REAL_QID,
                Integer.toString(real.header().queueId()));
        properties = MessageProperties.with(properties, PropertyNames.TIMER_OUT_MS, Long.toString(dueMillis));
        return new NewMessage(schedule, inQueue(real.header(), queueId), real.body(), properties)
                .waitingFor(real.queue());
    }

    /** Returns the properties of a postponed message as they are when it is delivered. */
    public static byte[] due(byte[] properties) {
        byte[] left = properties;
        for (String name : MARKS) {
            left = MessageProperties.without(left, name);
        }
        return left;
    }

    private static MessageHeader inQueue(MessageHeader header, int queueId) {
        return new MessageHeader(
                queueId,
                header.flag(),
                header.sysFlag(),
                header.bornTimestamp(),
                header.bornHost(),
                header.storeHost(),
                header.reconsumeTimes(),
                header.preparedTransactionOffset());
    }
}
