package io.anser.broker.retry;

import io.anser.broker.append.MessageAppend;
import io.anser.broker.append.NewMessage;
import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;

/** A copy of a message that was sent back, on its way into the log. */
final class RetryAppend extends MessageAppend {
    private final Call call;

    RetryAppend(Call call, NewMessage message) {
        super(message);
        this.call = call;
    }

    @Override
    public void committed() {
        call.respond(FieldSource.NONE);
    }

    @Override
    public void failed(StoreException reason) {
        Refusal.of(reason).answer(call);
    }
}
