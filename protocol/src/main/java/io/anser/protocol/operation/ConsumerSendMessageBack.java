package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker to deliver a message to its consumer group again later, or to put it to the dead letters. */
public final class ConsumerSendMessageBack {
    /** Request code. */
    public static final int CODE = 36;

    private static final FieldName OFFSET = FieldName.of("offset");
    private static final FieldName GROUP = FieldName.of("group");
    private static final FieldName DELAY_LEVEL = FieldName.of("delayLevel");
    private static final FieldName ORIGIN_MSG_ID = FieldName.of("originMsgId");
    private static final FieldName ORIGIN_TOPIC = FieldName.of("originTopic");
    private static final FieldName UNIT_MODE = FieldName.of("unitMode");
    private static final FieldName MAX_RECONSUME_TIMES = FieldName.of("maxReconsumeTimes");

    private ConsumerSendMessageBack() {}

    /**
     * The request header.
     *
     * @param offset log position of the message
     * @param group name of the consumer group
     * @param delayLevel delay level of the next delivery; 0 lets the broker choose, below 0 means dead letters at once
     * @param originMsgId the message's id, empty when unknown
     * @param originTopic topic that the message came from, empty when unknown
     * @param unitMode kept for compatibility
     * @param maxReconsumeTimes deliveries after which the message is a dead letter; -1 means as in the group's settings
     */
    public record Request(
            long offset,
            String group,
            int delayLevel,
            String originMsgId,
            String originTopic,
            boolean unitMode,
            int maxReconsumeTimes)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.number(OFFSET),
                    header.string(GROUP),
                    header.integer(DELAY_LEVEL),
                    header.string(ORIGIN_MSG_ID, ""),
                    header.string(ORIGIN_TOPIC, ""),
                    header.flag(UNIT_MODE, false),
                    header.integer(MAX_RECONSUME_TIMES, -1));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(OFFSET, offset);
            out.field(GROUP, group);
            out.field(DELAY_LEVEL, delayLevel);
            out.optional(ORIGIN_MSG_ID, originMsgId);
            out.optional(ORIGIN_TOPIC, originTopic);
            out.field(UNIT_MODE, unitMode);
            if (maxReconsumeTimes != -1) {
                out.field(MAX_RECONSUME_TIMES, maxReconsumeTimes);
            }
        }
    }
}
