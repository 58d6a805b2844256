package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for the settings of all consumer groups; the response body holds them. */
public final class GetAllSubscriptionGroupConfig {
    /** Request code. */
    public static final int CODE = 201;

    private static final FieldName GROUP_SEQ = FieldName.of("groupSeq");
    private static final FieldName DATA_VERSION = FieldName.of("dataVersion");
    private static final FieldName MAX_GROUP_NUM = FieldName.of("maxGroupNum");
    private static final FieldName TOTAL_GROUP_NUM = FieldName.of("totalGroupNum");

    private GetAllSubscriptionGroupConfig() {}

    /**
     * The request header.
     *
     * @param groupSeq where to go on in a long list; older clients do not send it
     * @param dataVersion data version that the list began with; empty at the start
     * @param maxGroupNum most groups to return; 0 for all
     */
    public record Request(int groupSeq, String dataVersion, int maxGroupNum) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.integer(GROUP_SEQ, 0), header.string(DATA_VERSION, ""), header.integer(MAX_GROUP_NUM, 0));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            if (groupSeq != 0) {
                out.field(GROUP_SEQ, groupSeq);
            }
            out.optional(DATA_VERSION, dataVersion);
            if (maxGroupNum != 0) {
                out.field(MAX_GROUP_NUM, maxGroupNum);
            }
        }
    }

    /**
     * The response header.
     *
     * @param totalGroupNum groups on the broker
     */
    public record Response(int totalGroupNum) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.integer(TOTAL_GROUP_NUM));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOTAL_GROUP_NUM, totalGroupNum);
        }
    }
}
