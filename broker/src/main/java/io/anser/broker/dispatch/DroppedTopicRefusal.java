package io.anser.broker.dispatch;

import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/**
 * Answers that the topic does not exist where it was deleted after the handler had found it.
 *
 * @param <R> the request
 * @param handler may throw what a queue handle of a dropped topic throws
 */
public record DroppedTopicRefusal<R>(Handler<R> handler) implements Handler<R> {
    @Override
    public void handle(Call call, R request, ByteBuf body) {
        try {
            handler.handle(call, request, body);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.DROPPED) {
                throw e;
            }
            Refusal.of(e).answer(call);
        }
    }
}
