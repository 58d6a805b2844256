package io.anser.store.key;

import io.anser.store.log.CommitLog;
import io.anser.store.log.OlderLog;

/**
 * Reads a part of what lies before the first record, whose keys are not in any file: the log of an adopted store. Owned by
 * the owner of the index.
 */
final class OlderRebuild {
    private final RecordKeys records;
    private final KeyLimits limits;
    private final OlderLog.Walk walk;
    private final long until;
    private MemoryRun run;
    private boolean stands;

    /** Fills the last piece of the gap {@code [from, until)}, because what is new is asked for most. */
    OlderRebuild(CommitLog log, RecordKeys records, KeyLimits limits, long from, long until) {
        this.records = records;
        this.limits = limits;
        this.until = until;
        long start = Math.max(from, until - limits.pieceBytes());
        this.run = new MemoryRun(start);
        this.walk = log.older().walk(start);
        this.stands = walk.next();
    }

    /** Takes some messages; true when the run is to be published. */
    boolean step(int count) {
        for (int message = 0; message < count && !isDone() && !limits.isFull(run); message++) {
            records.takeOlder(walk.position(), walk.bytes(), run);
            stands = walk.next();
        }
        run.showUntil(covered());
        return isDone() || limits.isFull(run);
    }

    private boolean isDone() {
        return !stands || walk.position() >= until;
    }

    MemoryRun run() {
        return run;
    }

    /** Everything before it is in the run, or is no message. */
    long covered() {
        return isDone() ? until : walk.position();
    }

    /** Begins the next run after one was published; false when all is done. */
    boolean turn() {
        run = new MemoryRun(covered());
        return !isDone();
    }
}
