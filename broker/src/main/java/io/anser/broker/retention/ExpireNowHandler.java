package io.anser.broker.retention;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;

/**
 * Lets expire at once what has outlived its time, in the log and in its index, instead of within a minute (operations 306 and
 * 329). Runs on a worker and answers when that is on its way: messages and files go a moment later, as with every run.
 */
public final class ExpireNowHandler implements Handler<FieldSource> {
    private final RetentionRuns runs;

    /** Makes the handler. */
    public ExpireNowHandler(RetentionRuns runs) {
        this.runs = runs;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        try {
            runs.now();
        } catch (StoreException e) {
            Refusal.of(e).answer(call);
            return;
        }
        call.respond(FieldSource.NONE);
    }
}
