package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Changes how long a popped message stays invisible from now on; the old handle is void, the client makes a new one. */
public final class ChangeInvisibleTime {
    /** Request code. */
    public static final int CODE = 200053;

    private static final FieldName CONSUMER_GROUP = FieldName.of("consumerGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName EXTRA_INFO = FieldName.of("extraInfo");
    private static final FieldName OFFSET = FieldName.of("offset");
    private static final FieldName INVISIBLE_TIME = FieldName.of("invisibleTime");
    private static final FieldName POP_TIME = FieldName.of("popTime");
    private static final FieldName REVIVE_QID = FieldName.of("reviveQid");

    private ChangeInvisibleTime() {}

    /**
     * The request header.
     *
     * @param consumerGroup name of the consumer group
     * @param topic the topic, or the retry topic that the message came from
     * @param queueId its queue
     * @param extraInfo the handle, see {@link PopHandle}
     * @param offset the message's queue offset
     * @param invisibleTime how long it stays invisible from now on, milliseconds
     */
    public record Request(
            String consumerGroup, String topic, int queueId, String extraInfo, long offset, long invisibleTime)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CONSUMER_GROUP),
                    header.string(TOPIC),
                    header.integer(QUEUE_ID),
                    header.string(EXTRA_INFO),
                    header.number(OFFSET),
                    header.number(INVISIBLE_TIME));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CONSUMER_GROUP, consumerGroup);
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(EXTRA_INFO, extraInfo);
            out.field(OFFSET, offset);
            out.field(INVISIBLE_TIME, invisibleTime);
        }
    }

    /**
     * The response header: what is new in the handle.
     *
     * @param popTime the handle's time from now on
     * @param invisibleTime how long the message stays invisible from then on, milliseconds
     * @param reviveQid as in the old handle
     */
    public record Response(long popTime, long invisibleTime, int reviveQid) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.number(POP_TIME), header.number(INVISIBLE_TIME), header.integer(REVIVE_QID));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(POP_TIME, popTime);
            out.field(INVISIBLE_TIME, invisibleTime);
            out.field(REVIVE_QID, reviveQid);
        }
    }
}
