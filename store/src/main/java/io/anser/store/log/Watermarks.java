package io.anser.store.log;

/**
 * The three log positions that everything else waits for: committed is never beyond appended, and at durability disk never
 * beyond forced. Any thread reads. Appended is written by the thread that writes the log, committed by the committing thread;
 * forced by whoever forces and, in a replicated log, by who cuts it, under the lock of this.
 */
public final class Watermarks {
    private volatile long appended;
    private volatile long forced;
    private volatile long committed;

    /** How often the log was cut. Under the lock. */
    private int cuts;

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

    /** How often the log was cut: asked before bytes are forced, and told when they are. */
    synchronized int cuts() {
        return cuts;
    }

    /** Everything before a position is forced, unless the log was cut meanwhile: other bytes may stand there now. */
    synchronized void forced(long position, int cutsBefore) {
        if (cuts == cutsBefore && position > forced) {
            forced = position;
        }
    }

    /** What lies behind a position is no more. The thread that writes the log only. */
    synchronized void cut(long position) {
        appended = position;
        forced = Math.min(forced, position);
        cuts++;
    }

    /** Committing thread only. */
    void committed(long position) {
        committed = position;
    }
}
