package io.anser.store.log;

import io.anser.store.file.NoSpaceException;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueRegistry;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The log of a replicated group as the engine that orders it sees it: numbered entries, each one record of the one log, so
 * that nothing is written twice. It takes the place of {@link LogWriter}.
 *
 * <p>{@link #append}, {@link #force} and {@link #truncateSuffix} are for the appending thread, of which the engine has one; any
 * thread reads. What is committed is never cut; what is not, may be, and nobody but the engine reads it.
 *
 * <p>Records promise no more than what is committed (see {@link LogRecord}): what is cut may leave holes in front of records
 * that were forced, and such a hole must pass for a torn tail and not for damage.
 */
public final class EntryLog {
    /** How often a thread that waits for an entry looks whether it will come at all. */
    private static final long WAIT_MILLIS = 100;

    private final CommitLog log;
    private final Watermarks marks;
    private final Fence fence;
    private final DiskGuard disk;
    private final LogTail tail;
    private final EntryItems items;
    private final EntryPlaces places;
    private final UncommittedEntries uncommitted;
    private final Object written = new Object();
    private volatile Runnable onWritten = () -> {};
    private volatile long firstIndex;
    private volatile long lastIndex;

    /** A log that goes on behind the entries that recovery found. */
    public EntryLog(
            CommitLog log,
            QueueRegistry queues,
            RecoveredEntries found,
            Watermarks marks,
            Fence fence,
            DiskGuard disk,
            Clock clock) {
        this(log, queues, found, marks, fence, disk, clock, ByteBuffer::allocateDirect);
    }

    /** A log that has its memory from somebody. */
    EntryLog(
            CommitLog log,
            QueueRegistry queues,
            RecoveredEntries found,
            Watermarks marks,
            Fence fence,
            DiskGuard disk,
            Clock clock,
            IntFunction<ByteBuffer> memory) {
        this.log = log;
        this.marks = marks;
        this.fence = fence;
        this.disk = disk;
        this.uncommitted = found.entries();
        this.tail =
                new LogTail(log, uncommitted.last(), () -> Math.min(marks.forced(), marks.committed()), clock, memory);
        this.items = new EntryItems(queues);
        this.places = new EntryPlaces(log, marks::committed);
        this.lastIndex = uncommitted.last().index();
        long first = places.firstIndex();
        this.firstIndex = first == EntryPlaces.NONE ? lastIndex + 1 : first;
    }

    /** Index of the first entry; one more than {@link #lastIndex} when there is none. */
    public long firstIndex() {
        return firstIndex;
    }

    /** Index of the last entry; 0 when there never was one. */
    public long lastIndex() {
        return lastIndex;
    }

    /** Log position behind the last entry. Any thread. */
    public long endPosition() {
        return marks.appended();
    }

    /** Term of an entry; 0 when the log does not hold it. Any thread. */
    public long term(long index) {
        long position = index < firstIndex || index > lastIndex ? EntryPlaces.NONE : places.find(index);
        return position == EntryPlaces.NONE ? 0 : LogRecord.term(readable(position), 0);
    }

    /**
     * Reads an entry, as a copy that was checked. Its items may hold what this replica has filled in. Any thread.
     *
     * @return empty when the log does not hold it
     * @throws StoreException IO when it is damaged
     */
    public Optional<LogEntry> read(long index) {
        long position = index < firstIndex || index > lastIndex ? EntryPlaces.NONE : places.find(index);
        if (position == EntryPlaces.NONE) {
            return Optional.empty();
        }
        ByteBuffer there = readable(position);
        ByteBuffer copy = ByteBuffer.allocate(Math.min(there.remaining(), LogRecord.length(there, 0)));
        copy.put(there.limit(copy.capacity())).flip();
        if (!LogRecord.isWhole(copy, 0) || LogRecord.index(copy, 0) != index) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "entry index=" + index + " at position=" + position + " is damaged: " + log.describe(position));
        }
        boolean control = LogRecord.type(copy, 0) != LogRecord.ITEMS;
        return Optional.of(new LogEntry(
                index,
                LogRecord.term(copy, 0),
                control,
                copy.position(LogRecord.HEADER_BYTES).slice()));
    }

    private ByteBuffer readable(long position) {
        return log.readable(position, position - position % log.segmentBytes() + log.segmentBytes());
    }

    /**
     * Writes entries at the end, all or none; {@link #force} makes them durable.
     *
     * @param entries the first has the index behind {@link #lastIndex}
     * @throws StoreException FULL when the device has no room, nothing is written then; REFUSED for an entry that cannot be
     *     one; FENCED after a failure
     */
    public void append(List<LogEntry> entries) {
        requireOpen();
        check(entries);
        uncommitted.committed(marks.committed());
        long before = lastIndex;
        try {
            for (LogEntry entry : entries) {
                place(entry);
            }
            tail.write();
            tail.settle();
        } catch (NoSpaceException e) {
            takeBack(before);
            throw disk.refusedBytes(e);
        } catch (StoreException e) {
            takeBack(before);
            throw e;
        } catch (IOException | RuntimeException e) {
            throw fenced("writing to " + log.describe(tail.position()) + " failed", e);
        }
        marks.appended(tail.position());
        synchronized (written) {
            lastIndex = uncommitted.last().index();
            written.notifyAll();
        }
        onWritten.run();
    }

    /** Has somebody told, on the writing thread, after entries were written; must not block. Called once, before the first. */
    public void onWritten(Runnable listener) {
        onWritten = listener;
    }

    /**
     * Waits until an entry is written: others may have made it committed before this replica has it. Any thread but the one
     * that writes.
     *
     * @throws StoreException FENCED when it will not come
     */
    public void awaitWritten(long index) {
        if (index <= lastIndex) {
            return;
        }
        synchronized (written) {
            while (index > lastIndex) {
                requireOpen();
                try {
                    written.wait(WAIT_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new StoreException(
                            StoreException.Kind.CLOSED, "interrupted while entry index=" + index + " was awaited", e);
                }
            }
        }
    }

    private void check(List<LogEntry> entries) {
        LogPoint before = tail.settled();
        long index = before.index();
        long term = Math.max(1, before.term());
        for (LogEntry entry : entries) {
            if (entry.index() != ++index || entry.term() < term) {
                throw new StoreException(
                        StoreException.Kind.REFUSED,
                        "entry index=" + entry.index() + " term=" + entry.term() + " where index=" + index
                                + " and no term below " + term + " can follow");
            }
            term = entry.term();
            if (entry.payload().remaining() > log.segmentBytes() - 2 * LogRecord.HEADER_BYTES) {
                throw new StoreException(
                        StoreException.Kind.REFUSED, "entry index=" + index + " does not fit into a segment");
            }
            if (!entry.control()) {
                items.check(entry.payload());
            }
        }
    }

    private void place(LogEntry entry) throws IOException {
        ByteBuffer payload = entry.payload().duplicate();
        int bytes = payload.remaining();
        if (!tail.takeMemory(bytes)) {
            throw new StoreException(
                    StoreException.Kind.BUSY,
                    "no memory for an entry of bytes=" + bytes + "; give the process more direct memory");
        }
        tail.openEntry(entry.term(), bytes);
        int from = tail.buffer().position();
        tail.buffer().put(payload);
        if (!entry.control()) {
            items.place(tail, from);
        }
        tail.closeEntry(entry.control() ? LogRecord.CONTROL : LogRecord.ITEMS);
        LogPoint behind = tail.here();
        uncommitted.add(behind);
        places.note(entry.index(), behind.recordPosition());
    }

    /** Makes it as if the entries behind one had never been begun. */
    private void takeBack(long lastIndexKept) {
        try {
            cutBehind(lastIndexKept);
        } catch (IOException | RuntimeException e) {
            throw fenced("taking back what was written to " + log.describe(tail.position()) + " failed", e);
        }
    }

    /** Makes everything that was written durable. */
    public void force() {
        requireOpen();
        int cuts = marks.cuts();
        long until = marks.appended();
        if (until <= marks.forced()) {
            return;
        }
        try {
            log.force(marks.forced(), until);
            marks.forced(until, cuts);
        } catch (IOException e) {
            throw fenced("forcing " + log.describe(until) + " failed", e);
        }
    }

    /**
     * Cuts the entries behind one, durably before it returns, and takes back the queue offsets that they were given.
     *
     * @throws StoreException REFUSED when a committed entry would go
     */
    public void truncateSuffix(long lastIndexKept) {
        requireOpen();
        uncommitted.committed(marks.committed());
        if (lastIndexKept < uncommitted.firmIndex()) {
            throw new StoreException(
                    StoreException.Kind.REFUSED,
                    "entries behind index=" + lastIndexKept + " cannot be cut, index=" + uncommitted.firmIndex()
                            + " is committed");
        }
        try {
            cutBehind(lastIndexKept);
        } catch (IOException | RuntimeException e) {
            throw fenced("cutting the log behind index=" + lastIndexKept + " failed", e);
        }
    }

    private void cutBehind(long lastIndexKept) throws IOException {
        long written = uncommitted.last().position();
        LogPoint end = uncommitted.takeBackBehind(lastIndexKept, tail::record);
        lastIndex = end.index();
        places.forgetBehind(end.index());
        // Not less than a header: a roll may stand there, which the next entry need not cause again.
        log.clear(end.position(), Math.max(written, end.position() + LogRecord.HEADER_BYTES));
        tail.goOnAt(end);
        marks.cut(end.position());
    }

    /**
     * Forgets the entries before one. Their bytes stay until their segments go, and are entries again after a restart before
     * that.
     */
    public void truncatePrefix(long firstIndexKept) {
        long first = Math.min(firstIndexKept, lastIndex + 1);
        if (first > firstIndex) {
            firstIndex = first;
            places.forgetBefore(first);
        }
    }

    /** Index of the entry at the start of a segment; 0 when there is none. */
    long indexAt(long segmentStart) {
        return Math.max(0, places.indexAt(segmentStart));
    }

    private void requireOpen() {
        StoreException reason = fence.reason();
        if (reason != null) {
            throw reason;
        }
    }

    private StoreException fenced(String what, Throwable cause) {
        fence.close("log-writer", what, cause);
        StoreException reason = fence.reason();
        return reason == null ? new StoreException(StoreException.Kind.IO, what, cause) : reason;
    }
}
