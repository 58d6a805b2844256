package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Tells a name server that a broker stops. */
public final class UnregisterBroker {
    /** Request code. */
    public static final int CODE = 104;

    private static final FieldName BROKER_NAME = FieldName.of("brokerName");
    private static final FieldName BROKER_ADDR = FieldName.of("brokerAddr");
    private static final FieldName CLUSTER_NAME = FieldName.of("clusterName");
    private static final FieldName BROKER_ID = FieldName.of("brokerId");

    private UnregisterBroker() {}

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
}
