package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a broker for the settings of all its topics; the response body is a topic config table. */
public final class GetAllTopicConfig {
    /** Request code. */
    public static final int CODE = 21;

    private static final FieldName TOPIC_SEQ = FieldName.of("topicSeq");
    private static final FieldName DATA_VERSION = FieldName.of("dataVersion");
    private static final FieldName MAX_TOPIC_NUM = FieldName.of("maxTopicNum");
    private static final FieldName TOTAL_TOPIC_NUM = FieldName.of("totalTopicNum");

    private GetAllTopicConfig() {}

    /**
     * The request header.
     *
     * @param topicSeq where to go on in a long list; older clients do not send it
     * @param dataVersion data version that the list began with; empty at the start
     * @param maxTopicNum most topics to return; 0 for all
     */
    public record Request(int topicSeq, String dataVersion, int maxTopicNum) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.integer(TOPIC_SEQ, 0), header.string(DATA_VERSION, ""), header.integer(MAX_TOPIC_NUM, 0));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            if (topicSeq != 0) {
                out.field(TOPIC_SEQ, topicSeq);
            }
            out.optional(DATA_VERSION, dataVersion);
            if (maxTopicNum != 0) {
                out.field(MAX_TOPIC_NUM, maxTopicNum);
            }
        }
    }

    /**
     * The response header.
     *
     * @param totalTopicNum topics on the broker
     */
    public record Response(int totalTopicNum) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.integer(TOTAL_TOPIC_NUM, 0));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            if (totalTopicNum != 0) {
                out.field(TOTAL_TOPIC_NUM, totalTopicNum);
            }
        }
    }
}
