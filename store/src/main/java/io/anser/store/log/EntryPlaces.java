package io.anser.store.log;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record of an entry. A few places are remembered, one in {@link #APART_BYTES} of the end of the log and one in
 * {@link #FAR_APART_BYTES} of what is older; between them the headers of records lead on, and before the first of them the segments are searched, each of which begins with a record. Any thread
 * finds; the thread that writes the log notes and forgets. What those who find come upon is remembered apart, and only where it
 * is committed: it is never cut, so nobody has to forget it in the very moment.
 */
final class EntryPlaces {
    /** No record of an entry. */
    static final long NONE = -1;

    private static final int APART_BYTES = 64 << 10;
    private static final int FAR_APART_BYTES = 4 << 20;

    /** Places that count as the end of the log: 64 MiB of it. */
    private static final int NEAR_MAX = 1_024;

    /** Most places that are remembered for those who find. */
    private static final int FOUND_MAX = 64;

    private record Place(long index, long position) {}

    private final CommitLog log;
    private final LongSupplier committed;
    private final ConcurrentSkipListMap<Long, Long> known = new ConcurrentSkipListMap<>();

    /** Indexes of the known places at the end of the log, in order. Owned by the thread that writes the log. */
    private final ArrayDeque<Long> near = new ArrayDeque<>();

    /** Each new one takes the place of the oldest. */
    private final AtomicReferenceArray<@Nullable Place> found = new AtomicReferenceArray<>(FOUND_MAX);

    private final AtomicInteger finds = new AtomicInteger();

    /**
     * No place is known yet.
     *
     * @param committed gives the log position before which nothing is cut any more
     */
    EntryPlaces(CommitLog log, LongSupplier committed) {
        this.log = log;
        this.committed = committed;
    }

    /** Takes note of where an entry lies, if the last known place is not near. */
    void note(long index, long position) {
        Map.Entry<Long, Long> last = known.floorEntry(index);
        if (last == null || position - last.getValue() >= APART_BYTES || position < last.getValue()) {
            known.put(index, position);
            near.addLast(index);
            if (near.size() > NEAR_MAX) {
                thinOut(near.removeFirst());
            }
        }
    }

    private void thinOut(long index) {
        Map.Entry<Long, Long> before = known.lowerEntry(index);
        Long position = known.get(index);
        if (before != null && position != null && position - before.getValue() < FAR_APART_BYTES) {
            known.remove(index);
        }
    }

    /** Forgets the entries behind one. */
    void forgetBehind(long index) {
        known.tailMap(index, false).clear();
        while (!near.isEmpty() && near.getLast() > index) {
            near.removeLast();
        }
    }

    /** Forgets the entries before one. Any thread. */
    void forgetBefore(long index) {
        known.headMap(index, false).clear();
    }

    /** Index of the first entry in the log; {@link #NONE} when it has none. */
    long firstIndex() {
        return indexAt(log.minPosition());
    }

    /** Log position of an entry's record; {@link #NONE} when the log does not hold it. */
    long find(long index) {
        long safe = committed.getAsLong(); // before anything is read: what is cut meanwhile lies behind it
        long start = startFor(index);
        long position = start;
        while (position != NONE && position < log.limit()) {
            ByteBuffer bytes = header(position);
            if (!LogRecord.looksLikeHeader(bytes, 0)) {
                return NONE;
            }
            long there = LogRecord.index(bytes, 0);
            boolean rolls = LogRecord.type(bytes, 0) == LogRecord.ROLL;
            if (there == index && !rolls) {
                if (position - start >= APART_BYTES && position < safe) {
                    found(index, position);
                }
                return position;
            }
            if (there > index) {
                return NONE;
            }
            position = rolls
                    ? position - position % log.segmentBytes() + log.segmentBytes()
                    : position + LogRecord.length(bytes, 0);
        }
        return NONE;
    }

    private void found(long index, long position) {
        found.set(Math.floorMod(finds.getAndIncrement(), FOUND_MAX), new Place(index, position));
    }

    /** Where the search for an entry begins: at the nearest place before it that is still there. */
    private long startFor(long index) {
        Map.Entry<Long, Long> noted = known.floorEntry(index);
        long min = log.minPosition();
        long nearest = noted != null && noted.getValue() >= min ? noted.getValue() : NONE;
        for (int i = 0; i < FOUND_MAX; i++) {
            Place place = found.get(i);
            if (place != null && place.index() <= index && place.position() >= min) {
                nearest = Math.max(nearest, place.position());
            }
        }
        return nearest == NONE ? segmentBefore(index) : nearest;
    }

    /** How many places are remembered. */
    int remembered() {
        return known.size() + Math.min(FOUND_MAX, finds.get());
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
