package io.anser.protocol.operation;

/**
 * Has a member of a replicated group vote again that may have lost what it had confirmed; for the case that all members are
 * like that, as somebody has looked at. Refused by a member that votes anyway, or knows a leader. An operation of ours.
 */
public final class RecoverMember {
    /** Request code. */
    public static final int CODE = 30_124;

    private RecoverMember() {}
}
