package io.anser.broker.transaction;

import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.Outcome;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;

/** A half message once more. It needs no record beside it: it names the first one, whose transaction lies there from then on. */
final class HalfAgainAppend extends Append {
    private final NewMessage message;
    private final Outcome outcome;

    HalfAgainAppend(NewMessage message, Outcome outcome) {
        this.message = message;
        this.outcome = outcome;
    }

    @Override
    public boolean makesRoom() {
        return true;
    }

    @Override
    public int items() {
        return 1;
    }

    @Override
    public QueueLog queue(int item) {
        return message.queue();
    }

    @Override
    public int bytes(int item) {
        return message.bytes();
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        message.encode(target);
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
