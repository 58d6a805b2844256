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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a producer's decision about a transaction (operation 37). The answer comes when it holds; most producers wait for none,
 * and are asked again if it did not arrive. Runs on workers, as the half message is read.
 */
final class EndTransactionHandler implements Handler<EndTransaction.Request> {
    private static final Logger LOG = LoggerFactory.getLogger(EndTransactionHandler.class);

    private final Decisions decisions;

    EndTransactionHandler(Decisions decisions) {
        this.decisions = decisions;
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
        decisions.decide(decision, new Decisions.Asker() {
            @Override
            public void ended() {
                call.respond(FieldSource.NONE);
            }

            @Override
            public void refused(Refusal reason) {
                LOG.debug("transaction not ended code={} remark={}", reason.code(), reason.remark());
                reason.answer(call);
            }
        });
    }
}
