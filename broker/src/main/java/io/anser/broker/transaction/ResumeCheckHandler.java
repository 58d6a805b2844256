package io.anser.broker.transaction;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.TransactionChange.TransactionReopened;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.ResumeCheckHalfMessage;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Takes a transaction up again that was given up (operation 323), named by its message in the topic of those. It is the same
 * transaction: it can be taken up once, and ends once. Runs on workers, as the message is read.
 */
final class ResumeCheckHandler implements Handler<ResumeCheckHalfMessage.Request> {
    private final StoredMessages messages;
    private final Decisions decisions;
    private final Clock clock;

    /**
     * A handler of the operation.
     *
     * @param messages by positions that clients name
     */
    ResumeCheckHandler(StoredMessages messages, Decisions decisions, Clock clock) {
        this.messages = messages;
        this.decisions = decisions;
        this.clock = clock;
    }

    @Override
    public void handle(Call call, ResumeCheckHalfMessage.Request request, ByteBuf body) {
        try {
            long position = OffsetMessageId.decode(request.msgId()).physicalOffset();
            Optional<ByteBuffer> stored = messages.message(position);
            if (stored.isEmpty()) {
                call.respond(ResponseCode.SYSTEM_ERROR, "msgId=" + request.msgId() + " is not that of a message");
            } else {
                resume(call, StoredHalf.of(stored.get()), position);
            }
        } catch (MalformedMessageException e) {
            call.respond(ResponseCode.SYSTEM_ERROR, String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            Refusal.of(e).answer(call);
        }
    }

    private void resume(Call call, StoredHalf half, long position) {
        if (!half.view().topic().equals(Names.CHECK_MAX_TIME_TOPIC)) {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "the message is in topic=" + half.view().topic() + ", not in " + Names.CHECK_MAX_TIME_TOPIC);
            return;
        }
        TransactionReopened reopened = new TransactionReopened(
                half.view().preparedTransactionOffset(), half.firstQueueOffset(), position, clock.wallMillis());
        decisions.reopen(reopened, new Decisions.Asker() {
            @Override
            public void ended() {
                call.respond(FieldSource.NONE);
            }

            @Override
            public void refused(Refusal reason) {
                reason.answer(call);
            }
        });
    }
}
