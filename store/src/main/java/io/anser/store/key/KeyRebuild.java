package io.anser.store.key;

import io.anser.store.log.CommitLog;
import io.anser.store.log.LogScanner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a part of the log again whose keys are not in any file. Damage is left out up to the next segment. Owned by the owner
 * of the index.
 */
final class KeyRebuild {
    private static final Logger LOGGER = LoggerFactory.getLogger(KeyRebuild.class);

    private final CommitLog log;
    private final RecordKeys records;
    private final KeyLimits limits;
    private final long until;
    private @Nullable LogScanner scanner;
    private MemoryRun run;
    private long covered;

    private KeyRebuild(CommitLog log, RecordKeys records, KeyLimits limits, long from, long until) {
        this.log = log;
        this.records = records;
        this.limits = limits;
        this.until = until;
        this.run = new MemoryRun(from);
        this.covered = from;
        this.scanner = LogScanner.startingAt(log, from).orElse(null);
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

    /** A scanner at the first sound segment start in {@code (position, until)}. */
    static Optional<LogScanner> scannerBehind(CommitLog log, long position, long until) {
        long base = position - position % log.segmentBytes() + log.segmentBytes();
        for (; base < until; base += log.segmentBytes()) {
            Optional<LogScanner> scanner = LogScanner.startingAt(log, base);
            if (scanner.isPresent()) {
                return scanner;
            }
        }
        return Optional.empty();
    }

    /** Reads some records; true when the run is to be published. */
    boolean step(int count) {
        for (int record = 0; record < count && covered < until && !limits.isFull(run); record++) {
            LogScanner current = scanner;
            if (current != null && current.next()) {
                if (current.payloadPosition() < until) {
                    records.take(current, run);
                }
                covered = Math.min(until, current.point().position());
            } else if (current != null && current.point().position() >= until) {
                covered = until; // nothing but the end of a segment was left
            } else {
                skipDamage();
            }
            run.showUntil(covered);
        }
        return covered >= until || limits.isFull(run);
    }

    private void skipDamage() {
        LOGGER.warn("log damaged, its keys up to the next segment are not indexed position={}", covered);
        scanner = scannerBehind(log, covered, until).orElse(null);
        LogScanner next = scanner;
        covered = next == null ? until : next.point().position();
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
