package io.anser.broker.metadata;

import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One atomic append of state changes alone. */
final class ChangeAppend extends Append {
    private final List<EncodedChange> changes;
    private final BooleanSupplier overtaken;
    private final Outcome outcome;

    ChangeAppend(List<? extends Change> changes, BooleanSupplier overtaken, Outcome outcome) {
        this.overtaken = overtaken;
        this.changes = changes.stream().flatMap(EncodedChange::items).toList();
        this.outcome = outcome;
    }

    @Override
    public int items() {
        return changes.size();
    }

    @Override
    public @Nullable QueueLog queue(int item) {
        return null;
    }

    @Override
    public int bytes(int item) {
        return changes.get(item).bytes();
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        if (item == 0 && overtaken.getAsBoolean()) {
            throw new StoreException(StoreException.Kind.DROPPED, "a topic was deleted before the change was stored");
        }
        changes.get(item).encode(target);
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
