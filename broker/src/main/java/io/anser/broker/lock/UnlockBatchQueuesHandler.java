package io.anser.broker.lock;

import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;

/** Takes order locks back (operation 42), often one-way. Locks of other clients are left alone. */
public final class UnlockBatchQueuesHandler implements Handler<FieldSource> {
    private static final Refusal NOT_COMMITTED = new Refusal(
            ResponseCode.SYSTEM_BUSY,
            "the unlock was not committed; the locks end " + OrderLocks.LIFE_MILLIS
                    + " ms after they were last renewed");

    private final LockRequests requests;
    private final OrderLocks locks;

    /** Makes the handler of one broker. */
    public UnlockBatchQueuesHandler(LockRequests requests, OrderLocks locks) {
        this.requests = requests;
        this.locks = locks;
    }

    @Override
    public void handle(Call call, FieldSource header, ByteBuf body) {
        LockBatch.Request request = LockBatch.Request.read(ByteBufUtil.getBytes(body));
        Optional<Refusal> refusal = requests.refusal(request);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        locks.unlock(requests.keys(request, requests.here(request)), request.clientId())
                .thenAccept(committed -> {
                    if (committed) {
                        call.respond(FieldSource.NONE);
                    } else {
                        NOT_COMMITTED.answer(call);
                    }
                });
    }
}
