package io.anser.store.key;

import io.anser.store.file.NoSpaceException;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogScanner;
import io.anser.store.log.Watermarks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the work of the key index in small steps: follows the committed log, turns full runs into files, builds again what is
 * missing (newest first), merges small files, deletes files of a log that is gone. Owned by one worker at a time; look-ups
 * read {@link #runs()}.
 */
final class KeyIndexer {
    private static final Logger LOGGER = LoggerFactory.getLogger(KeyIndexer.class);

    private static final int STEP_RECORDS = 64;

    /** While its file cannot be written, a run grows to so many times its usual size, and then the index stands still. */
    private static final int UNWRITTEN_TIMES = 8;

    private final CommitLog log;
    private final Watermarks marks;
    private final KeyFolder folder;
    private final KeyLimits limits;
    private final RecordKeys records;
    private final KeyFeed feed;
    private final Queue<KeyFile> damaged = new ConcurrentLinkedQueue<>();
    private volatile KeyRuns runs;

    /** The log from here on was written by this process. */
    private final long ownFrom;

    private LogScanner live;
    private @Nullable KeyRebuild rebuild;
    private @Nullable OlderRebuild olderRebuild;
    private @Nullable KeyMerge merge;

    /** After a file could not be written: where the log must have come to before the next try. */
    private long retryPosition;

    /** Whether the files have changed since there was last nothing to merge. */
    private boolean mergeable = true;

    KeyIndexer(
            CommitLog log,
            Watermarks marks,
            KeyFolder folder,
            KeyLimits limits,
            KeyRuns runs,
            KeyFeed feed,
            LogScanner live,
            long ownFrom) {
        this.log = log;
        this.marks = marks;
        this.folder = folder;
        this.limits = limits;
        this.records = new RecordKeys(log);
        this.runs = runs;
        this.feed = feed;
        this.live = live.trustingFrom(ownFrom);
        this.ownFrom = ownFrom;
    }

    /** What is published. Any thread. */
    KeyRuns runs() {
        return runs;
    }

    /** Has a damaged file replaced. Any thread. */
    void foundDamage(KeyFile file) {
        damaged.add(file);
    }

    /** Does one step of whatever is most wanted; false when there was nothing to do. */
    boolean doWork() throws IOException {
        dropDamaged();
        return catchUp() || dropExpired() || rebuild() || rebuildOlder() || merge();
    }

    /** Takes committed records that are new. */
    boolean catchUp() throws IOException {
        long committed = marks.committed();
        MemoryRun run = runs.active();
        if (run.until() >= committed) {
            return false;
        }
        if (mustTurn(run)) {
            run = turnRun(run);
        }
        skipRemoved(run);
        for (int step = 0; step < STEP_RECORDS && run.until() < committed && !mustTurn(run); step++) {
            long fed = feed.nextFrom(run);
            if (fed == run.until()) {
                feed.take(run);
            } else {
                readRecord(run, committed, Math.min(fed, committed));
            }
        }
        return true;
    }

    /** Takes the next record from the log, because the feed has left it out. */
    private void readRecord(MemoryRun run, long committed, long until) throws IOException {
        if (live.point().position() != run.until()) {
            live = LogScanner.within(log, run.until(), committed).trustingFrom(ownFrom);
        }
        if (live.next(until)) {
            records.take(live, run);
        } else if (live.point().position() < until && live.skipDamage().isEmpty()) {
            throw new IOException(
                    "no record at the committed position=" + live.point().position());
        }
        run.showUntil(live.point().position());
    }

    /** Where retention was quicker, goes on at the first segment that is left: nobody may read what lay before. */
    private void skipRemoved(MemoryRun run) {
        long min = log.minPosition();
        if (run.until() < min) {
            run.showUntil(min);
        }
    }

    private boolean mustTurn(MemoryRun run) {
        return limits.isFull(run) && run.until() >= retryPosition;
    }

    private MemoryRun turnRun(MemoryRun full) throws IOException {
        MemoryRun next = new MemoryRun(full.until());
        try {
            publish(full, full.until(), next);
        } catch (IOException e) {
            if (full.count() >= UNWRITTEN_TIMES * limits.runEntries()
                    || full.until() - full.from() >= UNWRITTEN_TIMES * KeyLimits.RUN_BYTES_MAX) {
                throw e;
            }
            LOGGER.warn("key index file cannot be written, trying again later position={}", full.until(), e);
            retryPosition = full.until() + limits.tailBytes();
            return full;
        }
        return next;
    }

    private void publish(MemoryRun run, long until, MemoryRun active) throws IOException {
        try (KeyFileWriter writer = new KeyFileWriter(folder, KeyFolder.NEW, run.from())) {
            for (long entry : run.sorted()) {
                writer.add(entry);
            }
            KeyFile file = writer.finish(until, run.recordPosition(), run.recordCrc(), run.marks());
            runs = runs.withActive(active).with(file);
            mergeable = true;
        }
    }

    private void dropDamaged() throws IOException {
        KeyFile file;
        while ((file = damaged.poll()) != null) {
            if (!file.isRetired()) {
                LOGGER.warn("key index file damaged, building it again from the log file={}", file.name());
                drop(List.of(file));
            }
        }
    }

    private boolean dropExpired() throws IOException {
        long min = log.readableFrom();
        List<KeyFile> expired = new ArrayList<>();
        for (KeyFile file : runs.files()) {
            if (file.until() <= min) {
                expired.add(file);
            }
        }
        if (expired.isEmpty()) {
            return false;
        }
        drop(expired);
        return true;
    }

    private void drop(List<KeyFile> files) throws IOException {
        KeyMerge merging = merge;
        if (merging != null && merging.inputs().stream().anyMatch(files::contains)) {
            merging.close();
            merge = null;
        }
        runs = runs.without(files);
        mergeable = true;
        for (KeyFile file : files) {
            folder.remove(file);
        }
    }

    private boolean rebuild() throws IOException {
        KeyRebuild current = rebuild;
        if (current == null) {
            long min = log.minPosition();
            long until = runs.newestGapUntil(min);
            if (until < 0) {
                return false;
            }
            current = KeyRebuild.of(log, records, limits, runs.gapFrom(until, min), until);
            rebuild = current;
        }
        if (current.run().from() < log.minPosition()) {
            rebuild = null; // retention was quicker
            return true;
        }
        boolean finished = false;
        try {
            if (current.step(STEP_RECORDS)) {
                publish(current.run(), current.covered(), runs.active());
                finished = !current.turn();
            }
        } catch (IOException | RuntimeException e) {
            finished = true; // it begins again with what is missing then
            throw e;
        } finally {
            if (finished) {
                rebuild = null;
            }
        }
        return true;
    }

    /** Builds what is missing before the first record; called when nothing is missing behind it. */
    private boolean rebuildOlder() throws IOException {
        OlderRebuild current = olderRebuild;
        long min = log.readableFrom();
        long until = runs.newestGapUntil(min);
        if (until < 0 || until > log.firstPosition()) {
            olderRebuild = null;
            return false;
        }
        if (current == null) {
            current = new OlderRebuild(log, records, limits, runs.gapFrom(until, min), until);
            olderRebuild = current;
        }
        olderRebuild = null; // where it fails it begins again with what is missing then
        boolean finished = false;
        if (current.step(STEP_RECORDS)) {
            publish(current.run(), current.covered(), runs.active());
            finished = !current.turn();
        }
        olderRebuild = finished ? null : current;
        return true;
    }

    private boolean merge() throws IOException {
        KeyMerge current = merge;
        if (current == null) {
            Optional<List<KeyFile>> group = mergeable ? KeyMerge.choose(runs.files()) : Optional.empty();
            if (group.isEmpty()) {
                mergeable = false;
                return false;
            }
            current = new KeyMerge(folder, group.get());
            merge = current;
        }
        boolean going = false;
        try {
            going = !current.step();
            if (!going) {
                KeyFile merged = current.finish();
                runs = runs.without(current.inputs()).with(merged);
                for (KeyFile input : current.inputs()) {
                    folder.remove(input);
                }
            }
        } catch (NoSpaceException e) {
            LOGGER.warn("key index files not merged, trying again with the next one", e);
            mergeable = false;
        } catch (IOException e) {
            if (current.unreadable().isEmpty()) {
                throw e;
            }
            foundDamage(current.unreadable().get());
        } finally {
            if (!going) {
                merge = null;
                current.close();
            }
        }
        return true;
    }

    /** Writes the run in memory to a file, so that the next start need not read the log. Nothing follows. */
    void finish() throws IOException {
        while (catchUp()) {
            // the rest of what is committed
        }
        KeyMerge merging = merge;
        if (merging != null) {
            merging.close();
        }
        MemoryRun run = runs.active();
        if (run.count() > 0) {
            publish(run, run.until(), new MemoryRun(run.until()));
        }
        for (KeyFile file : runs.files()) {
            file.retire();
        }
    }
}
