package io.anser.broker.metadata;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;

/**
 * Answers a request when the change that it asked for has ended.
 *
 * @param call the request
 */
public record AnswerWhenSaved(Call call) implements Outcome {
    @Override
    public void committed() {
        call.respond(FieldSource.NONE);
    }

    @Override
    public void failed(StoreException reason) {
        Refusal.of(reason).answer(call);
    }
}
