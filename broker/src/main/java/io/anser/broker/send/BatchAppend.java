package io.anser.broker.send;

import io.anser.broker.dispatch.Refusal;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** The messages of a batch on their way into the log: all or none, on consecutive offsets of one queue. */
final class BatchAppend extends Append {
    private final Call call;
    private final SendAnswers answers;
    private final ByteBuf body;
    private final BatchMessages messages;
    private final byte[] properties;

    /**
     * Takes the messages over.
     *
     * @param body the buffer under the messages' bodies; retained here until the end
     * @param properties those of the whole batch, for the answer
     */
    BatchAppend(Call call, SendAnswers answers, ByteBuf body, BatchMessages messages, byte[] properties) {
        this.call = call;
        this.answers = answers;
        this.body = body.retain();
        this.messages = messages;
        this.properties = properties;
    }

    @Override
    public int items() {
        return messages.count();
    }

    @Override
    public QueueLog queue(int item) {
        return messages.queue();
    }

    @Override
    public int bytes(int item) {
        return messages.bytes(item);
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        messages.encode(item, target);
    }

    @Override
    public void committed() {
        body.release();
        long position = position(0);
        long[] positions = new long[messages.count()];
        for (int item = 0; item < positions.length; item++) {
            positions[item] = position;
            position += messages.bytes(item);
        }
        call.respond(answers.stored(positions, messages.queue().queueId(), queueOffset(0), properties));
    }

    @Override
    public void failed(StoreException reason) {
        body.release();
        Refusal.of(reason).answer(call);
    }
}
