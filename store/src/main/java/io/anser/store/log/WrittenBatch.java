package io.anser.store.log;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Units that the log writer has written (or failed) in one go, and the place in the log behind them. A batch belongs to the
 * writer until it is handed over, then to the committing thread until it is handed back; see {@link WrittenBatches}.
 */
final class WrittenBatch {
    /** Most units in a batch. */
    private static final int UNITS_MAX = 1024;

    private final @Nullable Append[] units = new Append[UNITS_MAX];
    private int count;
    private long bytes;
    private LogPoint end = LogPoint.START;
    private final BatchNotes notes = new BatchNotes();

    void add(Append unit) {
        units[count++] = unit;
        bytes += unit.totalBytes();
    }

    boolean isFull() {
        return count == UNITS_MAX;
    }

    int count() {
        return count;
    }

    /** Bytes of the units, as the door counted them. */
    long bytes() {
        return bytes;
    }

    Append unit(int at) {
        return Objects.requireNonNull(units[at]);
    }

    void endAt(LogPoint point) {
        end = point;
    }

    /** The place behind the last record that holds units of this batch. */
    LogPoint end() {
        return end;
    }

    /** What was noted of its messages. */
    BatchNotes notes() {
        return notes;
    }

    void clear() {
        Arrays.fill(units, 0, count, null);
        count = 0;
        bytes = 0;
    }
}
