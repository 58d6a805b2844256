package io.anser.store.retention;

import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The record by which a group lets the beginning of its log go: what had to outlive it is appended again before this record,
 * so that every member that has applied it can do without. Each removes its own segments when it has snapshots behind them.
 *
 * <p>Payload: the log position (8 bytes) before which nothing is needed.
 */
final class PrefixFreed extends Append {
    private final long position;
    private final CutsMoved.Ended ended;

    PrefixFreed(long position, CutsMoved.Ended ended) {
        this.position = position;
        this.ended = ended;
    }

    @Override
    public int items() {
        return 1;
    }

    @Override
    public @Nullable QueueLog queue(int item) {
        return null;
    }

    @Override
    public int bytes(int item) {
        return StateChange.bytes(Long.BYTES);
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        StateChange.writeHeader(target, StateChange.PREFIX_FREED, Long.BYTES);
        target.putLong(position);
    }

    @Override
    public void committed() {
        ended.ended(null);
    }

    @Override
    public void failed(StoreException reason) {
        ended.ended(reason);
    }
}
