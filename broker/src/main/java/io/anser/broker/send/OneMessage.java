package io.anser.broker.send;

import io.anser.broker.append.NewMessage;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;

/** The message of a send that is no batch. */
final class OneMessage implements SentMessages {
    private final NewMessage message;
    private final int bytes;

    /**
     * Measures the message.
     *
     * @throws io.anser.protocol.message.MalformedMessageException if it is too long to be encoded
     */
    OneMessage(NewMessage message) {
        this.message = message;
        this.bytes = message.bytes();
    }

    @Override
    public int count() {
        return 1;
    }

    @Override
    public QueueLog queue() {
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
}
