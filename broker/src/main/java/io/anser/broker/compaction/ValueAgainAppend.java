package io.anser.broker.compaction;

import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.ValueKept;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The latest message of a key once more. It keeps its place in its queue, so that for the log it is a state change. */
final class ValueAgainAppend extends Append {
    private final ValueKept value;
    private final Outcome outcome;

    ValueAgainAppend(ValueKept value, Outcome outcome) {
        this.value = value;
        this.outcome = outcome;
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
        return value.bytes();
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        value.write(target, position(item));
    }

    @Override
    public boolean makesRoom() {
        return true;
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
