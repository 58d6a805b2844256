package io.anser.broker.pop;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The pops of one group that wait for messages of one topic, in the order in which they came. What happens wakes the first of
 * them; one that gets something wakes the next if there may be more. Any thread.
 *
 * <p>No wake-up is lost: a pop reads {@link #events()}, looks, joins the line, and signals it once more if the number has
 * changed meanwhile.
 */
final class WaitLine {
    private final ConcurrentLinkedDeque<Waiter> line = new ConcurrentLinkedDeque<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong events = new AtomicLong();
    private final AtomicBoolean waking = new AtomicBoolean();

    /** One that waits. Owned by its event loop. */
    interface Waiter {
        /** The event loop that it is woken on. */
        Executor loop();

        /** Whether it asks for messages of this queue only. */
        boolean asksFor(int queueId);

        /**
         * Looks for messages and is answered, or joins the line again.
         *
         * @return false if others may find what this one could not have
         */
        boolean look();
    }

    /** How often something has happened; for {@link #join}. */
    long events() {
        return events.get();
    }

    /** How many wait. */
    int size() {
        return size.get();
    }

    /** How many of those that wait asked for this queue. */
    int size(int queueId) {
        return (int) line.stream().filter(each -> each.asksFor(queueId)).count();
    }

    /** Joins the line after a look without success. */
    void join(Waiter waiter, long eventsBeforeTheLook) {
        size.incrementAndGet();
        line.add(waiter);
        if (events.get() != eventsBeforeTheLook) {
            wakeOne();
        }
    }

    /** Leaves the line: its time is over, or its connection has closed. False if it is being woken already. */
    boolean leave(Waiter waiter) {
        boolean left = line.remove(waiter);
        if (left) {
            size.decrementAndGet();
        }
        return left;
    }

    /** Something happened: there may be messages. */
    void signal() {
        events.incrementAndGet();
        wakeOne();
    }

    private void wakeOne() {
        if (size.get() > 0 && waking.compareAndSet(false, true)) {
            long begun = events.get(); // before the size: who joins later sees a number that is higher
            wake(size.get(), begun);
        }
    }

    private void wake(int most, long begun) {
        Waiter first = line.poll();
        if (first == null) {
            waking.set(false);
            if (!line.isEmpty()) {
                wakeOne(); // it came after the look, when nobody could be woken
            }
            return;
        }
        size.decrementAndGet();
        try {
            first.loop().execute(() -> look(first, most, begun));
        } catch (RejectedExecutionException ended) {
            waking.set(false); // the process stops, and nobody is there to be answered
        }
    }

    private void look(Waiter woken, int most, long begun) {
        waking.set(false);
        boolean couldHaveHadIt = woken.look();
        if (!couldHaveHadIt && most > 1) {
            if (size.get() > 0 && waking.compareAndSet(false, true)) {
                wake(most - 1, begun);
            }
        } else if (events.get() != begun) {
            wakeOne(); // what happened meanwhile has woken nobody, and may be for one that joined since
        }
    }
}
