package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker whether a pop would find messages, and to wait for some. */
public final class Notification {
    /** Request code. */
    public static final int CODE = 200054;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName POLL_TIME = FieldName.of("pollTime");
    private static final FieldName BORN_TIME = FieldName.of("bornTime");
    private static final FieldName ORDER = FieldName.of("order");
    private static final FieldName ATTEMPT_ID = FieldName.of("attemptId");
    private static final FieldName HAS_MSG = FieldName.of("hasMsg");
    private static final FieldName POLLING_FULL = FieldName.of("pollingFull");

    private Notification() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic topic name
     * @param queueId queue of the topic, -1 for any
     * @param pollTime how long the broker may hold the request, milliseconds
     * @param bornTime when the client made the request, by its own clock
     * @param order whether messages are popped in order
     * @param attemptId the attempt whose own messages count as there; empty when absent
     */
    public record Request(
            String consumerGroup,
            String topic,
            int queueId,
            long pollTime,
            long bornTime,
            boolean order,
            String attemptId)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CONSUMER_GROUP),
                    header.string(TOPIC),
                    header.integer(QUEUE_ID),
                    header.number(POLL_TIME),
                    header.number(BORN_TIME),
                    header.flag(ORDER, false),
                    header.string(ATTEMPT_ID, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(POLL_TIME, pollTime);
            out.field(BORN_TIME, bornTime);
            out.field(ORDER, order);
            out.optional(ATTEMPT_ID, attemptId);
        }
    }

    /**
     * The response header.
     *
     * @param hasMsg whether there are messages
     * @param pollingFull whether the request was not held because too many are
     */
    public record Response(boolean hasMsg, boolean pollingFull) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.flag(HAS_MSG), header.flag(POLLING_FULL, false));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(HAS_MSG, hasMsg);
            out.field(POLLING_FULL, pollingFull);
        }
    }
}
