package io.anser.broker.send;

import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.broker.metadata.DedupKey;
import io.anser.broker.metadata.EncodedChange;
import io.anser.broker.metadata.KeyedMessage;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one send on their way into the log, with the change that takes their key in front of them. Sends with the
 * same key that come meanwhile wait here for the same answer.
 */
final class KeyedAppend extends Append {
    /** Most sends that wait for one. */
    static final int MAX_WAITING = 1024;

    private static final int KEY = 0;
    private static final int FIRST_MESSAGE = 1;

    private final KeyTaken taken;
    private final EncodedChange change;
    private final SentMessages messages;
    private final ByteBuf body;
    private final SendReply reply;
    private Consumer<KeyedAppend> onEnd = append -> {};

    /** Null when this has ended. Guarded by this object. */
    private @Nullable List<KeyedAppend> waiting = new ArrayList<>(0);

    /**
     * Takes the messages over.
     *
     * @param body the buffer under the messages' bodies; retained here until the end
     */
    KeyedAppend(KeyTaken taken, SentMessages messages, ByteBuf body, SendReply reply) {
        this.taken = taken;
        this.change = new EncodedChange(taken);
        this.messages = messages;
        this.reply = reply;
        this.body = body.retain();
    }

    DedupKey key() {
        return taken.key();
    }

    /** Says who is told when this has ended, before anybody is answered; set before it is handed to the log. */
    void onEnd(Consumer<KeyedAppend> listener) {
        this.onEnd = listener;
    }

    /**
     * Lets another send of the same message wait for this one's answer.
     *
     * @return false if this has ended: the other one may try by itself
     */
    boolean join(KeyedAppend other) {
        synchronized (this) {
            List<KeyedAppend> all = waiting;
            if (all == null) {
                return false;
            }
            if (all.size() < MAX_WAITING) {
                all.add(other);
                return true;
            }
        }
        other.refused(new StoreException(
                StoreException.Kind.BUSY, MAX_WAITING + " sends of one message wait for the first of them"));
        return true;
    }

    /** Answers that the message is there already, to whoever waits too. Instead of being handed to the log. */
    void known(KeyedMessage first) {
        List<KeyedAppend> others = end();
        repeated(first);
        others.forEach(other -> other.repeated(first));
    }

    private List<KeyedAppend> end() {
        onEnd.accept(this);
        synchronized (this) {
            List<KeyedAppend> all = waiting;
            waiting = null;
            return all == null ? List.of() : all;
        }
    }

    private void repeated(KeyedMessage first) {
        body.release();
        reply.repeated(first);
    }

    private void refused(StoreException reason) {
        body.release();
        reply.refused(reason);
    }

    @Override
    public int items() {
        return FIRST_MESSAGE + messages.count();
    }

    @Override
    public @Nullable QueueLog queue(int item) {
        return item == KEY ? null : messages.queue();
    }

    @Override
    public int bytes(int item) {
        return item == KEY ? change.bytes() : messages.bytes(item - FIRST_MESSAGE);
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        if (item == KEY) {
            change.encode(target);
        } else {
            messages.encode(item - FIRST_MESSAGE, target);
        }
    }

    @Override
    public void committed() {
        KeyedMessage stored = new KeyedMessage(
                taken.key(),
                position(FIRST_MESSAGE),
                taken.queueId(),
                queueOffset(FIRST_MESSAGE),
                storeTimestamp() + taken.windowMillis(),
                false);
        List<KeyedAppend> others = end();
        body.release();
        reply.stored(stored);
        others.forEach(other -> other.repeated(stored));
    }

    @Override
    public void failed(StoreException reason) {
        List<KeyedAppend> others = end();
        refused(reason);
        others.forEach(other -> other.refused(reason));
    }
}
