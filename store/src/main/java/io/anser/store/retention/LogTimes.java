package io.anser.store.retention;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When what was stored: a mark for each stretch of the log, of {@link #MARK_MILLIS} or some bytes. Store times never go
 * back along the log, so "older than" is the same as "before a position". Written by the committing thread, which notes
 * every message; any thread asks.
 */
final class LogTimes {
    /** A message expires at most so much later than its time, in milliseconds, or one stretch of bytes. */
    static final long MARK_MILLIS = 60_000;

    private final long markBytes;
    private final Marks marks = new Marks();

    /** The end of the last message and its store time: one more mark, which moves with every message. */
    private final AtomicLong end = new AtomicLong();

    private final AtomicLong lastMillis = new AtomicLong();

    // Owned by the committing thread: from where or when on the next mark is due.
    private long duePosition;
    private long dueMillis;

    /** Times with a mark at least every so many bytes of log. */
    LogTimes(long markBytes) {
        this.markBytes = markBytes;
    }

    /** Notes a message. Committing thread. */
    void stored(long position, int bytes, long storeMillis) {
        if (position >= duePosition || storeMillis >= dueMillis) {
            if (end.get() > 0) {
                marks.add(position, lastMillis.get());
            }
            duePosition = position + markBytes;
            dueMillis = storeMillis + MARK_MILLIS;
        }
        // In this order, so that whoever reads the end first never gets a time that is too early for it.
        lastMillis.lazySet(storeMillis);
        end.lazySet(position + bytes);
    }

    /** A log position before which everything was stored before a time: the last one that is known. */
    long positionOf(long beforeMillis) {
        long endNow = end.get();
        return lastMillis.get() < beforeMillis ? endNow : marks.positionBelow(beforeMillis);
    }

    void forgetBefore(long position) {
        marks.forgetBefore(position);
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(end.get());
        out.writeLong(lastMillis.get());
        out.writeLong(duePosition);
        out.writeLong(dueMillis);
        marks.write(out);
    }

    void read(DataInput in) throws IOException {
        end.set(in.readLong());
        lastMillis.set(in.readLong());
        duePosition = in.readLong();
        dueMillis = in.readLong();
        marks.read(in);
    }
}
