package io.anser.store.key;

import io.anser.store.log.CommitLog;
import io.anser.store.log.LogScanner;

/**
 * Reads a part of the log again whose keys are not in any file. Damaged parts are left out. Owned by the owner of the index.
 */
final class KeyRebuild {
    private final CommitLog log;
    private final RecordKeys records;
    private final KeyLimits limits;
    private final long until;
    private LogScanner scanner;
    private MemoryRun run;
    private long covered;

    private KeyRebuild(CommitLog log, RecordKeys records, KeyLimits limits, long from, long until) {
        this.log = log;
        this.records = records;
        this.limits = limits;
        this.until = until;
        this.run = new MemoryRun(from);
        this.covered = from;
        this.scanner = LogScanner.within(log, from, until);
    }

    /** Fills the last piece of the gap {@code [from, until)}, because what is new is asked for most; both are places between two records. */
    static KeyRebuild of(CommitLog log, RecordKeys records, KeyLimits limits, long from, long until) {
        long start = from;
        if (until - from > limits.pieceBytes()) {
            long piece = until - limits.pieceBytes();
            start = Math.max(from, piece - piece % log.segmentBytes());
        }
        return new KeyRebuild(log, records, limits, start, until);
    }

    /** Reads some records; true when the run is to be published. */
    boolean step(int count) {
        for (int record = 0; record < count && covered < until && !limits.isFull(run); record++) {
            if (scanner.next(until)) {
                records.take(scanner, run);
            } else if (scanner.point().position() < log.minPosition()) {
                scanner = LogScanner.within(log, log.minPosition(), until); // retention was quicker
            } else if (scanner.point().position() < until) {
                scanner.skipDamage();
            }
            covered = Math.min(until, scanner.point().position());
            run.showUntil(covered);
        }
        return covered >= until || limits.isFull(run);
    }

    MemoryRun run() {
        return run;
    }

    /** Everything before it is in the run, or cannot be read. */
    long covered() {
        return covered;
    }

    /** Begins the next run after one was published; false when all is done. */
    boolean turn() {
        run = new MemoryRun(covered);
        return covered < until;
    }
}
