package io.anser.broker.timer;

import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.EncodedChange;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of one message and the end of its wait, both or neither: so a timer fires once, whatever happens. Or, in
 * place of the delivery, the same message once more, which waits from then on.
 */
final class TimerAppend extends Append {
    private static final int MESSAGE = 0;

    private final NewMessage message;
    private final EncodedChange fired;
    private final Outcome outcome;

    TimerAppend(NewMessage message, PendingTimer timer, Outcome outcome) {
        this.message = message;
        this.fired = new EncodedChange(new TimerFired(timer));
        this.outcome = outcome;
    }

    @Override
    public boolean makesRoom() {
        return message.waitsFor() != null;
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
        return item == MESSAGE ? message.bytes() : fired.bytes();
    }

    @Override
    public void encode(int item, ByteBuffer target) {
        if (item == MESSAGE) {
            message.encode(target);
        } else {
            fired.encode(target);
        }
    }

    @Override
    public void committed() {
        outcome.committed();
    }

    @Override
    public void failed(StoreException reason) {
        outcome.failed(reason);
    }
}
