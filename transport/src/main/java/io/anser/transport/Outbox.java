package io.anser.transport;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What other threads want an event loop to write. The push that finds the outbox empty schedules one drain, so a thread
 * that answers a whole batch wakes the loop once, and each connection is flushed once per drain. Pushed from any thread;
 * drained by the event loop. Its length is bounded by the calls in flight of the loop's connections.
 */
final class Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final EventExecutor loop;
    private final AtomicReference<@Nullable Outgoing> newest = new AtomicReference<>();
    private final List<Connection> touched = new ArrayList<>();

    Outbox(EventExecutor loop) {
        this.loop = loop;
    }

    /** Hands an item to the event loop. */
    void push(Outgoing item) {
        Outgoing before;
        do {
            before = newest.get();
            item.next = before;
        } while (!newest.compareAndSet(before, item));
        if (before == null) {
            schedule();
        }
    }

    private void schedule() {
        try {
            loop.execute(this::drain);
        } catch (RejectedExecutionException loopHasEnded) {
            // Nothing can be written any more. The items still release their bodies, on this thread: no other one is
            // left.
            drain();
        }
    }

    private void drain() {
        Outgoing item = oldestFirst(newest.getAndSet(null));
        while (item != null) {
            Outgoing following = item.next;
            item.next = null;
            Connection connection = item.connection();
            write(item, connection);
            if (connection.isFlushDue()) {
                touched.add(connection);
            }
            item = following;
        }
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).flush();
        }
        touched.clear();
    }

    /** The outermost frame of one item: whatever is wrong with it must not lose the others. */
    private static void write(Outgoing item, Connection connection) {
        try {
            item.write();
        } catch (RuntimeException unwritable) {
            LOG.error("connection closed: a frame could not be written connection={}", connection, unwritable);
            connection.close();
        }
    }

    private static @Nullable Outgoing oldestFirst(@Nullable Outgoing newestFirst) {
        Outgoing reversed = null;
        Outgoing item = newestFirst;
        while (item != null) {
            Outgoing older = item.next;
            item.next = reversed;
            reversed = item;
            item = older;
        }
        return reversed;
    }
}
