package io.anser.broker.testing;

import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/** A log of state changes that commits when the test says so, and applies what it commits. */
public final class InMemoryLog implements Appender {
    private final BrokerState state;
    private final Queue<Append> waiting = new ArrayDeque<>();
    private boolean holding;
    private boolean refusing;
    private int records;
    private int changes;

    public InMemoryLog(BrokerState state) {
        this.state = state;
    }

    @Override
    public void append(Append append) {
        if (refusing) {
            throw new StoreException(StoreException.Kind.BUSY, "the test's log is busy");
        }
        records++;
        changes += append.items();
        waiting.add(append);
        if (!holding) {
            commit();
        }
    }

    /** From now on nothing is committed until {@link #commit()} or {@link #failAll()}. */
    public void hold() {
        holding = true;
    }

    /** From now on appends are refused as by a full log. */
    public void refuse() {
        refusing = true;
    }

    /** Commits what waits, and everything that comes at once from now on. */
    public void commit() {
        holding = false;
        for (Append append = waiting.poll(); append != null; append = waiting.poll()) {
            for (int item = 0; item < append.items(); item++) {
                apply(append, item);
            }
            append.committed();
        }
    }

    /** Fails what waits. */
    public void failAll() {
        holding = false;
        for (Append append = waiting.poll(); append != null; append = waiting.poll()) {
            append.failed(new StoreException(StoreException.Kind.IO, "the test's log failed"));
        }
    }

    private void apply(Append append, int item) {
        ByteBuffer bytes = ByteBuffer.allocate(append.bytes(item));
        append.encode(item, bytes);
        bytes.flip();
        int size = bytes.getInt();
        int magic = bytes.getInt();
        if (size != bytes.limit() || magic != 0x414E5331) {
            throw new AssertionError("not a state change: size=" + size + " magic=" + magic);
        }
        short kind = bytes.getShort();
        if (kind < StateChange.STORE_KINDS_FROM) { // the others are for a store, which there is none of
            state.applyState(kind, bytes, records);
        }
    }

    /** How many units were appended since the beginning. */
    public int records() {
        return records;
    }

    /** How many state changes were appended since the beginning. */
    public int changes() {
        return changes;
    }
}
