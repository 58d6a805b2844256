package io.anser.broker.lock;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.lock.OrderLocks.Grant;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.RequestStep;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Lends order locks (operation 41): the answer names those of the queues asked for that the client owns now. Queues that
 * are not here are left out.
 */
public final class LockBatchQueuesHandler implements Handler<FieldSource> {
    private final LockRequests requests;
    private final GroupCreation groups;
    private final OrderLocks locks;

    /** Makes the handler of one broker. */
    public LockBatchQueuesHandler(LockRequests requests, GroupCreation groups, OrderLocks locks) {
        this.requests = requests;
        this.groups = groups;
        this.locks = locks;
    }

    @Override
    public void handle(Call call, FieldSource header, ByteBuf body) {
        LockBatch.Request request = LockBatch.Request.read(ByteBufUtil.getBytes(body));
        Optional<Refusal> refusal = requests.refusal(request).or(() -> groups.refusal(request.consumerGroup()));
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        groups.ensure(request.consumerGroup(), new RequestStep(call) {
            @Override
            protected void goOn() {
                lock(call, request);
            }
        });
    }

    private void lock(Call call, LockBatch.Request request) {
        List<MessageQueue> asked = requests.here(request);
        List<Grant> grants = locks.lock(requests.keys(request, asked), request.clientId());
        CompletableFuture.allOf(grants.stream().map(Grant::granted).toArray(CompletableFuture<?>[]::new))
                .thenRun(() -> answer(call, asked, grants))
                .whenComplete((answered, thrown) -> {
                    if (thrown != null) {
                        call.fail(thrown);
                    }
                });
    }

    private static void answer(Call call, List<MessageQueue> asked, List<Grant> grants) {
        Set<MessageQueue> locked = new LinkedHashSet<>();
        for (int i = 0; i < grants.size(); i++) {
            if (grants.get(i).granted().join()) {
                locked.add(asked.get(i));
            }
        }
        byte[] json = new LockBatch.Response(locked).write();
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(json));
    }
}
