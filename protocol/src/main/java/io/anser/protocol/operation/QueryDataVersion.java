package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a name server whether a broker's topics changed since its last registration; the request body is a data version, the response body the name server's one. */
public final class QueryDataVersion {
    /** Request code. */
    public static final int CODE = 322;

    private static final FieldName BROKER_NAME = FieldName.of("brokerName");
    private static final FieldName BROKER_ADDR = FieldName.of("brokerAddr");
    private static final FieldName CLUSTER_NAME = FieldName.of("clusterName");
    private static final FieldName BROKER_ID = FieldName.of("brokerId");
    private static final FieldName CHANGED = FieldName.of("changed");

    private QueryDataVersion() {}

    /**
     * The request header.
     *
     * @param brokerName name of the broker group
     * @param brokerAddr the broker's {@code host:port}
     * @param clusterName name of the cluster
     * @param brokerId 0 for the master, others for replicas
     */
    public record Request(String brokerName, String brokerAddr, String clusterName, long brokerId)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(BROKER_NAME),
                    header.string(BROKER_ADDR),
                    header.string(CLUSTER_NAME),
                    header.number(BROKER_ID));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(BROKER_NAME, brokerName);
            out.field(BROKER_ADDR, brokerAddr);
            out.field(CLUSTER_NAME, clusterName);
            out.field(BROKER_ID, brokerId);
        }
    }

    /**
     * The response header.
     *
     * @param changed whether the broker should register again
     */
    public record Response(boolean changed) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.flag(CHANGED));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CHANGED, changed);
        }
    }
}
