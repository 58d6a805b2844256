package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.frame.InvalidFieldException;
import java.util.Arrays;

/**
 * Changes who belongs to a replicated group, by one member; its leader carries it out and answers when the group has agreed
 * upon it, which for a new member is after it has caught up. An operation of ours.
 */
public final class ChangeMembers {
    /** Request code. */
    public static final int CODE = 30_122;

    private static final FieldName KIND = FieldName.of("kind");
    private static final FieldName MEMBER = FieldName.of("member");

    private ChangeMembers() {}

    /** What to do with the member. */
    public enum Kind {
        /** It becomes a member that votes; a learner is promoted. */
        ADD,
        /** It becomes a member that gets everything and does not vote. */
        ADD_LEARNER,
        /** It, voting or not, is no member any more. */
        REMOVE
    }

    /**
     * The request header.
     *
     * @param kind what to do
     * @param member {@code host:port} of whom
     */
    public record Request(Kind kind, String member) implements FieldSource {
        /**
         * Reads the request from a header.
         *
         * @throws InvalidFieldException if the kind is none
         */
        public static Request decode(CommandHeader header) {
            String kind = header.string(KIND);
            return new Request(
                    Arrays.stream(Kind.values())
                            .filter(known -> known.name().equals(kind))
                            .findFirst()
                            .orElseThrow(() -> InvalidFieldException.of(KIND.text(), kind, "a change of members")),
                    header.string(MEMBER));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(KIND, kind.name());
            out.field(MEMBER, member);
        }
    }
}
