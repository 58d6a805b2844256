package io.anser.broker.pop;

import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.EncodedChange;
import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.Outcome;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies of messages whose lease is over, and the end of their lease, all or nothing: so none is lost or there twice. */
final class MoveAppend extends Append {
    private final List<NewMessage> copies;
    private final EncodedChange settled;
    private final Outcome outcome;

    MoveAppend(List<NewMessage> copies, Settled settled, Outcome outcome) {
        this.copies = copies;
        this.settled = new EncodedChange(settled);
        this.outcome = outcome;
    }

    @Override
    public int items() {
        return copies.size() + 1;
    }

    @Override
    public @Nullable QueueLog queue(int item) {
        return item < copies.size() ? copies.get(item).queue() : null;
    }

    @Override
    public int bytes(int item) {
        return item < copies.size() ? copies.get(item).bytes() : settled.bytes();
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        if (item < copies.size()) {
            copies.get(item).encode(target);
        } else {
            settled.encode(target);
        }
    }

    @Override
    public void committed() {
        outcome.committed();
    }

    @Override
    public void failed(StoreException reason) {
        outcome.failed(reason);
    }
}
