package io.anser.store.log;

/**
 * The three log positions that everything else waits for: committed is never beyond appended, and at durability disk never
 * beyond forced. Each has one writer; any thread reads.
 */
public final class Watermarks {
    private volatile long appended;
    private volatile long forced;
    private volatile long committed;

    /** All three at one place: what recovery found is on the device and committed. */
    public Watermarks(long position) {
        appended = position;
        forced = position;
        committed = position;
    }

    /** Of a replicated log: what lies behind the committed position may be cut. */
    public Watermarks(long committedPosition, long forcedPosition) {
        appended = forcedPosition;
        forced = forcedPosition;
        committed = committedPosition;
    }

    /** Everything before it is written. */
    public long appended() {
        return appended;
    }

    /** Everything before it is forced to the device. */
    public long forced() {
        return forced;
    }

    /** Everything before it may be acknowledged and read. */
    public long committed() {
        return committed;
    }

    /** Log writer only. */
    void appended(long position) {
        appended = position;
    }

    /** Flusher only. */
    void forced(long position) {
        forced = position;
    }

    /** Committing thread only. */
    void committed(long position) {
        committed = position;
    }
}
