package io.anser.broker.flow;

import io.anser.broker.metadata.Topic;
import io.anser.system.Scheduler;
import io.anser.transport.Connection;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/**
 * The sends of one connection that wait, in the order in which they came, and those that will be refused when they have waited
 * long enough. Owned by the event loop of the connection, whose window of requests bounds both.
 */
final class SendLine {
    /** How soon the second look for room in the log comes after the first; each later one takes twice as long. */
    private static final long FIRST_LOOK_NANOS = 5_000_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final SendGate gate;
    private final Connection connection;
    private final Scheduler scheduler;
    private final Queue<HeldSend> held = new ArrayDeque<>();
    private final Queue<DoomedSend> doomed = new ArrayDeque<>();

    /** How many sends are held for each topic. */
    private final Map<String, Integer> topics = new HashMap<>();

    private long nextLookNanos = FIRST_LOOK_NANOS;

    /** Whether the event loop has ended, and the process is about to. */
    private boolean loopHasEnded;

    SendLine(SendGate gate, Connection connection, Scheduler scheduler) {
        this.gate = gate;
        this.connection = connection;
        this.scheduler = scheduler;
    }

    /** The line of a connection, made when it is first needed. */
    static SendLine of(SendGate gate, Connection connection, Scheduler scheduler) {
        return connection.attachment(SendLine.class).orElseGet(() -> {
            SendLine line = new SendLine(gate, connection, scheduler);
            connection.attach(SendLine.class, line);
            return line;
        });
    }

    /** Whether a send to the topic waits, so that another one must not overtake it. */
    boolean holds(Topic topic) {
        return topics.containsKey(topic.name());
    }

    void hold(HeldSend send) {
        held.add(send);
        topics.merge(send.topic().name(), 1, Integer::sum);
        if (held.size() == 1) {
            lookAtHeld();
        }
    }

    /** Refuses a send when it has waited, like one that is held: who sends it again at once would be refused at once. */
    void doom(DoomedSend send) {
        doomed.add(send);
        if (doomed.size() == 1) {
            lookAtDoomed();
        }
    }

    private void lookAtHeld() {
        try {
            long waitNanos = 0;
            while (waitNanos == 0 && !held.isEmpty()) {
                waitNanos = end(held.element());
            }
            if (waitNanos > 0) {
                later(waitNanos, this::lookAtHeld);
            }
        } catch (RuntimeException | Error failure) {
            // Nobody looks again, so none of them may go on waiting for that.
            nextLookNanos = FIRST_LOOK_NANOS;
            while (!held.isEmpty()) {
                gate.broken(removeFirst(), failure);
            }
        }
    }

    private HeldSend removeFirst() {
        HeldSend first = held.remove();
        topics.computeIfPresent(first.topic().name(), (name, count) -> count == 1 ? null : count - 1);
        return first;
    }

    /** Ends the wait of the first in the line if that may be; else nanoseconds until the next look. */
    private long end(HeldSend first) {
        long now = gate.now();
        long toDue = first.dueNanos() - now;
        boolean open = isOpen();
        if (open && toDue > 0) {
            return toDue;
        }
        boolean room = open && gate.hasRoom(first);
        long toDeadline = gate.deadlineNanos(first.sinceNanos()) - now;
        if (open && !room && toDeadline > 0) {
            long look = Math.min(nextLookNanos, toDeadline);
            nextLookNanos *= 2;
            return look;
        }
        nextLookNanos = FIRST_LOOK_NANOS;
        gate.ended(removeFirst(), room);
        return 0;
    }

    private void lookAtDoomed() {
        try {
            while (!doomed.isEmpty()) {
                long toDeadline = gate.deadlineNanos(doomed.element().sinceNanos()) - gate.now();
                if (isOpen() && toDeadline > 0) {
                    later(toDeadline, this::lookAtDoomed);
                    return;
                }
                gate.refuse(doomed.remove());
            }
        } catch (RuntimeException | Error failure) {
            while (!doomed.isEmpty()) {
                doomed.remove().call().fail(failure); // as above
            }
        }
    }

    private void later(long nanos, Runnable look) {
        scheduler.schedule((nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI, () -> {
            try {
                connection.executor().execute(look);
            } catch (RejectedExecutionException ended) {
                loopHasEnded = true;
                look.run(); // gives up what waits
            }
        });
    }

    private boolean isOpen() {
        return !loopHasEnded && connection.isOpen();
    }
}
