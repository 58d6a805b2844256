package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for the furthest offsets that other groups have reached in a topic. */
public final class QueryCorrectionOffset {
    /** Request code. */
    public static final int CODE = 308;

    private static final FieldName FILTER_GROUPS = FieldName.of("filterGroups");
    private static final FieldName COMPARE_GROUP = FieldName.of("compareGroup");
    private static final FieldName TOPIC = FieldName.of("topic");

    private QueryCorrectionOffset() {}

    /**
     * The request header.
     *
     * @param filterGroups groups that do not count, separated by commas
     * @param compareGroup group to compare with
     * @param topic topic name
     */
    public record Request(String filterGroups, String compareGroup, String topic) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(FILTER_GROUPS, ""), header.string(COMPARE_GROUP), header.string(TOPIC));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(FILTER_GROUPS, filterGroups);
            out.field(COMPARE_GROUP, compareGroup);
            out.field(TOPIC, topic);
        }
    }
}
