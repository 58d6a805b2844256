package io.anser.broker.replication;

import java.util.Set;

/** The private operations between a primary and its replicas. */
public final class ReplicationCodes {
    /** Of {@link FollowRequest}. */
    static final int FOLLOW = 30_112;

    /** Of {@link FetchRequest}. */
    static final int FETCH = 30_113;

    /** A replica says up to where it has everything. */
    static final int ACKNOWLEDGE = 30_114;

    /** A replica with an empty folder asks for the size of segments. */
    static final int SEGMENT_BYTES = 30_115;

    /** All of them: only processes of the cluster may ask. */
    public static final Set<Integer> ALL = Set.of(FOLLOW, FETCH, ACKNOWLEDGE, SEGMENT_BYTES);

    private ReplicationCodes() {}
}
