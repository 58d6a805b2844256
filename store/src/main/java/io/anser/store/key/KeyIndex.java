package io.anser.store.key;

import io.anser.store.file.NoSpaceException;
import io.anser.store.file.OwnFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.log.BatchNotes;
import io.anser.store.log.BatchObserver;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogScanner;
import io.anser.store.log.MessageReader;
import io.anser.store.log.Watermarks;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of message keys. A look-up finds every message that was committed before it began, exactly those with the topic
 * and key that are asked for, and only those that readers may have.
 *
 * <p>The log writer notes the keys of what it writes, and the index takes them when they are committed, at a distance, on a
 * worker that the committing thread wakes once per {@link #WAKE_BYTES}; a look-up has it catch up first. What the worker could
 * not take in time it reads from the log. No object is made per message.
 *
 * <p>An entry has 8 bytes: a million messages, each with a unique id and one key, take 16 MB of files. Of a file,
 * the first hash of each block and marks of the time are in memory.
 */
public final class KeyIndex implements BatchObserver {
    /** The files of the index of keys. */
    public static final OwnFiles OWN_FILES = KeyFolder.OWN_FILES;

    private static final Logger LOGGER = LoggerFactory.getLogger(KeyIndex.class);
    /** Growth of the log after which the worker is woken. */
    static final long WAKE_BYTES = 4 << 20;

    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    private static final long WAIT_MILLIS = 100;

    private final CommitLog log;
    private final Watermarks marks;
    private final MessageReader messages;
    private final KeyIndexer indexer;
    private final KeyFeed feed;
    private final Clock clock;
    private final Executor worker;
    private final FaultHandler faults;

    /** Wake-ups that the worker has not seen; it runs while there are any. */
    private final AtomicInteger wakeUps = new AtomicInteger();

    private final Object progress = new Object();
    private volatile boolean stopped;

    /** Written by the worker: how often it failed, and why the last time. */
    private final AtomicInteger failures = new AtomicInteger();

    private volatile @Nullable Exception lastFailure;

    /** Owned by the worker: whether the last work found no room, which is told once. */
    private boolean withoutRoom;

    /** Owned by the committing thread. */
    private long wokenAt;

    /** Owned by the committing thread. */
    private boolean wasHalfFull;

    private KeyIndex(
            CommitLog log,
            Watermarks marks,
            MessageReader messages,
            KeyIndexer indexer,
            KeyFeed feed,
            Clock clock,
            Executor worker,
            FaultHandler faults) {
        this.log = log;
        this.marks = marks;
        this.messages = messages;
        this.indexer = indexer;
        this.feed = feed;
        this.clock = clock;
        this.worker = worker;
        this.faults = faults;
    }

    /**
     * Opens the index of a recovered log. What is missing is built in the background.
     *
     * @param end where the log ends
     * @param memoryBytes what the newest keys may take before they are written to a file
     * @param worker runs the index's work; never more than one task of it at a time
     * @param faults told when a file cannot be written; it is tried again with the next wake-up
     */
    public static KeyIndex open(
            Storage storage,
            CommitLog log,
            Watermarks marks,
            LogPoint end,
            MessageReader messages,
            long memoryBytes,
            Clock clock,
            Executor worker,
            FaultHandler faults)
            throws IOException {
        KeyLimits limits = KeyLimits.of(memoryBytes);
        KeyFolder folder = new KeyFolder(storage);
        List<KeyFile> files = usable(folder, log, end.position());
        long tail = files.isEmpty()
                ? log.minPosition()
                : files.get(files.size() - 1).until();
        tail = Math.max(tail, log.minPosition());
        LogScanner live = end.position() - tail > limits.tailBytes()
                ? new LogScanner(log, end)
                : LogScanner.within(log, tail, end.position());
        KeyRuns runs = new KeyRuns(files, new MemoryRun(live.point().position()));
        KeyFeed feed = new KeyFeed();
        KeyIndexer indexer = new KeyIndexer(log, marks, folder, limits, runs, feed, live, end.position());
        KeyIndex index = new KeyIndex(log, marks, messages, indexer, feed, clock, worker, faults);
        index.wokenAt = end.position();
        if (runs.missingBytes(log.readableFrom()) > 0) {
            index.wake();
        }
        return index;
    }

    /** The files that belong to this log; the others are deleted. */
    private static List<KeyFile> usable(KeyFolder folder, CommitLog log, long end) throws IOException {
        List<KeyFile> found = folder.open();
        found.sort(Comparator.comparingLong(KeyFile::from)
                .thenComparing(Comparator.comparingLong(KeyFile::until).reversed()));
        List<KeyFile> usable = new ArrayList<>();
        long covered = log.readableFrom();
        for (KeyFile file : found) {
            // A file that lies within an earlier one was merged into it before its deletion became durable.
            boolean fits = file.until() > covered && (usable.isEmpty() || file.from() >= covered);
            if (fits && file.until() <= end && file.belongsTo(log)) {
                usable.add(file);
                covered = file.until();
            } else {
                folder.remove(file);
            }
        }
        return usable;
    }

    @Override
    public void committed(BatchNotes notes, LogPoint end) {
        feed.offer(notes, end);
        boolean isHalfFull = feed.isHalfFull();
        if (isHalfFull && !wasHalfFull) {
            wake(); // once: a worker that cannot go on is woken again as the log grows, not for each batch
        }
        wasHalfFull = isHalfFull;
        if (end.position() - wokenAt >= WAKE_BYTES) {
            wokenAt = end.position();
            wake();
        }
    }

    /**
     * Finds messages. May wait for the index to catch up, and for the disk; not for the event loops.
     *
     * @return the messages found, newest first, each from position to limit
     * @throws StoreException BUSY when the part of the index that matters is still being built, IO when it cannot be
     */
    public List<ByteBuffer> find(KeyQuery query) {
        long committed = marks.committed();
        long deadline = clock.nanos() + WAIT_NANOS_MAX;
        int failuresBefore = failures.get();
        while (true) {
            boolean failed = failures.get() != failuresBefore; // before the look: what it finds counts, whatever failed
            KeyRuns runs = indexer.runs();
            if (runs.active().until() >= committed) {
                KeySearch search = new KeySearch(query, messages, log.readableFrom());
                switch (search.over(runs)) {
                    case COMPLETE -> {
                        return search.found();
                    }
                    case DAMAGED -> search.damaged().ifPresent(indexer::foundDamage);
                    case OUTDATED, GAP -> {}
                }
            }
            if (failed) {
                throw outOfDate();
            }
            awaitProgress(runs, wake(), deadline);
        }
    }

    private StoreException outOfDate() {
        Exception failure = lastFailure;
        String what = "the key index cannot be brought up to date";
        return failure == null
                ? new StoreException(StoreException.Kind.IO, what)
                : new StoreException(StoreException.Kind.IO, what + ": " + failure.getMessage(), failure);
    }

    @SuppressWarnings("WaitNotInLoop") // the caller's loop looks again, whatever woke it
    private void awaitProgress(KeyRuns seen, boolean woken, long deadline) {
        if (stopped) {
            throw new StoreException(StoreException.Kind.CLOSED, "the store is closed");
        }
        if (clock.nanos() - deadline > 0) {
            throw new StoreException(
                    StoreException.Kind.BUSY,
                    "the key index is being built, log bytes still to read="
                            + (seen.missingBytes(log.readableFrom())
                                    + Math.max(
                                            0, marks.committed() - seen.active().until()))
                            + "; try again later or narrow the time range");
        }
        try {
            synchronized (progress) {
                if (!woken || wakeUps.get() > 0) {
                    progress.wait(WAIT_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.CLOSED, "interrupted while the key index caught up", e);
        }
    }

    /** Has the worker do what there is to do; false when it takes no task now. */
    private boolean wake() {
        if (wakeUps.getAndIncrement() == 0) {
            try {
                worker.execute(this::run);
            } catch (RejectedExecutionException e) {
                wakeUps.set(0); // busy or closing: the next one who needs something asks again
                return false;
            }
        }
        return true;
    }

    private void run() {
        boolean ended = false;
        try {
            work();
            ended = true;
        } finally {
            if (!ended) {
                wakeUps.set(0); // an Error: the next one who needs something has another worker begin
            }
        }
    }

    private void work() {
        int seen;
        do {
            seen = wakeUps.get();
            try {
                while (!stopped && indexer.doWork()) {
                    tellProgress();
                }
                withoutRoom = false;
            } catch (NoSpaceException e) {
                if (!withoutRoom) {
                    LOGGER.warn("no room for the index of keys, what is missing is tried again with each look-up", e);
                }
                withoutRoom = true;
                failed(e);
            } catch (IOException | RuntimeException e) {
                // The worker's outermost frame. Whatever is missing is tried again with the next wake-up.
                failed(e);
                faults.fault("worker-keys", e);
            }
        } while (wakeUps.addAndGet(-seen) > 0);
        tellProgress();
    }

    private void failed(Exception failure) {
        lastFailure = failure;
        failures.incrementAndGet();
    }

    private void tellProgress() {
        synchronized (progress) {
            progress.notifyAll();
        }
    }

    /** How large the index is and how far it goes. Any thread. */
    public KeyIndexStatus status() {
        KeyRuns runs = indexer.runs();
        long entries = runs.active().count();
        long fileBytes = 0;
        long memoryBytes = runs.active().memoryBytes();
        for (KeyFile file : runs.files()) {
            entries += file.entries();
            fileBytes += file.fileBytes();
            memoryBytes += file.memoryBytes();
        }
        return new KeyIndexStatus(
                entries, runs.files().size(), fileBytes, memoryBytes, runs.missingBytes(log.readableFrom()));
    }

    /** Has the worker end soon, whatever it is doing; look-ups are refused from now on. */
    public void stop() {
        stopped = true;
    }

    /** Writes what is in memory to a file. After {@link #stop}, when no worker runs any more. */
    public void finish() throws IOException {
        indexer.finish();
    }
}
