package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a name server for the topics of a cluster; the response body is a topic list. */
public final class GetTopicsByCluster {
    /** Request code. */
    public static final int CODE = 224;

    private static final FieldName CLUSTER = FieldName.of("cluster");

    private GetTopicsByCluster() {}

    /**
     * The request header.
     *
     * @param cluster name of the cluster
     */
    public record Request(String cluster) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(CLUSTER));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CLUSTER, cluster);
        }
    }
}
