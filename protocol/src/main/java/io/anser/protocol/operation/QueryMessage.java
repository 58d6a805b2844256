package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.frame.InvalidFieldException;

/** Asks a broker for the messages of a topic with a key or unique id; the response body is the messages, back to back. */
public final class QueryMessage {
    /** Request code. */
    public static final int CODE = 12;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName KEY = FieldName.of("key");
    private static final FieldName MAX_NUM = FieldName.of("maxNum");
    private static final FieldName BEGIN_TIMESTAMP = FieldName.of("beginTimestamp");
    private static final FieldName END_TIMESTAMP = FieldName.of("endTimestamp");
    private static final FieldName INDEX_TYPE = FieldName.of("indexType");
    private static final FieldName UNIQUE_KEY_QUERY = FieldName.of("_UNIQUE_KEY_QUERY");
    private static final FieldName INDEX_LAST_UPDATE_TIMESTAMP = FieldName.of("indexLastUpdateTimestamp");
    private static final FieldName INDEX_LAST_UPDATE_PHYOFFSET = FieldName.of("indexLastUpdatePhyoffset");

    private QueryMessage() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param key one key of the property KEYS, or a unique id
     * @param maxNum most messages wanted, at least 1
     * @param beginTimestamp earliest store time in milliseconds since 1970
     * @param endTimestamp latest store time, itself included
     * @param unique whether only messages with this unique id are wanted
     */
    public record Request(String topic, String key, int maxNum, long beginTimestamp, long endTimestamp, boolean unique)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            int maxNum = header.integer(MAX_NUM);
            if (maxNum < 1) {
                throw InvalidFieldException.of(MAX_NUM.text(), String.valueOf(maxNum), "at least 1");
            }
            return new Request(
                    header.string(TOPIC),
                    header.string(KEY),
                    maxNum,
                    header.number(BEGIN_TIMESTAMP),
                    header.number(END_TIMESTAMP),
                    isUnique(header));
        }

        /** Every client sends the flag; those of 5.x may name the kind of key as well. */
        private static boolean isUnique(CommandHeader header) {
            String type = header.string(INDEX_TYPE, "");
            return switch (type) {
                case "U" -> true;
                case "", "K" -> header.flag(UNIQUE_KEY_QUERY, false);
                default -> throw InvalidFieldException.of(INDEX_TYPE.text(), type, "K or U");
            };
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(KEY, key);
            out.field(MAX_NUM, maxNum);
            out.field(BEGIN_TIMESTAMP, beginTimestamp);
            out.field(END_TIMESTAMP, endTimestamp);
            out.field(UNIQUE_KEY_QUERY, unique);
        }
    }

    /**
     * The response header.
     *
     * @param indexLastUpdateTimestamp up to when the answer is complete, milliseconds since 1970
     * @param indexLastUpdatePhyoffset the log position up to which the answer is complete
     */
    public record Response(long indexLastUpdateTimestamp, long indexLastUpdatePhyoffset) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.number(INDEX_LAST_UPDATE_TIMESTAMP), header.number(INDEX_LAST_UPDATE_PHYOFFSET));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(INDEX_LAST_UPDATE_TIMESTAMP, indexLastUpdateTimestamp);
            out.field(INDEX_LAST_UPDATE_PHYOFFSET, indexLastUpdatePhyoffset);
        }
    }
}
