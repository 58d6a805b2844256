package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Creates a topic on a broker or changes its settings. */
public final class CreateTopic {
    /** Request code. */
    public static final int CODE = 17;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName DEFAULT_TOPIC = FieldName.of("defaultTopic");
    private static final FieldName READ_QUEUE_NUMS = FieldName.of("readQueueNums");
    private static final FieldName WRITE_QUEUE_NUMS = FieldName.of("writeQueueNums");
    private static final FieldName PERM = FieldName.of("perm");
    private static final FieldName TOPIC_FILTER_TYPE = FieldName.of("topicFilterType");
    private static final FieldName TOPIC_SYS_FLAG = FieldName.of("topicSysFlag");
    private static final FieldName ORDER = FieldName.of("order");
    private static final FieldName ATTRIBUTES = FieldName.of("attributes");
    private static final FieldName FORCE = FieldName.of("force");

    private CreateTopic() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param defaultTopic template topic, not used by the broker
     * @param readQueueNums queues that consumers read
     * @param writeQueueNums queues that producers write
     * @param perm permission bits: 4 read, 2 write, 1 inherit
     * @param topicFilterType {@code SINGLE_TAG} or {@code MULTI_TAG}
     * @param topicSysFlag kept for compatibility, 0 by default
     * @param order whether the topic is meant for ordered messages
     * @param attributes changes such as {@code +message.type=FIFO}, separated by commas; empty for none
     * @param force whether checks of the attributes are skipped
     */
    public record Request(
            String topic,
            String defaultTopic,
            int readQueueNums,
            int writeQueueNums,
            int perm,
            String topicFilterType,
            int topicSysFlag,
            boolean order,
            String attributes,
            boolean force)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(TOPIC),
                    header.string(DEFAULT_TOPIC),
                    header.integer(READ_QUEUE_NUMS),
                    header.integer(WRITE_QUEUE_NUMS),
                    header.integer(PERM),
                    header.string(TOPIC_FILTER_TYPE),
                    header.integer(TOPIC_SYS_FLAG, 0),
                    header.flag(ORDER),
                    header.string(ATTRIBUTES, ""),
                    header.flag(FORCE, false));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(DEFAULT_TOPIC, defaultTopic);
            out.field(READ_QUEUE_NUMS, readQueueNums);
            out.field(WRITE_QUEUE_NUMS, writeQueueNums);
            out.field(PERM, perm);
            out.field(TOPIC_FILTER_TYPE, topicFilterType);
            if (topicSysFlag != 0) {
                out.field(TOPIC_SYS_FLAG, topicSysFlag);
            }
            out.field(ORDER, order);
            out.optional(ATTRIBUTES, attributes);
            out.field(FORCE, force);
        }
    }
}
