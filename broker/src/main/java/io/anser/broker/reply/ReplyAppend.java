package io.anser.broker.reply;

import io.anser.broker.append.MessageAppend;
import io.anser.broker.append.NewMessage;
import io.anser.store.file.StoreException;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/** A reply on its way into the log. Holds the request's buffer until the append has ended. */
final class ReplyAppend extends MessageAppend {
    private final ByteBuf body;
    private final CompletableFuture<Stored> stored = new CompletableFuture<>();

    /** Where the reply is. */
    record Stored(long position, long queueOffset) {}

    /**
     * Takes the reply over.
     *
     * @param body the buffer under the message's body; retained here until the end
     */
    ReplyAppend(NewMessage message, ByteBuf body) {
        super(message);
        this.body = body.retain();
    }

    /** Completes when the reply is committed; fails with a StoreException. */
    CompletableFuture<Stored> stored() {
        return stored;
    }

    @Override
    public void committed() {
        body.release();
        stored.complete(new Stored(position(0), queueOffset(0)));
    }

    @Override
    public void failed(StoreException reason) {
        body.release();
        stored.completeExceptionally(reason);
    }
}
