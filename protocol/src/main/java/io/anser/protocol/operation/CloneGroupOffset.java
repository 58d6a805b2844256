package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Gives a consumer group the offsets of another one. */
public final class CloneGroupOffset {
    /** Request code. */
    public static final int CODE = 314;

    private static final FieldName SRC_GROUP = FieldName.of("srcGroup");
    private static final FieldName DEST_GROUP = FieldName.of("destGroup");
    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName OFFLINE = FieldName.of("offline");

    private CloneGroupOffset() {}

    /**
     * The request header.
     *
     * @param srcGroup group whose offsets are copied
     * @param destGroup group that gets them
     * @param topic one topic; empty for all that the first group consumes
     * @param offline whether nobody may be online in the group that gets them
     */
    public record Request(String srcGroup, String destGroup, String topic, boolean offline) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(SRC_GROUP),
                    header.string(DEST_GROUP),
                    header.string(TOPIC, ""),
                    header.flag(OFFLINE, false));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(SRC_GROUP, srcGroup);
            out.field(DEST_GROUP, destGroup);
            out.optional(TOPIC, topic);
            out.field(OFFLINE, offline);
        }
    }
}
