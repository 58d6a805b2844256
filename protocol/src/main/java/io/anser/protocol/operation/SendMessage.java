package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;
import java.nio.charset.StandardCharsets;

/**
 * Stores one message; the request body is the message body. {@link SendMessageV2} is the same with one-letter names, which
 * is what clients use.
 */
public final class SendMessage {
    /** Request code. */
    public static final int CODE = 10;

    /** Name of a response field: the {@link io.anser.protocol.message.RecallHandle} of a delayed message. */
    public static final FieldName RECALL_HANDLE = FieldName.of("recallHandle");

    private static final FieldName PRODUCER_GROUP = FieldName.of("producerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName DEFAULT_TOPIC = FieldName.of("defaultTopic");
    private static final FieldName DEFAULT_TOPIC_QUEUE_NUMS = FieldName.of("defaultTopicQueueNums");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName SYS_FLAG = FieldName.of("sysFlag");
    private static final FieldName BORN_TIMESTAMP = FieldName.of("bornTimestamp");
    private static final FieldName FLAG = FieldName.of("flag");
    private static final FieldName PROPERTIES = FieldName.of("properties");
    private static final FieldName RECONSUME_TIMES = FieldName.of("reconsumeTimes");
    private static final FieldName UNIT_MODE = FieldName.of("unitMode");
    private static final FieldName BATCH = FieldName.of("batch");
    private static final FieldName MAX_RECONSUME_TIMES = FieldName.of("maxReconsumeTimes");
    private static final FieldName MSG_ID = FieldName.of("msgId");
    private static final FieldName QUEUE_OFFSET = FieldName.of("queueOffset");
    private static final FieldName TRANSACTION_ID = FieldName.of("transactionId");

    private SendMessage() {}

    /**
     * The request header of all three send operations.
     *
     * <p>Equality compares {@code properties} by identity: requests are carriers, not keys.
     *
     * @param producerGroup name of the producer group
     * @param topic topic name
     * @param defaultTopic template for a topic that does not exist yet
     * @param defaultTopicQueueNums queues of a topic that does not exist yet
     * @param queueId queue of the topic, from 0; below 0 lets the broker choose
     * @param sysFlag system flags of the message
     * @param bornTimestamp the client's time of sending, milliseconds since 1970
     * @param flag the application's own flag
     * @param properties properties in their wire form, UTF-8; not copied, not to be changed; empty for none
     * @param reconsumeTimes deliveries so far, 0 by default
     * @param unitMode kept for compatibility, false by default
     * @param batch whether the body is a batch, false by default
     * @param maxReconsumeTimes deliveries after which a resent message is a dead letter; -1 when absent
     */
    @SuppressWarnings("ArrayRecordComponent") // A copy or wrapper per message would cost more than it protects.
    public record Request(
            String producerGroup,
            String topic,
            String defaultTopic,
            int defaultTopicQueueNums,
            int queueId,
            int sysFlag,
            long bornTimestamp,
            int flag,
            byte[] properties,
            int reconsumeTimes,
            boolean unitMode,
            boolean batch,
            int maxReconsumeTimes)
            implements FieldSource {
        /** Reads the request from a header with long names. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(PRODUCER_GROUP),
                    header.string(TOPIC),
                    header.string(DEFAULT_TOPIC),
                    header.integer(DEFAULT_TOPIC_QUEUE_NUMS),
                    header.integer(QUEUE_ID),
                    header.integer(SYS_FLAG),
                    header.number(BORN_TIMESTAMP),
                    header.integer(FLAG),
                    header.utf8(PROPERTIES),
                    header.integer(RECONSUME_TIMES, 0),
                    header.flag(UNIT_MODE, false),
                    header.flag(BATCH, false),
                    header.integer(MAX_RECONSUME_TIMES, -1));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(PRODUCER_GROUP, producerGroup);
            out.field(TOPIC, topic);
            out.field(DEFAULT_TOPIC, defaultTopic);
            out.field(DEFAULT_TOPIC_QUEUE_NUMS, defaultTopicQueueNums);
            out.field(QUEUE_ID, queueId);
            out.field(SYS_FLAG, sysFlag);
            out.field(BORN_TIMESTAMP, bornTimestamp);
            out.field(FLAG, flag);
            out.field(PROPERTIES, properties);
            out.field(RECONSUME_TIMES, reconsumeTimes);
            out.field(UNIT_MODE, unitMode);
            out.field(BATCH, batch);
            if (maxReconsumeTimes != -1) {
                out.field(MAX_RECONSUME_TIMES, maxReconsumeTimes);
            }
        }
    }

    /**
     * The response header of all three send operations.
     *
     * @param msgId offset message id; of a batch the ids of all messages, separated by commas
     * @param queueId queue that the message was stored in
     * @param queueOffset queue offset of the message, of a batch that of the first
     * @param transactionId unique id of a transactional message, else empty
     */
    public record Response(String msgId, int queueId, long queueOffset, String transactionId) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(
                    header.string(MSG_ID),
                    header.integer(QUEUE_ID),
                    header.number(QUEUE_OFFSET),
                    header.string(TRANSACTION_ID, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            byte[] unique = transactionId.getBytes(StandardCharsets.UTF_8);
            writeTo(out, msgId.getBytes(StandardCharsets.UTF_8), queueId, queueOffset, unique, 0, unique.length);
        }

        /**
         * Writes the fields of a response whose texts are not made.
         *
         * @param msgId in UTF-8
         * @param block holds the transaction id in UTF-8 in {@code [from, until)}; none when that is empty
         */
        public static void writeTo(
                HeaderWriter out, byte[] msgId, int queueId, long queueOffset, byte[] block, int from, int until) {
            out.field(MSG_ID, msgId);
            out.field(QUEUE_ID, queueId);
            out.field(QUEUE_OFFSET, queueOffset);
            if (from < until) {
                out.field(TRANSACTION_ID, block, from, until);
            }
        }
    }
}
