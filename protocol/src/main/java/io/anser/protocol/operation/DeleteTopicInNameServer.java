package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Removes the routes of a topic from a name server. */
public final class DeleteTopicInNameServer {
    /** Request code. */
    public static final int CODE = 216;

    private static final FieldName TOPIC = FieldName.of("topic");
    private static final FieldName CLUSTER_NAME = FieldName.of("clusterName");

    private DeleteTopicInNameServer() {}

    /**
     * The request header.
     *
     * @param topic topic name
     * @param clusterName cluster to remove it from; empty for all
     */
    public record Request(String topic, String clusterName) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(TOPIC), header.string(CLUSTER_NAME, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(TOPIC, topic);
            out.optional(CLUSTER_NAME, clusterName);
        }
    }
}
