package io.anser.store.log;

import io.anser.store.queue.StoreTimes;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks what this process has neither written nor replayed before it is handed out for the first time: a file may have been
 * damaged while it lay there. Records are checked whole, as the checksum is that of the record, and some of those behind
 * them too, which brings what a reader asks for next into memory. What is damaged is marked in {@link CommitLog#damage()}.
 */
public final class LogVerifier {
    /** How much is checked at once, at the least: what a reader that goes on asks for next. */
    static final int READ_AHEAD_BYTES = 2 << 20;

    /** A place known to lie between two records is used when it is at most this far before what is asked for. */
    private static final int NEAR_BYTES = 1 << 20;

    /** How far before a message the start of its record is looked for; larger records are found from the segment's start. */
    private static final int RECORD_BYTES_MAX = 32 << 20;

    private final CommitLog log;
    private final ConcurrentHashMap<Long, CheckedRecords> segments = new ConcurrentHashMap<>();
    private volatile long checkedFrom = Long.MAX_VALUE;

    /** A verifier that has checked nothing yet. */
    public LogVerifier(CommitLog log) {
        this.log = log;
    }

    /** Says that this process has checked (or written) everything from a position on, which lies between two records. */
    public void checkedFrom(long position) {
        checkedFrom = position;
    }

    /**
     * Whether the bytes were checked, be they damaged or not. What is older than the segments was checked when it was
     * adopted. Any thread; does not touch the log.
     */
    public boolean isChecked(long position, int bytes) {
        if (position >= checkedFrom || position < log.firstPosition()) {
            return true;
        }
        CheckedRecords known = segments.get(position - position % log.segmentBytes());
        int at = (int) (position % log.segmentBytes());
        return known != null && known.contains(at, at + bytes);
    }

    /**
     * Checks the records that hold some bytes, and some behind them. Waits for the device; not for the event loops.
     *
     * @param bytes from the position on, all in one segment
     * @throws io.anser.store.file.StoreException IO when the position is not in the log or the file cannot be read
     */
    public void check(long position, int bytes) {
        if (isChecked(position, bytes)) {
            return;
        }
        Segment segment = log.segmentAt(position);
        long oldest = log.minPosition();
        segments.keySet().removeIf(base -> base < oldest);
        CheckedRecords known = segments.computeIfAbsent(segment.base(), base -> new CheckedRecords());
        synchronized (known) {
            int at = (int) (position - segment.base());
            if (!known.contains(at, at + bytes)) {
                ByteBuffer file = log.mapped(segment, segment.fileBytes());
                walk(segment, file, known, startBefore(segment, file, known, at), at + bytes);
            }
        }
    }

    /**
     * Store time of a message at a place that an index entry gave; {@link StoreTimes#UNKNOWN} when it is lost. May wait for
     * the device.
     */
    public long storeTimestamp(long position, int size) {
        return isSound(position, size) ? log.storeTimestamp(position) : StoreTimes.UNKNOWN;
    }

    /** Whether bytes of the log are there and not damaged; checks them when that was not done yet. May wait for the device. */
    public boolean isSound(long position, int bytes) {
        if (!log.holds(position) || bytes <= 0) {
            return false;
        }
        check(position, bytes);
        return !log.damage().intersects(position, position + bytes);
    }

    private static int startBefore(Segment segment, ByteBuffer file, CheckedRecords known, int at) {
        int boundary = known.boundaryBefore(at);
        if (at - boundary <= NEAR_BYTES) {
            return boundary;
        }
        int covering = RecordSearch.recordAround(segment, file, at, Math.max(boundary, at - RECORD_BYTES_MAX));
        return covering < 0 ? boundary : covering;
    }

    /** Goes from record to record; whatever does not check out up to the next record is damaged. */
    private void walk(Segment segment, ByteBuffer file, CheckedRecords known, int from, int until) {
        int end = (int) Math.min(log.segmentBytes(), checkedFrom - segment.base());
        int goal = Math.min(end, Math.max(until, from + READ_AHEAD_BYTES));
        int at = from;
        while (at < goal) {
            int next = known.endOf(at);
            if (next == at) {
                next = LogRecord.isWhole(file, at) ? behindRecord(file, at) : behindDamage(segment, at, end);
            }
            at = next;
        }
        known.add(from, at);
    }

    private int behindRecord(ByteBuffer file, int at) {
        return LogRecord.type(file, at) == LogRecord.ROLL ? log.segmentBytes() : at + LogRecord.length(file, at);
    }

    private int behindDamage(Segment segment, int at, int end) {
        long position = segment.base() + at;
        long certain = segment.base() + end;
        long found = new RecordSearch(log, new LogPoint(position, 0, 0, 0, 0, position)).nextRecord(certain);
        long next = found == RecordSearch.NONE ? certain : found;
        log.markDamaged(position, next);
        return (int) (next - segment.base());
    }
}
