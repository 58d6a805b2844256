package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.frame.ProtocolException;

/** Asks a broker for the messages of a queue from an offset on; the body of the response is the messages, one behind the other. */
public final class PullMessage {
    /** Request code. */
    public static final int CODE = 11;
    /** Bit of sysFlag: store the commit offset. */
    public static final int FLAG_COMMIT_OFFSET = 1;
    /** Bit of sysFlag: hold the request while there is nothing to deliver. */
    public static final int FLAG_SUSPEND = 2;
    /** Bit of sysFlag: the request carries the subscription; otherwise the one of the heartbeat counts. */
    public static final int FLAG_SUBSCRIPTION = 4;
    /** Bit of sysFlag: the subscription is a class filter, which no broker supports any more. */
    public static final int FLAG_CLASS_FILTER = 8;
    /** Bit of sysFlag: the client pulls by itself instead of on behalf of a push consumer. */
    public static final int FLAG_LITE_PULL = 16;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName QUEUE_OFFSET = FieldName.of("queueOffset");
    private static final FieldName MAX_MSG_NUMS = FieldName.of("maxMsgNums");
    private static final FieldName SYS_FLAG = FieldName.of("sysFlag");
    private static final FieldName COMMIT_OFFSET = FieldName.of("commitOffset");
    private static final FieldName SUSPEND_TIMEOUT_MILLIS = FieldName.of("suspendTimeoutMillis");
    private static final FieldName SUBSCRIPTION = FieldName.of("subscription");
    private static final FieldName SUB_VERSION = FieldName.of("subVersion");
    private static final FieldName EXPRESSION_TYPE = FieldName.of("expressionType");
    private static final FieldName MAX_MSG_BYTES = FieldName.of("maxMsgBytes");
    private static final FieldName SUGGEST_WHICH_BROKER_ID = FieldName.of("suggestWhichBrokerId");
    private static final FieldName NEXT_BEGIN_OFFSET = FieldName.of("nextBeginOffset");
    private static final FieldName MIN_OFFSET = FieldName.of("minOffset");
    private static final FieldName MAX_OFFSET = FieldName.of("maxOffset");

    private PullMessage() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic topic name
     * @param queueId queue of the topic, from 0
     * @param queueOffset queue offset of the first message wanted
     * @param maxMsgNums most messages wanted; the broker has a limit of its own
     * @param sysFlag bits {@link #FLAG_COMMIT_OFFSET} to {@link #FLAG_LITE_PULL}
     * @param commitOffset offset to store for the group, used with {@link #FLAG_COMMIT_OFFSET}
     * @param suspendTimeoutMillis how long the broker may hold the request, used with {@link #FLAG_SUSPEND}
     * @param subscription filter expression, used with {@link #FLAG_SUBSCRIPTION}; empty when absent
     * @param subVersion version of the client's subscription, a time in milliseconds
     * @param expressionType {@code TAG} (default) or {@code SQL92}
     * @param maxMsgBytes most body bytes wanted; -1 when the client names none
     */
    public record Request(
            String consumerGroup,
            String topic,
            int queueId,
            long queueOffset,
            int maxMsgNums,
            int sysFlag,
            long commitOffset,
            long suspendTimeoutMillis,
            String subscription,
            long subVersion,
            String expressionType,
            int maxMsgBytes)
            implements FieldSource {
        /**
         * Reads the request from a header.
         *
         * @throws ProtocolException if it asks for the messages of a lite topic
         */
        public static Request decode(CommandHeader header) {
            LiteTopicField.requireNone(header);
            return new Request(
                    header.string(CONSUMER_GROUP),
                    header.string(TOPIC),
                    header.integer(QUEUE_ID),
                    header.number(QUEUE_OFFSET),
                    header.integer(MAX_MSG_NUMS),
                    header.integer(SYS_FLAG),
                    header.number(COMMIT_OFFSET),
                    header.number(SUSPEND_TIMEOUT_MILLIS),
                    header.string(SUBSCRIPTION, ""),
                    header.number(SUB_VERSION),
                    header.string(EXPRESSION_TYPE, "TAG"),
                    header.integer(MAX_MSG_BYTES, -1));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(QUEUE_OFFSET, queueOffset);
            out.field(MAX_MSG_NUMS, maxMsgNums);
            out.field(SYS_FLAG, sysFlag);
            out.field(COMMIT_OFFSET, commitOffset);
            out.field(SUSPEND_TIMEOUT_MILLIS, suspendTimeoutMillis);
            out.optional(SUBSCRIPTION, subscription);
            out.field(SUB_VERSION, subVersion);
            out.optional(EXPRESSION_TYPE, expressionType);
            if (maxMsgBytes != -1) {
                out.field(MAX_MSG_BYTES, maxMsgBytes);
            }
        }
    }

    /**
     * The response header.
     *
     * @param suggestWhichBrokerId broker id to pull from next
     * @param nextBeginOffset queue offset to pull from next
     * @param minOffset first queue offset that is still there
     * @param maxOffset queue offset of the next message to come
     */
    public record Response(long suggestWhichBrokerId, long nextBeginOffset, long minOffset, long maxOffset)
            implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(
                    header.number(SUGGEST_WHICH_BROKER_ID),
                    header.number(NEXT_BEGIN_OFFSET),
                    header.number(MIN_OFFSET),
                    header.number(MAX_OFFSET));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(SUGGEST_WHICH_BROKER_ID, suggestWhichBrokerId);
            out.field(NEXT_BEGIN_OFFSET, nextBeginOffset);
            out.field(MIN_OFFSET, minOffset);
            out.field(MAX_OFFSET, maxOffset);
        }
    }
}
