package io.anser.store.log;

import io.anser.store.file.NoSpaceException;
import io.anser.store.file.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of a primary into this log where they lie in the primary's, byte for byte, after checking each: length,
 * checksum, chain, term and index. It takes the place of {@link LogWriter}. Owned by the log-writer thread; the methods of
 * {@link LogCopy} are for any.
 */
public final class CopiedLog implements LogCopy {
    private final CommitLog log;
    private final Watermarks marks;
    private final Fence fence;
    private final DiskGuard disk;
    private final EntryCommitter committer;
    private final boolean forcing;
    private volatile LogPoint end;
    private volatile @Nullable Waiting waiting;
    private volatile long told;
    private volatile long committed;
    private volatile Runnable onDurable = () -> {};
    private volatile Runnable onOffer = () -> {};

    private record Waiting(ByteBuffer records, Consumer<@Nullable StoreException> outcome) {}

    /**
     * A log that goes on at a place.
     *
     * @param committer applies what is committed
     * @param forcing whether a record has to be on the device before it counts
     */
    public CopiedLog(
            CommitLog log,
            LogPoint end,
            Watermarks marks,
            Fence fence,
            DiskGuard disk,
            EntryCommitter committer,
            boolean forcing) {
        this.log = log;
        this.end = end;
        this.marks = marks;
        this.fence = fence;
        this.disk = disk;
        this.committer = committer;
        this.forcing = forcing;
    }

    /** Has the threads of the log told that there is something to do. Called once, before there is. */
    void onOffer(Runnable listener) {
        onOffer = listener;
    }

    @Override
    public int segmentBytes() {
        return log.segmentBytes();
    }

    @Override
    public LogPoint end() {
        return end;
    }

    @Override
    public long durable() {
        return forcing ? marks.forced() : marks.appended();
    }

    @Override
    public long shown() {
        return committer.applied().position();
    }

    @Override
    public void append(ByteBuffer records, Consumer<@Nullable StoreException> outcome) {
        if (waiting != null) {
            throw new IllegalStateException("records are handed over before the ones before them are written");
        }
        waiting = new Waiting(records, outcome);
        onOffer.run();
    }

    @Override
    public void committed(long position) {
        committed = Math.max(committed, position);
        onOffer.run();
    }

    @Override
    public void onDurable(Runnable listener) {
        onDurable = listener;
    }

    boolean hasWork() {
        return waiting != null;
    }

    /** Writes what was handed over. */
    boolean doWork() {
        Waiting taken = waiting;
        if (taken == null) {
            return false;
        }
        StoreException failure = write(taken.records());
        waiting = null;
        taken.outcome().accept(failure);
        return true;
    }

    /** Whether something can be committed that is not. Committing thread. */
    boolean hasCommits() {
        return fence.reason() == null && committer.applied().position() < Math.min(committed, durable());
    }

    /** Commits what the primary has, and this log too. Committing thread. */
    boolean commit() {
        if (!hasCommits()) {
            return false;
        }
        committer.commitUntilPosition(Math.min(committed, durable()));
        return true;
    }

    /** Told by the log's threads after each piece of work. */
    void progressed() {
        long now = durable();
        if (now != told) {
            told = now;
            onDurable.run();
        }
    }

    private @Nullable StoreException write(ByteBuffer records) {
        StoreException closed = fence.reason();
        if (closed != null) {
            return closed;
        }
        LogPoint from = end;
        ByteBuffer bytes = records.slice();
        try {
            Checked checked = check(bytes, from);
            log.addSegment(from.position() - from.position() % log.segmentBytes());
            log.write(bytes, from.position());
            end = checked.behind();
            marks.appended(checked.lastRecordEnd());
            return null;
        } catch (NoSpaceException e) {
            return takenBack(from, e);
        } catch (StoreException e) {
            return e;
        } catch (IOException | RuntimeException e) {
            fence.close("log-writer", "writing to " + log.describe(from.position()) + " failed", e);
            return fence.reason();
        }
    }

    private @Nullable StoreException takenBack(LogPoint from, NoSpaceException cause) {
        try {
            log.erase(from.position());
            return disk.refusedBytes(cause);
        } catch (IOException | RuntimeException e) {
            fence.close(
                    "log-writer", "taking back what was written to " + log.describe(from.position()) + " failed", e);
            return fence.reason();
        }
    }

    /**
     * What was found in records.
     *
     * @param behind where the next record belongs: in the next segment behind a roll
     * @param lastRecordEnd the end of the last record that is no roll
     */
    private record Checked(LogPoint behind, long lastRecordEnd) {}

    private Checked check(ByteBuffer bytes, LogPoint from) {
        LogPoint point = from;
        long lastRecordEnd = marks.appended();
        int room = (int) (log.segmentBytes() - from.position() % log.segmentBytes());
        if (bytes.remaining() > room || !bytes.hasRemaining()) {
            throw refused(from, "bytes=" + bytes.remaining() + " where a segment has room for " + room);
        }
        int at = 0;
        while (at < bytes.limit()) {
            boolean rolls = requireFollows(bytes, at, point);
            point = behind(bytes, at, from.position() + at, rolls);
            at += LogRecord.length(bytes, at);
            if (rolls && at < bytes.limit()) {
                throw refused(point, "something behind the last record of a segment");
            }
            lastRecordEnd = rolls ? lastRecordEnd : point.position();
        }
        return new Checked(point, lastRecordEnd);
    }

    private LogPoint behind(ByteBuffer bytes, int at, long position, boolean rolls) {
        return new LogPoint(
                rolls
                        ? position - position % log.segmentBytes() + log.segmentBytes()
                        : position + LogRecord.length(bytes, at),
                LogRecord.term(bytes, at),
                LogRecord.index(bytes, at),
                LogRecord.crc(bytes, at),
                end.storeTimestamp(),
                position);
    }

    /** Whether the record is a roll. */
    private static boolean requireFollows(ByteBuffer bytes, int at, LogPoint point) {
        if (!LogRecord.isWhole(bytes, at)) {
            throw refused(point, "a record that is not whole");
        }
        boolean rolls = LogRecord.type(bytes, at) == LogRecord.ROLL;
        boolean follows = LogRecord.previousCrc(bytes, at) == point.crc()
                && LogRecord.term(bytes, at) >= point.term()
                && LogRecord.index(bytes, at) == point.index() + (rolls ? 0 : 1)
                && LogRecord.forcedPosition(bytes, at) <= point.position();
        if (!follows) {
            throw refused(
                    point,
                    "a record term=" + LogRecord.term(bytes, at) + " index=" + LogRecord.index(bytes, at)
                            + " that does not follow term=" + point.term() + " index=" + point.index());
        }
        return rolls;
    }

    private static StoreException refused(LogPoint point, String what) {
        return new StoreException(StoreException.Kind.REFUSED, "position=" + point.position() + " cannot take " + what);
    }
}
