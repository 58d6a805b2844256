package io.anser.protocol.operation;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderWriter;

/** Tells a name server, every 30 seconds, where a broker is and which topics it has; the request body is the register body. */
public final class RegisterBroker {
    /** Request code. */
    public static final int CODE = 103;

    private static final FieldName BROKER_NAME = FieldName.of("brokerName");
    private static final FieldName BROKER_ADDR = FieldName.of("brokerAddr");
    private static final FieldName CLUSTER_NAME = FieldName.of("clusterName");
    private static final FieldName HA_SERVER_ADDR = FieldName.of("haServerAddr");
    private static final FieldName BROKER_ID = FieldName.of("brokerId");
    private static final FieldName HEARTBEAT_TIMEOUT_MILLIS = FieldName.of("heartbeatTimeoutMillis");
    private static final FieldName ENABLE_ACTING_MASTER = FieldName.of("enableActingMaster");
    private static final FieldName COMPRESSED = FieldName.of("compressed");
    private static final FieldName BODY_CRC32 = FieldName.of("bodyCrc32");
    private static final FieldName MASTER_ADDR = FieldName.of("masterAddr");

    /** Not known to Apache's name servers, which pass over it. */
    private static final FieldName STANDING = FieldName.of("anserStanding");

    private RegisterBroker() {}

    /** How a broker stands to the leader of its group. */
    public enum Standing {
        /** It has no group, or one without elections. */
        ALONE(""),
        /** It leads, or takes to the leader what only a leader can do. */
        IN_GROUP("in-group"),
        /** It is in a group, and knows no leader. */
        WITHOUT_LEADER("without-leader");

        private final String text;

        Standing(String text) {
            this.text = text;
        }

        private static Standing of(String text) {
            for (Standing each : values()) {
                if (each.text.equals(text)) {
                    return each;
                }
            }
            return ALONE;
        }
    }

    /**
     * The request header.
     *
     * @param brokerName name of the broker group
     * @param brokerAddr the broker's {@code host:port}
     * @param clusterName name of the cluster
     * @param haServerAddr address for replicas, {@code host:port}
     * @param brokerId 0 for the master, others for replicas
     * @param heartbeatTimeoutMillis silence after which the broker counts as gone; 0 lets the name server choose
     * @param enableActingMaster whether a replica may act as master
     * @param compressed whether the body is in its compressed form
     * @param bodyCrc32 CRC-32 of the body; 0 means not to be checked
     * @param standing how the broker stands to the leader of its group
     */
    public record Request(
            String brokerName,
            String brokerAddr,
            String clusterName,
            String haServerAddr,
            long brokerId,
            long heartbeatTimeoutMillis,
            boolean enableActingMaster,
            boolean compressed,
            int bodyCrc32,
            Standing standing)
            implements FieldSource {
        /** A broker without a group. */
        public Request(
                String brokerName,
                String brokerAddr,
                String clusterName,
                String haServerAddr,
                long brokerId,
                long heartbeatTimeoutMillis,
                boolean enableActingMaster,
                boolean compressed,
                int bodyCrc32) {
            this(
                    brokerName,
                    brokerAddr,
                    clusterName,
                    haServerAddr,
                    brokerId,
                    heartbeatTimeoutMillis,
                    enableActingMaster,
                    compressed,
                    bodyCrc32,
                    Standing.ALONE);
        }

        /** Reads the request from a header. */
        public static Request decode(CommandHeader header) {
            return new Request(
                    header.string(BROKER_NAME),
                    header.string(BROKER_ADDR),
                    header.string(CLUSTER_NAME),
                    header.string(HA_SERVER_ADDR),
                    header.number(BROKER_ID),
                    header.number(HEARTBEAT_TIMEOUT_MILLIS, 0),
                    header.flag(ENABLE_ACTING_MASTER, false),
                    header.flag(COMPRESSED, false),
                    header.integer(BODY_CRC32, 0),
                    Standing.of(header.string(STANDING, "")));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.field(BROKER_NAME, brokerName);
            out.field(BROKER_ADDR, brokerAddr);
            out.field(CLUSTER_NAME, clusterName);
            out.field(HA_SERVER_ADDR, haServerAddr);
            out.field(BROKER_ID, brokerId);
            if (heartbeatTimeoutMillis != 0) {
                out.field(HEARTBEAT_TIMEOUT_MILLIS, heartbeatTimeoutMillis);
            }
            out.field(ENABLE_ACTING_MASTER, enableActingMaster);
            out.field(COMPRESSED, compressed);
            if (bodyCrc32 != 0) {
                out.field(BODY_CRC32, bodyCrc32);
            }
            out.optional(STANDING, standing.text);
        }
    }

    /**
     * The response header.
     *
     * @param haServerAddr the master's address for replicas, empty for a master
     * @param masterAddr the master's address, empty for a master
     */
    public record Response(String haServerAddr, String masterAddr) implements FieldSource {
        /** Reads the response from a header. */
        public static Response decode(CommandHeader header) {
            return new Response(header.string(HA_SERVER_ADDR, ""), header.string(MASTER_ADDR, ""));
        }

        @Override
        public void writeTo(HeaderWriter out) {
            out.optional(HA_SERVER_ADDR, haServerAddr);
            out.optional(MASTER_ADDR, masterAddr);
        }
    }
}
