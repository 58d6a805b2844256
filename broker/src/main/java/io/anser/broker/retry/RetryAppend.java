package io.anser.broker.retry;

import io.anser.broker.append.NewMessage;
import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import java.nio.ByteBuffer;

/** A copy of a message that was sent back, on its way into the log. */
final class RetryAppend extends Append {
    private final Call call;
    private final NewMessage message;

    RetryAppend(Call call, NewMessage message) {
        this.call = call;
        this.message = message;
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
        call.respond(FieldSource.NONE);
    }

    @Override
    public void failed(StoreException reason) {
        Refusal.of(reason).answer(call);
    }
}
