package io.anser.broker.metadata;

import java.util.Arrays;

/**
 * Messages of one queue that one pop has handed out together: whose turn they are until when. Immutable.
 *
 * <p>A message is named by its place in the lease, so that sets of them are bits of an int.
 */
public final class Lease {
    /** Most messages of one lease. */
    public static final int MAX_MESSAGES = 32;

    /** A lease of nothing: the pop found no message that it wants. */
    public static final Lease NOTHING = new Lease(new long[0], 0, 0, new byte[0], "");

    private static final byte[] UNORDERED = {};

    private final long[] offsets;
    private final long popMillis;
    private final long visibleMillis;
    private final byte[] attempts;
    private final String attemptId;

    /**
     * Makes a lease.
     *
     * @param offsets queue offsets, rising; not changed any more
     * @param popMillis wall time of the pop
     * @param visibleMillis wall time at which what is not settled is visible again
     * @param attempts how often each message was delivered before, for a lease in order; else empty
     * @param attemptId the name that the client gave the pop, for a lease in order; may be empty
     */
    public Lease(long[] offsets, long popMillis, long visibleMillis, byte[] attempts, String attemptId) {
        if (offsets.length > MAX_MESSAGES || (attempts.length > 0 && attempts.length != offsets.length)) {
            throw new IllegalArgumentException("offsets=" + offsets.length + " attempts=" + attempts.length);
        }
        this.offsets = offsets;
        this.popMillis = popMillis;
        this.visibleMillis = visibleMillis;
        this.attempts = attempts;
        this.attemptId = attemptId;
    }

    /** A lease without order. */
    public static Lease of(long[] offsets, long popMillis, long visibleMillis) {
        return new Lease(offsets, popMillis, visibleMillis, UNORDERED, "");
    }

    /** The queue offsets, rising; not to be changed. */
    public long[] offsets() {
        return offsets;
    }

    /** How many messages were handed out. */
    public int size() {
        return offsets.length;
    }

    /** Wall time of the pop, or of the last change. */
    public long popMillis() {
        return popMillis;
    }

    /** Wall time at which what is not settled is visible again. */
    public long visibleMillis() {
        return visibleMillis;
    }

    /** Whether the queue is out with one member until all of this is settled. */
    public boolean ordered() {
        return attempts.length > 0;
    }

    /** How often each message was delivered before; empty without order; not to be changed. */
    public byte[] attempts() {
        return attempts;
    }

    /** The name that the client gave the pop; may be empty. */
    public String attemptId() {
        return attemptId;
    }

    /** The bits of all messages. */
    public int all() {
        return offsets.length == MAX_MESSAGES ? -1 : (1 << offsets.length) - 1;
    }

    /** The place of a message; negative when it is not among them. */
    public int place(long offset) {
        return Arrays.binarySearch(offsets, offset);
    }

    /** The lease of one of the messages alone, from another pop time on. */
    Lease alone(int place, long newPopMillis, long newVisibleMillis) {
        byte[] count = ordered() ? new byte[] {attempts[place]} : UNORDERED;
        return new Lease(new long[] {offsets[place]}, newPopMillis, newVisibleMillis, count, attemptId);
    }
}
