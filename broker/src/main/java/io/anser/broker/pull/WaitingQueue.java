package io.anser.broker.pull;

import io.anser.store.queue.QueueLog;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The pulls of one event loop that wait for one queue. The pulls are owned by the loop; {@link #signal} is for any
 * thread.
 */
final class WaitingQueue {
    private final QueueLog queue;
    private final ParkingLoop loop;
    private final Set<ParkedPull> pulls = new LinkedHashSet<>();
    private final AtomicBoolean signalled = new AtomicBoolean();

    WaitingQueue(QueueLog queue, ParkingLoop loop) {
        this.queue = queue;
        this.loop = loop;
    }

    QueueLog queue() {
        return queue;
    }

    Set<ParkedPull> pulls() {
        return pulls;
    }

    /** Tells the loop, once until it has looked, that the queue has more messages. */
    void signal() {
        if (signalled.compareAndSet(false, true)) {
            loop.arrived(this);
        }
    }

    /** Called by the loop before it looks, so that a message that comes while it looks signals again. */
    void clearSignal() {
        signalled.set(false);
    }
}
