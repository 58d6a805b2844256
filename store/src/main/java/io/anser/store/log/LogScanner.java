package io.anser.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

    /** Everything before it was on the device, by the word of a snapshot or of a record. */
    private long promised;

    /** Records from here on are not checksummed. */
    private long trustedFrom = Long.MAX_VALUE;

    private boolean searched;

    /** Whether the next record must follow the one before; not behind damage. */
    private boolean chained = true;

    /** Where the log was sound for the last time; what comes behind damage must be possible after it. */
    private LogPoint sound;

    /** A scanner whose first record is the one at a point. */
    public LogScanner(CommitLog log, LogPoint from) {
        this(log, from, 0);
    }

    /**
     * A scanner whose first record is the one at a point.
     *
     * @param promised log position before which everything was on the device, as far as others than the log know; 0 for none
     */
    public LogScanner(CommitLog log, LogPoint from, long promised) {
        this.log = log;
        this.point = from;
        this.sound = from;
        this.forcedPosition = from.position();
        this.promised = promised;
    }

    /**
     * A scanner of everything that is kept. Where older segments are gone, the record at the first byte is taken as the first
     * of all.
     *
     * @param from the first byte of the oldest segment
     */
    public static LogScanner ofAll(CommitLog log, LogPoint from, long promised) {
        LogScanner scanner = new LogScanner(log, from, promised);
        scanner.chained = log.hasFirstSegment() || from.index() > 0;
        return scanner;
    }

    /**
     * A scanner of a part of the log that was committed.
     *
     * @param from where a record starts
     * @param until the end of the part, where a record or a message starts; what does not check out before it is damaged
     */
    public static LogScanner within(CommitLog log, long from, long until) {
        LogScanner scanner = new LogScanner(log, LogPoint.startingAt(from), until);
        scanner.chained = false;
        scanner.searched = true;
        return scanner;
    }

    /**
     * Leaves out the checksums of records from a position on, because this process has written them: a reader that follows
     * the log closely then need not touch most of its bytes.
     *
     * @return this
     */
    public LogScanner trustingFrom(long position) {
        trustedFrom = position;
        return this;
    }

    /** Goes to the next record; false when there is none that fits, and {@link #point} is then the end of the sound log. */
    public boolean next() {
        return next(Long.MAX_VALUE);
    }

    /** Goes to the next record that starts before a position; false when there is none, as {@link #next()} does. */
    public boolean next(long until) {
        long end = Math.min(until, log.limit());
        while (point.position() >= log.minPosition() && point.position() < end) {
            Segment segment = log.segmentAt(point.position());
            int at = (int) (point.position() - segment.base());
            ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
            if (!isRecord(bytes, at) || !follows(segment, bytes, at)) {
                return false;
            }
            take(segment, bytes, at);
            if (type != LogRecord.ROLL) {
                return true;
            }
        }
        return false;
    }

    private boolean isRecord(ByteBuffer bytes, int at) {
        return point.position() < trustedFrom ? LogRecord.isWhole(bytes, at) : LogRecord.looksLikeHeader(bytes, at);
    }

    private boolean follows(Segment segment, ByteBuffer bytes, int at) {
        if (!chained) {
            return new RecordSearch(log, sound).isPlausible(segment, bytes, at);
        }
        boolean rolls = LogRecord.type(bytes, at) == LogRecord.ROLL;
        return LogRecord.previousCrc(bytes, at) == point.crc()
                && LogRecord.term(bytes, at) >= point.term()
                && LogRecord.index(bytes, at) == point.index() + (rolls ? 0 : 1)
                && LogRecord.forcedPosition(bytes, at) <= point.position();
    }

    private void take(Segment segment, ByteBuffer bytes, int at) {
        long position = point.position();
        int length = LogRecord.length(bytes, at);
        chained = true;
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

    /** Whether the record is an entry of the engine that orders a replicated log. */
    public boolean isControl() {
        return type == LogRecord.CONTROL;
    }

    /** Log position of the record's payload. */
    public long payloadPosition() {
        return payloadPosition;
    }

    /** Bytes of the record's payload. */
    public int payloadBytes() {
        return payloadBytes;
    }

    /** Bytes of the whole record. */
    public int recordBytes() {
        return LogRecord.HEADER_BYTES + payloadBytes;
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
     * Behind a record that does not check out: tells whether that is damage to bytes that were on the device, marks them as
     * damaged and goes to the place where the log goes on. Without a proof of that (a record further on that was formed
     * when these bytes were on the device, or the promise given to the constructor) it is a torn tail, and nothing changes.
     *
     * @return what was skipped; empty for a torn tail or the end of the log
     */
    public Optional<Skipped> skipDamage() {
        long end = point.position();
        RecordSearch search = new RecordSearch(log, point);
        if (!searched && end < log.limit() && hasTornTail()) {
            searched = true; // the last word of the whole rest of the log: no need to ask again further on
            promised = Math.max(promised, search.promisedPosition());
        }
        if (promised <= end) {
            return Optional.empty();
        }
        long found = search.nextRecord(promised);
        long next = found == RecordSearch.NONE ? promised : found;
        log.markDamaged(end, next);
        chained = false;
        sound = point;
        point = new LogPoint(next, point.term(), point.index(), point.crc(), point.storeTimestamp(), next);
        return Optional.of(new Skipped(end, next));
    }

    /** Damaged log positions {@code [from, until)} that a scanner has left out. */
    public record Skipped(long from, long until) {}

    /**
     * Cuts the log at the end of its sound part, durably.
     *
     * @param leftovers what lies wholly behind it; files that are not this log's are set aside
     */
    public void cut(List<Leftover> leftovers) throws IOException {
        Set<Long> aside = leftovers.stream()
                .filter(Leftover::foreign)
                .map(Leftover::position)
                .collect(Collectors.toSet());
        log.cut(point.position(), aside);
    }

    /** Whether there is anything but zeros behind the end of the sound log. */
    public boolean hasTornTail() {
        long end = point.position();
        for (long base = end - end % log.segmentBytes(); base < log.limit(); base += log.segmentBytes()) {
            if (firstByte(bytesOf(base), (int) (Math.max(end, base) - base)) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The first byte from an index on that is not zero; negative when all are. */
    private static int firstByte(ByteBuffer bytes, int from) {
        for (int at = from; at < bytes.limit(); at += ZEROS.capacity()) {
            int length = Math.min(ZEROS.capacity(), bytes.limit() - at);
            int found = bytes.slice(at, length).mismatch(ZEROS.slice(0, length));
            if (found >= 0) {
                return at + found;
            }
        }
        return -1;
    }

    private ByteBuffer bytesOf(long base) {
        Segment segment = log.segmentAt(base);
        return log.mapped(segment, segment.fileBytes());
    }

    /**
     * A file of the log that lies wholly behind the end of the sound log and holds anything but zeros.
     *
     * @param position log position of its first byte
     * @param bytes its size
     * @param foreign whether it holds whole records that this log cannot have written there
     */
    public record Leftover(long position, int bytes, boolean foreign) {}

    /** What {@link #cut} takes away beside the end of the last file, the last file first. */
    public List<Leftover> leftovers() {
        List<Leftover> found = new ArrayList<>();
        long first = (point.position() + log.segmentBytes() - 1) / log.segmentBytes() * log.segmentBytes();
        for (long base = log.limit() - log.segmentBytes(); base >= first && base > log.minPosition(); ) {
            ByteBuffer bytes = bytesOf(base);
            if (firstByte(bytes, 0) >= 0) {
                boolean foreign = new RecordSearch(log, point).hasForeign(log.segmentAt(base), bytes);
                found.add(new Leftover(base, bytes.limit(), foreign));
            }
            base -= log.segmentBytes();
        }
        return found;
    }
}
