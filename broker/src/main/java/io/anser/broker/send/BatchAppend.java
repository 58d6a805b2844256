package io.anser.broker.send;

import io.anser.broker.append.NewMessage;
import io.anser.broker.dispatch.Refusal;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;

/** The messages of a batch on their way into the log: all or none, on consecutive offsets of one queue. */
final class BatchAppend extends Append {
    private final Call call;
    private final SendAnswers answers;
    private final ByteBuf body;
    private final List<NewMessage> messages;
    private final byte[] properties;

    /**
     * Takes the messages over.
     *
     * @param body the buffer under the messages' bodies; retained here until the end
     * @param properties those of the whole batch, for the answer
     */
    BatchAppend(Call call, SendAnswers answers, ByteBuf body, List<NewMessage> messages, byte[] properties) {
        this.call = call;
        this.answers = answers;
        this.body = body.retain();
        this.messages = messages;
        this.properties = properties;
    }

    @Override
    public int items() {
        return messages.size();
    }

    @Override
    public QueueLog queue(int item) {
        return messages.get(item).queue();
    }

    @Override
    public int bytes(int item) {
        return messages.get(item).bytes();
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        messages.get(item).encode(target);
    }

    @Override
    public void committed() {
        body.release();
        int queueId = messages.get(0).header().queueId();
        call.respond(answers.stored(messageIds(), queueId, queueOffset(0), properties));
    }

    private String messageIds() {
        StringBuilder ids = new StringBuilder(messages.size() * 33);
        long position = position(0);
        for (NewMessage message : messages) {
            if (!ids.isEmpty()) {
                ids.append(',');
            }
            ids.append(answers.messageId(position));
            position += message.bytes();
        }
        return ids.toString();
    }

    @Override
    public void failed(StoreException reason) {
        body.release();
        Refusal.of(reason).answer(call);
    }
}
