package io.anser.broker.compaction;

import io.anser.broker.metadata.EncodedChange;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.ValueKept;
import io.anser.broker.metadata.ValueLost;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the latest message of a key before its segment goes: it is appended once more, or given up. It keeps its
 * place in its queue, so that for the log it is a state change.
 */
final class ValueAppend extends Append {
    private final int bytes;
    private final ObjLongConsumer<ByteBuffer> item;
    private final Outcome outcome;

    private ValueAppend(int bytes, ObjLongConsumer<ByteBuffer> item, Outcome outcome) {
        this.bytes = bytes;
        this.item = item;
        this.outcome = outcome;
    }

    /** A message once more. */
    static ValueAppend again(ValueKept value, Outcome outcome) {
        return new ValueAppend(value.bytes(), value::write, outcome);
    }

    /** The end of a value whose message cannot be read. */
    static ValueAppend lost(ValueLost value, Outcome outcome) {
        EncodedChange change = new EncodedChange(value);
        return new ValueAppend(change.bytes(), (target, position) -> change.encode(target), outcome);
    }

    @Override
    public int items() {
        return 1;
    }

    @Override
    public @Nullable QueueLog queue(int number) {
        return null;
    }

    @Override
    public int bytes(int number) {
        return bytes;
    }

    @Override
    public void encode(int number, ByteBuffer target) {
        item.accept(target, position(number));
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
