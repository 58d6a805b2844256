package io.anser.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log record by record from a point on and believes nothing: length, checksum, chain, term and index of every
 * record are checked. Used by the recovering thread.
 */
public final class LogScanner {
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(64 << 10).asReadOnlyBuffer();

    private final CommitLog log;
    private LogPoint point;
    private long forcedPosition;
    private byte type;
    private long payloadPosition;
    private int payloadBytes;

    /** A scanner whose first record is the one at a point. */
    public LogScanner(CommitLog log, LogPoint from) {
        this.log = log;
        this.point = from;
        this.forcedPosition = from.position();
    }

    /** A scanner at a record whose predecessor is not known; empty when no whole record starts there. */
    public static Optional<LogScanner> startingAt(CommitLog log, long position) {
        if (position < log.minPosition() || position >= log.limit()) {
            return Optional.empty();
        }
        Segment segment = log.segmentAt(position);
        int at = (int) (position - segment.base());
        ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
        if (!LogRecord.isWhole(bytes, at)) {
            return Optional.empty();
        }
        long before = LogRecord.index(bytes, at) - (LogRecord.type(bytes, at) == LogRecord.ROLL ? 0 : 1);
        LogPoint point = new LogPoint(
                position, LogRecord.term(bytes, at), before, LogRecord.previousCrc(bytes, at), 0, position);
        return Optional.of(new LogScanner(log, point));
    }

    /** Goes to the next record; false when there is none that fits, and {@link #point} is then the end of the sound log. */
    public boolean next() {
        while (point.position() < log.limit()) {
            Segment segment = log.segmentAt(point.position());
            int at = (int) (point.position() - segment.base());
            ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
            if (!LogRecord.isWhole(bytes, at) || !follows(bytes, at)) {
                return false;
            }
            take(segment, bytes, at);
            if (type != LogRecord.ROLL) {
                return true;
            }
        }
        return false;
    }

    private boolean follows(ByteBuffer bytes, int at) {
        boolean rolls = LogRecord.type(bytes, at) == LogRecord.ROLL;
        return LogRecord.previousCrc(bytes, at) == point.crc()
                && LogRecord.term(bytes, at) >= point.term()
                && LogRecord.index(bytes, at) == point.index() + (rolls ? 0 : 1)
                && LogRecord.forcedPosition(bytes, at) <= point.position();
    }

    private void take(Segment segment, ByteBuffer bytes, int at) {
        long position = point.position();
        int length = LogRecord.length(bytes, at);
        type = LogRecord.type(bytes, at);
        forcedPosition = Math.max(forcedPosition, LogRecord.forcedPosition(bytes, at));
        payloadPosition = position + LogRecord.HEADER_BYTES;
        payloadBytes = length - LogRecord.HEADER_BYTES;
        long storeTimestamp = point.storeTimestamp();
        if (type == LogRecord.TERM_START && payloadBytes >= Long.BYTES) {
            storeTimestamp = Math.max(storeTimestamp, bytes.getLong(at + LogRecord.HEADER_BYTES));
        }
        long next = type == LogRecord.ROLL ? segment.base() + log.segmentBytes() : position + length;
        point = new LogPoint(
                next,
                LogRecord.term(bytes, at),
                LogRecord.index(bytes, at),
                LogRecord.crc(bytes, at),
                storeTimestamp,
                position);
    }

    /** Whether the record carries messages and state changes. */
    public boolean hasItems() {
        return type == LogRecord.ITEMS;
    }

    /** Log position of the record's payload. */
    public long payloadPosition() {
        return payloadPosition;
    }

    /** Bytes of the record's payload. */
    public int payloadBytes() {
        return payloadBytes;
    }

    /** The place behind the record. */
    public LogPoint point() {
        return point;
    }

    /** Everything before it is on the device: the records that were read say so, and the point at which reading began. */
    public long forcedPosition() {
        return forcedPosition;
    }

    /** Takes note of the store time of a message in the record. */
    public void sawStoreTimestamp(long millis) {
        point = new LogPoint(
                point.position(),
                point.term(),
                point.index(),
                point.crc(),
                Math.max(point.storeTimestamp(), millis),
                point.recordPosition());
    }

    /** Whether the log still holds the record that a point names as the one before it. */
    public static boolean holds(CommitLog log, LogPoint point) {
        long at = point.recordPosition();
        if (point.index() == 0) {
            return true;
        }
        if (at < log.minPosition() || at >= log.limit()) {
            return false;
        }
        Segment segment = log.segmentAt(at);
        ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
        int offset = (int) (at - segment.base());
        return LogRecord.isWhole(bytes, offset) && LogRecord.crc(bytes, offset) == point.crc();
    }

    /**
     * Looks for a proof that what lies at the end of the sound log is not a torn tail but damage: a whole record further on
     * that was formed when the bytes here were already on the device. Without one, what follows was never acknowledged at
     * durability disk and may be cut.
     *
     * @return a description of that record
     */
    public Optional<String> evidenceOfDamage() {
        long end = point.position();
        for (long base = end - end % log.segmentBytes(); base < log.limit(); base += log.segmentBytes()) {
            Segment segment = log.segmentAt(base);
            ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
            String found = evidenceIn(segment, bytes, (int) (Math.max(end, base) - base), end);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private @Nullable String evidenceIn(Segment segment, ByteBuffer bytes, int from, long end) {
        int at = from;
        while (at + LogRecord.HEADER_BYTES <= bytes.limit()) {
            if (bytes.getLong(at) == 0) {
                at += Long.BYTES - Integer.BYTES + 1; // nothing starts with a length of zero
            } else if (LogRecord.looksLikeHeader(bytes, at)
                    && LogRecord.forcedPosition(bytes, at) > end
                    && LogRecord.index(bytes, at) > point.index()
                    && LogRecord.isWhole(bytes, at)) {
                return "record index=" + LogRecord.index(bytes, at) + " at position=" + (segment.base() + at)
                        + " is whole and says that all before position=" + LogRecord.forcedPosition(bytes, at)
                        + " was on the device";
            } else {
                at++;
            }
        }
        return null;
    }

    /** Cuts the log at the end of its sound part, durably. */
    public void cut() throws IOException {
        log.cut(point.position());
    }

    /** The file at whose position the sound log ends, as people need it in an error text. */
    public String describeEnd() {
        return log.describe(point.position());
    }

    /** Whether there is anything but zeros behind the end of the sound log. */
    public boolean hasTornTail() {
        long end = point.position();
        for (long base = end - end % log.segmentBytes(); base < log.limit(); base += log.segmentBytes()) {
            Segment segment = log.segmentAt(base);
            ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
            for (int at = (int) (Math.max(end, base) - base); at < bytes.limit(); at += ZEROS.capacity()) {
                int length = Math.min(ZEROS.capacity(), bytes.limit() - at);
                if (bytes.slice(at, length).mismatch(ZEROS.slice(0, length)) >= 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
