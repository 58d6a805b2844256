package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/**
 * Tells a name server that a broker is alive without repeating its topics.
 *
 * <p>Further fields, meant for the controller of other brokers, are ignored.
 */
public final class BrokerHeartbeat {
    /** Request code. */
    public static final int CODE = 904;

    private static final FieldName CLUSTER_NAME = FieldName.of("clusterName");
    private static final FieldName BROKER_ADDR = FieldName.of("brokerAddr");
    private static final FieldName BROKER_NAME = FieldName.of("brokerName");
    private static final FieldName BROKER_ID = FieldName.of("brokerId");

    private BrokerHeartbeat() {}

    /**
     * The request header.
     *
     * @param clusterName name of the cluster
     * @param brokerAddr the broker's {@code host:port}
     * @param brokerName name of the broker group
     * @param brokerId 0 for the master, others for replicas; -1 when the broker does not say
     */
    public record Request(String clusterName, String brokerAddr, String brokerName, long brokerId)
            implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(CLUSTER_NAME),
                    header.string(BROKER_ADDR),
                    header.string(BROKER_NAME),
                    header.number(BROKER_ID, -1));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CLUSTER_NAME, clusterName);
            out.field(BROKER_ADDR, brokerAddr);
            out.field(BROKER_NAME, brokerName);
            if (brokerId != -1) {
                out.field(BROKER_ID, brokerId);
            }
        }
    }
}
