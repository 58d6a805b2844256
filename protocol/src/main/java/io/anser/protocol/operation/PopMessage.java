package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * Asks a broker for messages of a topic that nobody else of the group has; they stay invisible to the group until they are
 * acknowledged or their time is over. The body of the response is the messages, one behind the other.
 */
public final class PopMessage {
    /** Request code. */
    public static final int CODE = 200050;
    /** Value of initMode: a group that is new to a queue begins at its first message. */
    public static final int INIT_MIN = 0;
    /** Value of initMode: a group that is new to a queue begins at its end. */
    public static final int INIT_MAX = 1;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName MAX_MSG_NUMS = FieldName.of("maxMsgNums");
    private static final FieldName INVISIBLE_TIME = FieldName.of("invisibleTime");
    private static final FieldName POLL_TIME = FieldName.of("pollTime");
    private static final FieldName BORN_TIME = FieldName.of("bornTime");
    private static final FieldName INIT_MODE = FieldName.of("initMode");
    private static final FieldName EXP_TYPE = FieldName.of("expType");
    private static final FieldName EXP = FieldName.of("exp");
    private static final FieldName ORDER = FieldName.of("order");
    private static final FieldName ATTEMPT_ID = FieldName.of("attemptId");
    private static final FieldName POP_TIME = FieldName.of("popTime");
    private static final FieldName REVIVE_QID = FieldName.of("reviveQid");
    private static final FieldName REST_NUM = FieldName.of("restNum");
    private static final FieldName START_OFFSET_INFO = FieldName.of("startOffsetInfo");
    private static final FieldName MSG_OFFSET_INFO = FieldName.of("msgOffsetInfo");
    private static final FieldName ORDER_COUNT_INFO = FieldName.of("orderCountInfo");

    private PopMessage() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic topic name
     * @param queueId queue of the topic, -1 for any
     * @param maxMsgNums most messages wanted
     * @param invisibleTime how long the messages stay invisible, milliseconds
     * @param pollTime how long the broker may hold the request while there is nothing, milliseconds
     * @param bornTime when the client made the request, by its own clock
     * @param initMode {@link #INIT_MIN} or {@link #INIT_MAX}
     * @param expType type of the filter expression; empty when absent
     * @param exp filter expression; empty when absent
     * @param order whether a queue's messages may be out with one member at a time only
     * @param attemptId names this pop in a retry of the same; empty when absent
     */
    public record Request(
            String consumerGroup,
            String topic,
            int queueId,
            int maxMsgNums,
            long invisibleTime,
            long pollTime,
            long bornTime,
            int initMode,
            String expType,
            String exp,
            boolean order,
            String attemptId)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CONSUMER_GROUP),
                    header.string(TOPIC),
                    header.integer(QUEUE_ID),
                    header.integer(MAX_MSG_NUMS),
                    header.number(INVISIBLE_TIME),
                    header.number(POLL_TIME),
                    header.number(BORN_TIME),
                    header.integer(INIT_MODE),
                    header.string(EXP_TYPE, ""),
                    header.string(EXP, ""),
                    header.flag(ORDER, false),
                    header.string(ATTEMPT_ID, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(MAX_MSG_NUMS, maxMsgNums);
            out.field(INVISIBLE_TIME, invisibleTime);
            out.field(POLL_TIME, pollTime);
            out.field(BORN_TIME, bornTime);
            out.field(INIT_MODE, initMode);
            out.optional(EXP_TYPE, expType);
            out.optional(EXP, exp);
            out.field(ORDER, order);
            out.optional(ATTEMPT_ID, attemptId);
        }
    }

    /**
     * The response header. Clients read it in an answer without messages too.
     *
     * @param popTime when the messages were handed out, by the broker's clock; 0 without messages
     * @param invisibleTime how long they stay invisible from then on, milliseconds
     * @param reviveQid part of the handle; 999 marks order
     * @param restNum about how many messages are left
     * @param startOffsetInfo first offset of each queue, see {@link PopOffsets}; empty when absent
     * @param msgOffsetInfo all offsets of each queue, see {@link PopOffsets}; empty when absent
     * @param orderCountInfo earlier deliveries of messages popped in order, see {@link PopOffsets}; empty when absent
     */
    public record Response(
            long popTime,
            long invisibleTime,
            int reviveQid,
            long restNum,
            String startOffsetInfo,
            String msgOffsetInfo,
            String orderCountInfo)
            implements FieldSource {
        /** The header of an answer without messages. */
        public static final Response NOTHING = new Response(0, 0, 0, 0, "", "", "");

        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(
                    header.number(POP_TIME),
                    header.number(INVISIBLE_TIME),
                    header.integer(REVIVE_QID),
                    header.number(REST_NUM),
                    header.string(START_OFFSET_INFO, ""),
                    header.string(MSG_OFFSET_INFO, ""),
                    header.string(ORDER_COUNT_INFO, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(POP_TIME, popTime);
            out.field(INVISIBLE_TIME, invisibleTime);
            out.field(REVIVE_QID, reviveQid);
            out.field(REST_NUM, restNum);
            out.optional(START_OFFSET_INFO, startOffsetInfo);
            out.optional(MSG_OFFSET_INFO, msgOffsetInfo);
            out.optional(ORDER_COUNT_INFO, orderCountInfo);
        }
    }
}
