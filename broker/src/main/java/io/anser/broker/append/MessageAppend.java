package io.anser.broker.append;

import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;

/** One message on its way into the log. What its outcome means is for the subclass to say. */
public abstract class MessageAppend extends Append {
    private final NewMessage message;

    /** Takes the message over. */
    protected MessageAppend(NewMessage message) {
        this.message = message;
    }

    @Override
    public final int items() {
        return 1;
    }

    @Override
    public final QueueLog queue(int item) {
        return message.queue();
    }

    @Override
    public final int bytes(int item) {
        return message.bytes();
    }

    @Override
    public final void encode(int item, ByteBuffer target) {
        message.encode(target);
    }
}
