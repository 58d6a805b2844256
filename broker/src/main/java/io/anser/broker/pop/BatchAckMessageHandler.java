package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.pop.Acks.Decision;
import io.anser.broker.pop.Acks.Done;
import io.anser.protocol.body.BatchAck;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Takes the acknowledgements of several messages (operation 200151); they are answered together when all are committed. What is
 * right counts even if something else is refused.
 */
final class BatchAckMessageHandler implements Handler<FieldSource> {
    private final Acks acks;

    BatchAckMessageHandler(Acks acks) {
        this.acks = acks;
    }

    @Override
    public void handle(Call call, FieldSource header, ByteBuf body) {
        BatchAck request = BatchAck.read(ByteBufUtil.getBytes(body));
        Answer answer = new Answer(call);
        for (BatchAck.Entry entry : request.acks()) {
            if (!entry.offsets().isEmpty()) {
                answer.await();
                Decision decision = acks.ack(done(entry), call.connection().executor(), answer);
                answer.decided(decision);
            }
        }
        answer.allStarted();
    }

    private static Done done(BatchAck.Entry entry) {
        String topic = PopTopics.storedTopic(entry.consumerGroup(), entry.topic(), entry.mark());
        return new Done(
                new QueueKey(entry.consumerGroup(), topic, entry.queueId()),
                new LeaseId(entry.startOffset(), entry.popTime()),
                entry.popTime() + entry.invisibleTime(),
                entry.offsets().stream()
                        .mapToLong(bit -> entry.startOffset() + bit)
                        .toArray());
    }

    /** The one answer to all of it. */
    private static final class Answer implements Outcome {
        private final Call call;
        private final AtomicInteger open = new AtomicInteger(1);
        private final AtomicInteger tooLate = new AtomicInteger();
        private final AtomicReference<@Nullable StoreException> failure = new AtomicReference<>();

        Answer(Call call) {
            this.call = call;
        }

        void await() {
            open.incrementAndGet();
        }

        void decided(Decision decision) {
            if (decision == Decision.TOO_LATE || decision == Decision.TAKEN_IN_PART) {
                tooLate.incrementAndGet();
            }
            if (decision == Decision.TOO_LATE || decision == Decision.REPEATED) {
                committed(); // nothing else tells of it
            }
        }

        void allStarted() {
            committed();
        }

        @Override
        public void failed(StoreException reason) {
            failure.compareAndSet(null, reason);
            committed();
        }

        @Override
        public void committed() {
            if (open.decrementAndGet() > 0) {
                return;
            }
            StoreException reason = failure.get();
            if (reason != null) {
                Refusal.of(reason).answer(call);
            } else if (tooLate.get() > 0) {
                call.respond(
                        ResponseCode.NO_MESSAGE,
                        "leases that are over or have other handles: " + tooLate.get() + "; the rest is acknowledged");
            } else {
                call.respond(FieldSource.NONE);
            }
        }
    }
}
