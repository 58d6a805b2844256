package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.frame.InvalidFieldException;
import io.anser.protocol.frame.ProtocolException;
import java.util.Locale;

/** Asks a broker for the queue offset at a store time. */
public final class SearchOffsetByTimestamp {
    /** Request code. */
    public static final int CODE = 29;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName QUEUE_ID = FieldName.of("queueId");
    private static final FieldName TIMESTAMP = FieldName.of("timestamp");
    private static final FieldName BOUNDARY_TYPE = FieldName.of("boundaryType");
    private static final FieldName OFFSET = FieldName.of("offset");

    private SearchOffsetByTimestamp() {}

    /** Which message is meant when several have the same store time. */
    public enum Boundary {
        /** The first of them (default). */
        LOWER,
        /** The last of them. */
        UPPER;

        private static Boundary decode(CommandHeader header) {
            String text = header.string(BOUNDARY_TYPE, "lower");
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "lower" -> LOWER;
                case "upper" -> UPPER;
                default -> throw InvalidFieldException.of(BOUNDARY_TYPE.text(), text, "lower or upper");
            };
        }

        private String wireText() {
            return this == LOWER ? "lower" : "upper";
        }
    }

    /**
     * The request header.
     *
     * @param topic topic name
     * @param queueId queue of the topic, from 0
     * @param timestamp store time in milliseconds since 1970
     * @param boundary which of several messages with this time
     */
    public record Request(String topic, int queueId, long timestamp, Boundary boundary) implements FieldSource {
        /**
         * Reads the request from a header.
         *
         * @throws ProtocolException if it asks for an offset in a lite topic
         */
        public static Request decode(CommandHeader header) {
            LiteTopicField.requireNone(header);
            return new Request(
                    header.string(TOPIC), header.integer(QUEUE_ID), header.number(TIMESTAMP), Boundary.decode(header));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.field(QUEUE_ID, queueId);
            out.field(TIMESTAMP, timestamp);
            out.field(BOUNDARY_TYPE, boundary.wireText());
        }
    }

    /**
     * The response header.
     *
     * @param offset first queue offset stored at or after the time; the next queue offset when all are older
     */
    public record Response(long offset) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.number(OFFSET));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(OFFSET, offset);
        }
    }
}
