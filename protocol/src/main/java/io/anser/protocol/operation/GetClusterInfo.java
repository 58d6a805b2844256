package io.anser.protocol.operation;

/** Asks a name server for all clusters, broker groups and addresses; the response body is a cluster info. */
public final class GetClusterInfo {
    /** Request code. */
    public static final int CODE = 106;

    private GetClusterInfo() {}
}
