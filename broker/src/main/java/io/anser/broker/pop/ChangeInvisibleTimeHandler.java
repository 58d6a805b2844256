package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.LeaseChange.Renewed;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.LeaseTable;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Claim;
import io.anser.broker.metadata.QueueLeases.Left;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.ChangeInvisibleTime;
import io.anser.protocol.operation.PopHandle;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * Changes how long a popped message stays invisible (operation 200053): it gets a lease of its own, and the old handle is
 * void once that is committed.
 */
final class ChangeInvisibleTimeHandler implements Handler<ChangeInvisibleTime.Request> {
    private final PopRules rules;
    private final LeaseTable table;
    private final Proposals proposals;
    private final Clock clock;

    ChangeInvisibleTimeHandler(PopRules rules, LeaseTable table, Proposals proposals, Clock clock) {
        this.rules = rules;
        this.table = table;
        this.proposals = proposals;
        this.clock = clock;
    }

    @Override
    public void handle(Call call, ChangeInvisibleTime.Request request, ByteBuf body) {
        Optional<Refusal> refusal = rules.refusal(request.invisibleTime());
        Optional<PopHandle> handle = PopHandle.parse(request.extraInfo());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else if (handle.isEmpty() || handle.get().queueId() != request.queueId()) {
            call.respond(
                    ResponseCode.INVALID_PARAMETER,
                    "extraInfo=" + request.extraInfo() + " is no handle of queueId=" + request.queueId());
        } else {
            change(call, request, handle.get());
        }
    }

    private void change(Call call, ChangeInvisibleTime.Request request, PopHandle handle) {
        String topic = PopTopics.storedTopic(request.consumerGroup(), request.topic(), handle.mark());
        QueueKey key = new QueueKey(request.consumerGroup(), topic, request.queueId());
        LeaseId id = new LeaseId(handle.start(), handle.popTime());
        Optional<QueueLeases> leases = table.find(key);
        Optional<Left> left = leases.flatMap(found -> found.find(id));
        int place = left.map(found -> found.lease().place(request.offset())).orElse(-1);
        if (place < 0 || leases.get().claimMove(id, 1 << place) != Claim.MARKED) {
            call.respond(
                    ResponseCode.NO_MESSAGE,
                    "the lease of topic=" + topic + " queueId=" + request.queueId() + " offset=" + request.offset()
                            + " is over, acknowledged or has another handle");
            return;
        }
        long now = clock.wallMillis();
        Renewed renewed =
                new Renewed(key, id, place, leases.get().renewalMillis(now, id), now + request.invisibleTime());
        Outcome answer = answer(call, request, handle, leases.get(), renewed);
        try {
            proposals.propose(renewed, answer);
        } catch (RuntimeException | Error e) {
            // What stayed marked could be neither acknowledged nor moved any more.
            leases.get().releaseMove(id, 1 << place);
            throw e;
        }
    }

    private static Outcome answer(
            Call call, ChangeInvisibleTime.Request request, PopHandle handle, QueueLeases leases, Renewed renewed) {
        return new Outcome() {
            @Override
            public void committed() {
                call.respond(new ChangeInvisibleTime.Response(
                        renewed.popMillis(), request.invisibleTime(), handle.reviveQid()));
            }

            @Override
            public void failed(StoreException reason) {
                leases.releaseMove(renewed.lease(), 1 << renewed.place());
                Refusal.of(reason).answer(call);
            }
        };
    }
}
