package io.anser.broker.replication;

import io.anser.store.file.StoreException;
import io.anser.store.log.LogCopy;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogSource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log in memory: records of a fixed size that carry a chained number in the place of a checksum, some of which are on the
 * device. It is a primary's or a copy, as the test wants.
 */
final class FakeLog implements LogSource, LogCopy {
    static final int RECORD_BYTES = 16;
    static final int SEGMENT_BYTES = 1 << 20;

    private final List<Stored> records = new ArrayList<>();
    private int durableRecords;
    private long committed;
    private Runnable onDurable = () -> {};
    private @Nullable Runnable waiting;
    private int goneRecords;

    /** Term and chained number of a record. */
    record Stored(long term, int crc) {}

    /** What the next record of a term would be. */
    void add(long term, int salt) {
        int before = records.isEmpty() ? 0 : records.get(records.size() - 1).crc();
        records.add(new Stored(term, 31 * before + salt * 7 + (int) term + 1));
    }

    List<Stored> records() {
        return records;
    }

    void force() {
        durableRecords = records.size();
        onDurable.run();
    }

    /** Loses what was not forced. */
    void losePower() {
        while (records.size() > durableRecords) {
            records.remove(records.size() - 1);
        }
        waiting = null;
        onDurable = () -> {};
    }

    void commitAsFarAs(long limit) {
        committed = Math.max(committed, Math.min(limit, durable()));
    }

    void forgetBefore(long position) {
        goneRecords = (int) (position / RECORD_BYTES);
    }

    /** Writes what was handed over. */
    void write() {
        Runnable work = waiting;
        waiting = null;
        if (work != null) {
            work.run();
        }
    }

    boolean isWriting() {
        return waiting != null;
    }

    @Override
    public int segmentBytes() {
        return SEGMENT_BYTES;
    }

    @Override
    public long minPosition() {
        return (long) goneRecords * RECORD_BYTES;
    }

    @Override
    public long durable() {
        return (long) durableRecords * RECORD_BYTES;
    }

    @Override
    public long committed() {
        return committed;
    }

    @Override
    public boolean holds(LogPoint point) {
        int index = (int) point.index();
        return index == 0 || (index <= durableRecords && records.get(index - 1).crc() == point.crc());
    }

    @Override
    public Optional<ByteBuffer> read(long position, int bytesMax) {
        int from = (int) (position / RECORD_BYTES);
        if (from < goneRecords || from >= durableRecords) {
            return Optional.empty();
        }
        int count = Math.max(1, Math.min(durableRecords - from, bytesMax / RECORD_BYTES));
        ByteBuffer bytes = ByteBuffer.allocate(count * RECORD_BYTES);
        for (Stored record : records.subList(from, from + count)) {
            bytes.putLong(record.term()).putInt(record.crc()).putInt(0);
        }
        return Optional.of(bytes.flip());
    }

    @Override
    public LogPoint end() {
        int size = records.size();
        Stored last = size == 0 ? new Stored(0, 0) : records.get(size - 1);
        long end = (long) size * RECORD_BYTES;
        return new LogPoint(end, last.term(), size, last.crc(), 0, Math.max(0, end - RECORD_BYTES));
    }

    @Override
    public long shown() {
        return Math.min(committed, durable());
    }

    @Override
    public void append(ByteBuffer bytes, Consumer<@Nullable StoreException> outcome) {
        if (waiting != null) {
            throw new AssertionError("handed over while something is written");
        }
        List<Stored> taken = new ArrayList<>();
        for (ByteBuffer left = bytes.duplicate(); left.hasRemaining(); left.getInt()) {
            taken.add(new Stored(left.getLong(), left.getInt()));
        }
        waiting = () -> {
            records.addAll(taken);
            outcome.accept(null);
        };
    }

    @Override
    public void committed(long position) {
        committed = Math.max(committed, position);
    }

    @Override
    public void onDurable(Runnable listener) {
        onDurable = listener;
    }
}
