package io.anser.broker.send;

import io.anser.broker.append.NewMessage;
import io.anser.broker.dispatch.Refusal;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.FurtherQueues;
import io.anser.transport.Call;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message on its way into the log that is listed in light queues too, with the change that names them in front of it. */
final class ListedAppend extends Append {
    private static final int MESSAGE = 1;

    private final Call call;
    private final SendAnswers answers;
    private final ByteBuf body;
    private final NewMessage message;
    private final byte[] properties;
    private final List<String> lightQueues;
    private final int messageBytes;
    private final int digitsAt;

    /**
     * Takes the message over.
     *
     * @param body the buffer under the message's body; retained here until the end
     * @param message with {@linkplain LightQueues#withOffsets room for the offsets} among its properties
     * @param properties as they were sent
     * @throws io.anser.protocol.message.MalformedMessageException if the message is too long to be encoded; nothing is
     *     retained then
     */
    ListedAppend(
            Call call,
            SendAnswers answers,
            ByteBuf body,
            NewMessage message,
            byte[] properties,
            List<String> lightQueues) {
        this.call = call;
        this.answers = answers;
        this.message = message;
        this.properties = properties;
        this.lightQueues = lightQueues;
        this.messageBytes = message.bytes();
        long offsets = MessageProperties.find(message.properties(), PropertyNames.INNER_MULTI_QUEUE_OFFSET);
        // The properties are the last of a message.
        this.digitsAt = messageBytes
                - message.moreProperties().length
                - message.properties().length
                + MessageProperties.valueFrom(offsets);
        this.body = body.retain();
    }

    @Override
    public int items() {
        return 2;
    }

    @Override
    public @Nullable QueueLog queue(int item) {
        return item == MESSAGE ? message.queue() : null;
    }

    @Override
    public int bytes(int item) {
        return item == MESSAGE ? messageBytes : FurtherQueues.bytes(lightQueues);
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        if (item == MESSAGE) {
            message.encode(target);
        } else {
            FurtherQueues.write(target, lightQueues, digitsAt);
        }
    }

    @Override
    public void committed() {
        body.release();
        call.respond(
                answers.stored(position(MESSAGE), message.header().queueId(), queueOffset(MESSAGE), properties, ""));
    }

    @Override
    public void failed(StoreException reason) {
        body.release();
        Refusal.of(reason).answer(call);
    }
}
