package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * {@link SendMessage} with one-letter field names, to keep headers short: what clients send for single messages and for
 * batches. The response is {@link SendMessage.Response}.
 */
public final class SendMessageV2 {
    /** Request code. */
    public static final int CODE = 310;

    private static final FieldName PRODUCER_GROUP = FieldName.of("a");
    private static final FieldName TOPIC = FieldName.of("b");
    private static final FieldName DEFAULT_TOPIC = FieldName.of("c");
    private static final FieldName DEFAULT_TOPIC_QUEUE_NUMS = FieldName.of("d");
    private static final FieldName QUEUE_ID = FieldName.of("e");
    private static final FieldName SYS_FLAG = FieldName.of("f");
    private static final FieldName BORN_TIMESTAMP = FieldName.of("g");
    private static final FieldName FLAG = FieldName.of("h");
    private static final FieldName PROPERTIES = FieldName.of("i");
    private static final FieldName RECONSUME_TIMES = FieldName.of("j");
    private static final FieldName UNIT_MODE = FieldName.of("k");
    private static final FieldName MAX_RECONSUME_TIMES = FieldName.of("l");
    private static final FieldName BATCH = FieldName.of("m");

    private SendMessageV2() {}

    /**
     * The same request as {@link SendMessage.Request}, written with short names.
     *
     * @param message the values to write
     */
    public record Request(SendMessage.Request message) implements FieldSource {
        /** Reads the request from a header with short names; the name of the broker ({@code n}) is not needed. */
        public static SendMessage.Request decode(CommandHeader header) {
            return decode(header, header.flag(BATCH, false));
        }

        static SendMessage.Request decode(CommandHeader header, boolean batch) {
            return new SendMessage.Request(
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
                    batch,
                    header.integer(MAX_RECONSUME_TIMES, -1));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(PRODUCER_GROUP, message.producerGroup());
            out.field(TOPIC, message.topic());
            out.field(DEFAULT_TOPIC, message.defaultTopic());
            out.field(DEFAULT_TOPIC_QUEUE_NUMS, message.defaultTopicQueueNums());
            out.field(QUEUE_ID, message.queueId());
            out.field(SYS_FLAG, message.sysFlag());
            out.field(BORN_TIMESTAMP, message.bornTimestamp());
            out.field(FLAG, message.flag());
            out.field(PROPERTIES, message.properties());
            out.field(RECONSUME_TIMES, message.reconsumeTimes());
            out.field(UNIT_MODE, message.unitMode());
            if (message.maxReconsumeTimes() != -1) {
                out.field(MAX_RECONSUME_TIMES, message.maxReconsumeTimes());
            }
            out.field(BATCH, message.batch());
        }
    }
}
