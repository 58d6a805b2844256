package io.anser.broker.append;

import io.anser.broker.metadata.Change;
import io.anser.broker.metadata.EncodedChange;
import io.anser.broker.metadata.Outcome;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages and the state change that they go with, all or nothing: so none is lost or there twice. */
public class MessagesAndChange extends Append {
    private final List<NewMessage> messages;
    private final EncodedChange change;
    private final Outcome outcome;

    /**
     * Takes them over.
     *
     * @param messages stored in this order, before the change; perhaps none
     * @param outcome told once, on the committing thread
     */
    public MessagesAndChange(List<NewMessage> messages, Change change, Outcome outcome) {
        this.messages = messages;
        this.change = new EncodedChange(change);
        this.outcome = outcome;
    }

    @Override
    public final int items() {
        return messages.size() + 1;
    }

    @Override
    public final @Nullable QueueLog queue(int item) {
        return item < messages.size() ? messages.get(item).queue() : null;
    }

    @Override
    public final int bytes(int item) {
        return item < messages.size() ? messages.get(item).bytes() : change.bytes();
    }

    @Override
    public final void encode(int item, ByteBuffer target) {
        if (item < messages.size()) {
            messages.get(item).encode(target);
        } else {
            change.encode(target);
        }
    }

    @Override
    public final void committed() {
        outcome.committed();
    }

    @Override
    public final void failed(StoreException reason) {
        outcome.failed(reason);
    }
}
