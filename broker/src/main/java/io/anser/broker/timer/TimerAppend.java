package io.anser.broker.timer;

import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.EncodedChange;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of one message and the end of its wait, both or neither: so a timer fires once, whatever happens. Or, in
 * place of the delivery, the same message once more, which waits from then on.
 */
final class TimerAppend extends Append {
    private static final int MESSAGE = 0;

    private final NewMessage message;
    private final @Nullable QueueLog real;
    private final EncodedChange fired;
    private final Outcome outcome;

    private TimerAppend(NewMessage message, @Nullable QueueLog real, PendingTimer timer, Outcome outcome) {
        this.message = message;
        this.real = real;
        this.fired = new EncodedChange(new TimerFired(timer));
        this.outcome = outcome;
    }

    /** The delivery of a message. */
    static TimerAppend delivery(NewMessage message, PendingTimer timer, Outcome outcome) {
        return new TimerAppend(message, null, timer, outcome);
    }

    /**
     * A message that waits once more.
     *
     * @param real the queue that it waits for: when its topic is deleted before this append has its place, the append is
     *     refused, or the message would belong to the next topic of that name
     */
    static TimerAppend again(NewMessage message, QueueLog real, PendingTimer timer, Outcome outcome) {
        return new TimerAppend(message, real, timer, outcome);
    }

    @Override
    public boolean makesRoom() {
        return real != null;
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
            checkReal();
            message.encode(target);
        } else {
            fired.encode(target);
        }
    }

    private void checkReal() {
        if (real != null && QueueOffsets.isClosed(real)) {
            throw new StoreException(
                    StoreException.Kind.DROPPED, "topic=" + real.topic() + " was deleted while the message waited");
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
