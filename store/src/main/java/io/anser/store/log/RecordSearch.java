package io.anser.store.log;

import java.nio.ByteBuffer;

/**
 * Finds the place where the log goes on behind damaged bytes. Nothing there tells where a record starts, and a message may
 * carry bytes that look like one (somebody's backup of a log), so a place counts only when what stands there fits it: a
 * message knows its own log position.
 */
final class RecordSearch {
    /** The log has no record at a place where one was looked for. */
    static final long NONE = -1;

    private final CommitLog log;
    private final LogPoint after;

    /** A search behind a point, the last place that is known to be sound. */
    RecordSearch(CommitLog log, LogPoint after) {
        this.log = log;
        this.after = after;
    }

    /** Whether a whole record starts at an offset of a segment that can be one of this log's behind the point. */
    boolean isPlausible(Segment segment, ByteBuffer bytes, int at) {
        if (!LogRecord.looksLikeHeader(bytes, at)) {
            return false;
        }
        long position = segment.base() + at;
        long records = LogRecord.index(bytes, at) - after.index();
        return LogRecord.term(bytes, at) >= after.term()
                && records >= 0
                && (after.index() == 0 || records <= (position - after.position()) / LogRecord.HEADER_BYTES + 1)
                && LogRecord.forcedPosition(bytes, at) >= 0
                && LogRecord.forcedPosition(bytes, at) <= position
                && LogRecord.isWhole(bytes, at)
                && placement(segment, bytes, at) != Placement.ELSEWHERE;
    }

    /** Whether a segment holds whole records that cannot be this log's behind the point. */
    boolean hasForeign(Segment segment, ByteBuffer bytes) {
        for (int at = 0; at + LogRecord.HEADER_BYTES <= bytes.limit(); ) {
            if (bytes.getLong(at) == 0) {
                at += Long.BYTES - Integer.BYTES + 1; // nothing starts with a length of zero
            } else if (!LogRecord.looksLikeHeader(bytes, at) || !LogRecord.isWhole(bytes, at)) {
                at++;
            } else if (isPlausible(segment, bytes, at)) {
                at += LogRecord.length(bytes, at);
            } else {
                return true;
            }
        }
        return false;
    }

    private enum Placement {
        HERE,
        ELSEWHERE,
        UNKNOWN
    }

    /** What the messages in a whole record say of where it belongs. */
    private static Placement placement(Segment segment, ByteBuffer bytes, int record) {
        if (LogRecord.type(bytes, record) != LogRecord.ITEMS) {
            return Placement.UNKNOWN;
        }
        int end = record + LogRecord.length(bytes, record);
        RecordItems items = new RecordItems().over(bytes, record + LogRecord.HEADER_BYTES, end, segment.base());
        Placement found = Placement.UNKNOWN;
        while (items.next()) {
            found = items.isStateChange() ? found : Placement.HERE;
        }
        return items.isBroken() ? Placement.ELSEWHERE : found;
    }

    /**
     * The start of the whole record around an offset of a segment.
     *
     * @param lowest the least offset that is looked at
     * @return negative when there is none
     */
    static int recordAround(Segment segment, ByteBuffer bytes, int offset, int lowest) {
        for (int at = offset - LogRecord.HEADER_BYTES; at >= lowest; at--) {
            if (LogRecord.looksLikeHeader(bytes, at)
                    && at + LogRecord.length(bytes, at) > offset
                    && LogRecord.isWhole(bytes, at)
                    && placement(segment, bytes, at) == Placement.HERE) {
                return at;
            }
        }
        return -1;
    }

    /**
     * The furthest place before which, by the word of a whole record behind the point, everything was on the device; the
     * point's own position when none says so.
     */
    long promisedPosition() {
        long promised = after.position();
        for (long base = segmentBase(after.position()); base < log.limit(); base += log.segmentBytes()) {
            Segment segment = log.segmentAt(base);
            ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
            int at = (int) Math.max(0, after.position() - base);
            while (at + LogRecord.HEADER_BYTES <= bytes.limit()) {
                if (bytes.getLong(at) == 0) {
                    at += Long.BYTES - Integer.BYTES + 1; // nothing starts with a length of zero
                } else if (isPlausible(segment, bytes, at)) {
                    promised = Math.max(promised, LogRecord.forcedPosition(bytes, at));
                    at += LogRecord.length(bytes, at);
                } else {
                    at++;
                }
            }
        }
        return promised;
    }

    /**
     * The first place behind the point where the log goes on.
     *
     * @param until where a record starts for certain, the last place looked at
     */
    long nextRecord(long until) {
        long next = bySize(until);
        return next == NONE ? bySearch(until) : next;
    }

    /** Behind a record whose payload alone is hurt: its header leads to the next one, which carries its checksum. */
    private long bySize(long until) {
        if (after.position() >= log.limit()) {
            return NONE;
        }
        Segment segment = log.segmentAt(after.position());
        ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
        int at = (int) (after.position() - segment.base());
        if (!LogRecord.looksLikeHeader(bytes, at)) {
            return NONE;
        }
        int next = at + LogRecord.length(bytes, at);
        boolean follows = segment.base() + next <= until
                && isPlausible(segment, bytes, next)
                && LogRecord.previousCrc(bytes, next) == LogRecord.crc(bytes, at);
        return follows ? segment.base() + next : NONE;
    }

    private long bySearch(long until) {
        for (long base = segmentBase(after.position());
                base <= until && base < log.limit();
                base += log.segmentBytes()) {
            Segment segment = log.segmentAt(base);
            ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
            int last = (int) Math.min(bytes.limit() - LogRecord.HEADER_BYTES, until - base);
            int at = (int) Math.max(0, after.position() + 1 - base);
            while (at <= last) {
                if (bytes.getLong(at) == 0) {
                    at += Long.BYTES - Integer.BYTES + 1;
                } else if (isPlausible(segment, bytes, at) && isAnchored(base + at, until)) {
                    return base + at;
                } else {
                    at++;
                }
            }
        }
        return NONE;
    }

    /** Whether a place holds a message that belongs there, or leads in one chain to one, or to the certain start of a record. */
    private boolean isAnchored(long start, long certain) {
        if (start == segmentBase(start)) {
            return true; // a record starts at the first byte of every segment
        }
        long position = start;
        int crc = 0;
        while (position < certain && position < log.limit()) {
            Segment segment = log.segmentAt(position);
            ByteBuffer bytes = log.mapped(segment, segment.fileBytes());
            int at = (int) (position - segment.base());
            boolean chained = position == start
                    || (LogRecord.looksLikeHeader(bytes, at) && LogRecord.previousCrc(bytes, at) == crc);
            if (!chained || !LogRecord.isWhole(bytes, at)) {
                return false;
            }
            Placement placement = placement(segment, bytes, at);
            if (placement != Placement.UNKNOWN) {
                return placement == Placement.HERE;
            }
            crc = LogRecord.crc(bytes, at);
            boolean rolls = LogRecord.type(bytes, at) == LogRecord.ROLL;
            position = rolls ? segment.base() + log.segmentBytes() : position + LogRecord.length(bytes, at);
        }
        return position >= certain;
    }

    private long segmentBase(long position) {
        return position - position % log.segmentBytes();
    }
}
