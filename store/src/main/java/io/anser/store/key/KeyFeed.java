package io.anser.store.key;

import io.anser.store.log.BatchNotes;
import io.anser.store.log.LogPoint;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings the keys of committed batches from the committing thread to the owner of the index. A batch that finds no room is left
 * out: the owner sees the gap and reads the log instead, so the committing thread never waits.
 *
 * <p>A ring of longs. A batch lies in it as its head (first position, position behind it, store time, position of its last record,
 * that record's checksum, number of entries) and its entries.
 */
final class KeyFeed {
    private static final int LONGS = 1 << 16;
    private static final int HEAD_LONGS = 6;
    private static final long NONE = Long.MAX_VALUE;

    private final long[] ring = new long[LONGS];

    /** Where the oldest batch lies; moved by the owner of the index. */
    private final AtomicLong head = new AtomicLong();

    /** Where the next batch will lie; moved by the committing thread. */
    private final AtomicLong tail = new AtomicLong();

    /** Hands a batch over, if anything of it was stored, all notes were kept, and there is room. Committing thread. */
    void offer(BatchNotes notes, LogPoint end) {
        long at = tail.get();
        int longs = HEAD_LONGS + notes.count();
        if (notes.from() == end.position() || !notes.isComplete() || at + longs - head.get() > LONGS) {
            return;
        }
        put(at, notes.from());
        put(at + 1, end.position());
        put(at + 2, end.storeTimestamp());
        put(at + 3, end.recordPosition());
        put(at + 4, end.crc());
        put(at + 5, notes.count());
        for (int note = 0; note < notes.count(); note++) {
            put(at + HEAD_LONGS + note, notes.get(note));
        }
        tail.set(at + longs);
    }

    /** Whether the owner should take something soon. */
    boolean isHalfFull() {
        return tail.get() - head.get() > LONGS / 2;
    }

    /** Where the oldest batch begins that a run does not reach into; Long.MAX_VALUE without one. Owner of the index. */
    long nextFrom(MemoryRun run) {
        long at = head.get();
        long end = tail.get();
        while (at < end && get(at) < run.until()) {
            at += HEAD_LONGS + get(at + 5);
        }
        head.set(at);
        return at < end ? get(at) : NONE;
    }

    /** Takes the oldest batch into a run that ends where it begins. Owner of the index. */
    void take(MemoryRun run) {
        long at = head.get();
        long from = get(at);
        run.marks().saw(from, get(at + 2));
        long entriesAt = at + HEAD_LONGS;
        long end = entriesAt + get(at + 5);
        for (long entry = entriesAt; entry < end; entry++) {
            run.add(KeyEntry.hash(get(entry)), from + KeyEntry.relativePosition(get(entry)));
        }
        run.tookRecord(get(at + 3), (int) get(at + 4));
        run.showUntil(get(at + 1));
        head.set(end);
    }

    private void put(long at, long value) {
        ring[(int) (at & (LONGS - 1))] = value;
    }

    private long get(long at) {
        return ring[(int) (at & (LONGS - 1))];
    }
}
