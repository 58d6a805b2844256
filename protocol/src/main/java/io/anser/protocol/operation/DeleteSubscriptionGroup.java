package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Deletes a consumer group of a broker. */
public final class DeleteSubscriptionGroup {
    /** Request code. */
    public static final int CODE = 207;

    private static final FieldName GROUP_NAME = FieldName.of("groupName");
    private static final FieldName CLEAN_OFFSET = FieldName.of("cleanOffset");

    private DeleteSubscriptionGroup() {}

    /**
     * The request header.
     *
     * @param groupName name of the group
     * @param cleanOffset whether its consumer offsets go too; else a group made anew under the name goes on from them
     */
    public record Request(String groupName, boolean cleanOffset) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(GROUP_NAME), header.flag(CLEAN_OFFSET, false));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(GROUP_NAME, groupName);
            out.field(CLEAN_OFFSET, cleanOffset);
        }
    }
}
