package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Asks a name server for the members of a broker group; the response body lists their addresses. */
public final class GetBrokerMemberGroup {
    /** Request code. */
    public static final int CODE = 901;

    private static final FieldName CLUSTER_NAME = FieldName.of("clusterName");
    private static final FieldName BROKER_NAME = FieldName.of("brokerName");

    private GetBrokerMemberGroup() {}

    /**
     * The request header.
     *
     * @param clusterName name of the cluster
     * @param brokerName name of the broker group
     */
    public record Request(String clusterName, String brokerName) implements FieldSource {
        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(header.string(CLUSTER_NAME), header.string(BROKER_NAME));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(CLUSTER_NAME, clusterName);
            out.field(BROKER_NAME, brokerName);
        }
    }
}
