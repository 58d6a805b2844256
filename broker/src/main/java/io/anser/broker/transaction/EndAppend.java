package io.anser.broker.transaction;

import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.EncodedChange;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.TransactionChange.TransactionEnded;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The message of a transaction and the record of its end, both or neither: so it appears once, whatever happens. */
final class EndAppend extends Append {
    private static final int MESSAGE = 0;

    private final NewMessage message;
    private final EncodedChange ended;
    private final Outcome outcome;

    EndAppend(NewMessage message, TransactionEnded ended, Outcome outcome) {
        this.message = message;
        this.ended = new EncodedChange(ended);
        this.outcome = outcome;
    }

    @Override
    public int items() {
        return 2;
    }

    @Override
    public @Nullable QueueLog queue(int item) {
        return item == MESSAGE ? message.queue() : null;
    }

    @Override
    public int bytes(int item) {
        return item == MESSAGE ? message.bytes() : ended.bytes();
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        if (item == MESSAGE) {
            message.encode(target);
        } else {
            ended.encode(target);
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
