package io.anser.broker.transaction;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TransactionEnd;
import io.anser.broker.transaction.Decisions.Decision;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.EndTransaction;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a producer's decision about a transaction (operation 37). The answer comes when it holds; most producers wait for none,
 * and are asked again if it did not arrive. Runs on event loops; a half message that may not be in memory is read by a worker.
 */
final class EndTransactionHandler implements Handler<EndTransaction.Request> {
    private static final Logger LOG = LoggerFactory.getLogger(EndTransactionHandler.class);

    private static final int WARNINGS_APART = 100;

    private final AtomicLong tooLate = new AtomicLong();
    private final Decisions decisions;
    private final HalfReads reads;

    EndTransactionHandler(Decisions decisions, HalfReads reads) {
        this.decisions = decisions;
        this.reads = reads;
    }

    @Override
    public void handle(Call call, EndTransaction.Request request, ByteBuf body) {
        switch (request.commitOrRollback()) {
            case EndTransaction.COMMIT -> decide(call, request, TransactionEnd.COMMITTED);
            case EndTransaction.ROLLBACK -> decide(call, request, TransactionEnd.ROLLED_BACK);
            case EndTransaction.UNKNOWN -> call.respond(FieldSource.NONE); // the next check asks again
            default ->
                call.respond(
                        ResponseCode.INVALID_PARAMETER,
                        "commitOrRollback=" + request.commitOrRollback() + ", allowed 0, 8 and 12");
        }
    }

    private void decide(Call call, EndTransaction.Request request, TransactionEnd end) {
        Decision decision =
                new Decision(request.commitLogOffset(), request.tranStateTableOffset(), request.producerGroup(), end);
        reads.run(
                decision.id(),
                () -> decide(call, decision),
                () -> call.respond(ResponseCode.SYSTEM_BUSY, "too many requests wait for a worker; try again later"));
    }

    /** On a worker nobody else answers what nobody expected. */
    private void decide(Call call, Decision decision) {
        try {
            carryOut(call, decision);
        } catch (RuntimeException | Error e) {
            call.fail(e);
        }
    }

    private void carryOut(Call call, Decision decision) {
        decisions.decide(decision, new Decisions.Asker() {
            @Override
            public void ended() {
                call.respond(FieldSource.NONE);
            }

            @Override
            public void refused(Refusal reason) {
                tell(reason, decision.group());
                reason.answer(call);
            }
        });
    }

    /** Most producers wait for no answer: what they will never know, somebody should. */
    private void tell(Refusal reason, String group) {
        boolean contrary = reason.code() == ResponseCode.TRANSACTION_FAILED;
        if (contrary && tooLate.getAndIncrement() % WARNINGS_APART == 0) {
            LOG.warn("decision came too late group={} count={} reason={}", group, tooLate.get(), reason.remark());
        } else {
            LOG.debug("transaction not ended group={} code={} reason={}", group, reason.code(), reason.remark());
        }
    }
}
