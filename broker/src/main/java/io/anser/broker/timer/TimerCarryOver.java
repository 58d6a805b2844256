package io.anser.broker.timer;

import io.anser.broker.metadata.BrokerState;
import io.anser.store.retention.CarryOver;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Appends waiting messages again before their segments go. One atomic append holds the copy, which waits from then on, and
 * the record that the old one waits no longer; so whatever happens, the message is delivered once.
 *
 * <p>One round at a time, on a worker.
 */
final class TimerCarryOver implements CarryOver {
    private final BrokerState state;
    private final TimerCopies copies;
    private final Executor workers;
    private final AtomicBoolean running = new AtomicBoolean();

    /** A carry-over beside a delivery. */
    TimerCarryOver(BrokerState state, TimerCopies copies, Executor workers) {
        this.state = state;
        this.copies = copies;
        this.workers = workers;
    }

    /** Returns how many messages were appended again since the start. */
    long carried() {
        return copies.carried();
    }

    @Override
    public void carryOver(long untilPosition, CarryOver.End end) {
        if (running.compareAndSet(false, true)) {
            new CarryOverRound(state, copies, workers, untilPosition, lettingInTheNext(end)).next();
        }
    }

    private CarryOver.End lettingInTheNext(CarryOver.End end) {
        return new CarryOver.End() {
            @Override
            public void free() {
                running.set(false);
                end.free();
            }

            @Override
            public void kept(String reason) {
                running.set(false);
                end.kept(reason);
            }
        };
    }
}
