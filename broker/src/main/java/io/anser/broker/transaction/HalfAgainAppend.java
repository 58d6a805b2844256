package io.anser.broker.transaction;

import io.anser.broker.append.MessageAppend;
import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.Outcome;
import io.anser.store.file.StoreException;

/** A half message once more. It needs no record beside it: it names the first one, whose transaction lies there from then on. */
final class HalfAgainAppend extends MessageAppend {
    private final Outcome outcome;

    HalfAgainAppend(NewMessage message, Outcome outcome) {
        super(message);
        this.outcome = outcome;
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
