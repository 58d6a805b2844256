package io.anser.broker.send;

import io.anser.broker.append.NewMessage;
import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.RecallHandle;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Optional;

/** One message of a client on its way into the log. Holds the request's buffer until the append has ended. */
final class SendAppend extends Append {
    private final Call call;
    private final SendAnswers answers;
    private final ByteBuf body;
    private final NewMessage message;
    private final int queueId;
    private final byte[] properties;
    private final Optional<RecallHandle> recall;
    private final int bytes;

    /**
     * Takes the message over.
     *
     * @param body the buffer under the message's body; retained here until the end
     * @param queueId the queue that the client is told
     * @param properties as they were sent
     * @param recall by which the sender can take the message back, if it can; without its position
     * @throws MalformedMessageException if the message is too long to be encoded, which marks of its delay may make it;
     *     nothing is retained then
     */
    SendAppend(
            Call call,
            SendAnswers answers,
            ByteBuf body,
            NewMessage message,
            int queueId,
            byte[] properties,
            Optional<RecallHandle> recall) {
        this.call = call;
        this.answers = answers;
        this.message = message;
        this.queueId = queueId;
        this.properties = properties;
        this.recall = recall;
        this.bytes = message.bytes();
        this.body = body.retain();
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
        return bytes;
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        message.encode(target);
    }

    @Override
    public void committed() {
        body.release();
        long position = position(0);
        String handle = recall.map(each -> each.at(position).encode()).orElse("");
        call.respond(answers.stored(position, queueId, queueOffset(0), properties, handle));
    }

    @Override
    public void failed(StoreException reason) {
        body.release();
        Refusal.of(reason).answer(call);
    }
}
