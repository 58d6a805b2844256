package io.anser.protocol.operation;

/**
 * Asks a member of a replicated group how it stands; the response body is a {@link
 * io.anser.protocol.body.GroupMemberStatus}. An operation of ours, which no Apache client knows.
 */
public final class GetGroupStatus {
    /** Request code. */
    public static final int CODE = 30_120;

    private GetGroupStatus() {}
}
