package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Moves a consumer group in a topic to another place; the response body tells the new offsets. */
public final class ResetOffset {
    /** Request code. */
    public static final int CODE = 222;

    /** Code of the request by which a broker tells a member of the group; its body holds the new offsets. */
    public static final int CLIENT_CODE = 220;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName GROUP = FieldName.of("group");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName OFFSET = FieldName.of("offset");
    private static final FieldName TIMESTAMP = FieldName.of("timestamp");
    private static final FieldName FORCE = FieldName.of("isForce");

    private ResetOffset() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param group name of the consumer group
     * @param queueId one queue of the topic; negative for all
     * @param offset the new queue offset; negative for the one that the timestamp means
     * @param timestamp the first message stored at this time or later, milliseconds; -1: the end of the queue
     * @param force whether the group may move forwards; otherwise only back
     */
    public record Request(String topic, String group, int queueId, long offset, long timestamp, boolean force)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(TOPIC),
                    header.string(GROUP),
                    header.integer(QUEUE_ID, -1),
                    header.number(OFFSET, -1),
                    header.number(TIMESTAMP),
                    header.flag(FORCE, true));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(GROUP, group);
            out.field(QUEUE_ID, queueId);
            out.field(OFFSET, offset);
            out.field(TIMESTAMP, timestamp);
            out.field(FORCE, force);
        }
    }
}
