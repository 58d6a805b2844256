package io.anser.store.log;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Finds the record of an entry. A few places are remembered, one in {@link #APART_BYTES} of log; between them the headers of
 * records lead on, and before the first of them the segments are searched, each of which begins with a record. Any thread
 * finds; the thread that writes the log notes and forgets.
 */
final class EntryPlaces {
    /** No record of an entry. */
    static final long NONE = -1;

    private static final int APART_BYTES = 64 << 10;

    private final CommitLog log;
    private final ConcurrentSkipListMap<Long, Long> known = new ConcurrentSkipListMap<>();

    EntryPlaces(CommitLog log) {
        this.log = log;
    }

    /** Takes note of where an entry lies, if the last known place is not near. */
    void note(long index, long position) {
        Map.Entry<Long, Long> last = known.floorEntry(index);
        if (last == null || position - last.getValue() >= APART_BYTES || position < last.getValue()) {
            known.put(index, position);
        }
    }

    /** Forgets the entries behind one. */
    void forgetBehind(long index) {
        known.tailMap(index, false).clear();
    }

    /** Forgets the entries before one. */
    void forgetBefore(long index) {
        known.headMap(index, false).clear();
    }

    /** Index of the first entry in the log; {@link #NONE} when it has none. */
    long firstIndex() {
        return indexAt(log.minPosition());
    }

    /** Log position of an entry's record; {@link #NONE} when the log does not hold it. */
    long find(long index) {
        Map.Entry<Long, Long> near = known.floorEntry(index);
        long position = near == null ? segmentBefore(index) : near.getValue();
        while (position != NONE && position < log.limit()) {
            ByteBuffer bytes = header(position);
            if (!LogRecord.looksLikeHeader(bytes, 0)) {
                return NONE;
            }
            long found = LogRecord.index(bytes, 0);
            boolean rolls = LogRecord.type(bytes, 0) == LogRecord.ROLL;
            if (found == index && !rolls) {
                note(index, position);
                return position;
            }
            if (found > index) {
                return NONE;
            }
            position = rolls
                    ? position - position % log.segmentBytes() + log.segmentBytes()
                    : position + LogRecord.length(bytes, 0);
        }
        return NONE;
    }

    private ByteBuffer header(long position) {
        return log.readable(position, position - position % log.segmentBytes() + log.segmentBytes());
    }

    /** Start of the last segment whose first entry is not behind an index. */
    private long segmentBefore(long index) {
        long size = log.segmentBytes();
        long low = log.minPosition() / size;
        long high = log.limit() / size - 1;
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            long first = indexAt(middle * size);
            if (first == NONE || first > index) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        long first = indexAt(low * size);
        return first == NONE || first > index ? NONE : low * size;
    }

    /** Index of the entry whose record starts at a position; {@link #NONE} when none does. */
    long indexAt(long position) {
        ByteBuffer bytes = header(position);
        return LogRecord.looksLikeHeader(bytes, 0) ? LogRecord.index(bytes, 0) : NONE;
    }
}
