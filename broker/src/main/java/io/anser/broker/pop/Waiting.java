package io.anser.broker.pop;

import io.anser.system.Cancellable;
import io.anser.transport.Call;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A request that waits for messages to be popped. Owned by the event loop of its connection. */
abstract class Waiting implements WaitLine.Waiter {
    private final Call call;
    private final PopTopic topic;
    private final int queueId;
    private @Nullable Cancellable deadline;
    private boolean parked;
    private boolean over;

    Waiting(Call call, PopTopic topic, int queueId) {
        this.call = call;
        this.topic = topic;
        this.queueId = queueId;
    }

    final Call call() {
        return call;
    }

    final PopTopic topic() {
        return topic;
    }

    @Override
    public final Executor loop() {
        return call.connection().executor();
    }

    @Override
    public final boolean asksFor(int id) {
        return queueId == id;
    }

    /** Whether it waits for one queue only, so that what it does not get may be for another. */
    final boolean asksForOneQueue() {
        return queueId != PopWish.ANY_QUEUE;
    }

    final void parked(Cancellable timer) {
        parked = true;
        deadline = timer;
    }

    /** Ends the wait, once; false if it has ended before or has never begun. */
    final boolean end() {
        if (over || !parked) {
            return false;
        }
        over = true;
        if (deadline != null) {
            deadline.cancel();
        }
        return true;
    }

    final boolean isOver() {
        return over;
    }

    /** Answers that nothing came in time. */
    abstract void expire();
}
