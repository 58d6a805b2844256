package io.anser.bench.load;

import io.anser.system.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs connections: warms up, opens the window that counts, closes it, and waits for what is still in flight. Between warm-up
 * and window the load does not pause. Runs on the calling thread.
 */
public final class LoadLoop {
    private static final long DRAIN_MILLIS = 100;
    private static final long DRAIN_NANOS = 10_000_000_000L;

    /** Told when the window that counts opens and closes. */
    public interface Window {
        /** The warm-up is over. */
        void opened();

        /** What follows does not count any more. */
        void closed();

        /** Whether it closes before its time. */
        default boolean isOver() {
            return false;
        }
    }

    /** A window that nobody watches. */
    public static final Window NO_WINDOW = new Window() {
        @Override
        public void opened() {}

        @Override
        public void closed() {}
    };

    /** Whether a phase is over, after so many nanoseconds and messages of it. */
    private interface End {
        boolean isReached(long nanos, long messages);
    }

    private final Selector selector;
    private final List<LoadConnection> connections;
    private final Tally tally;
    private final Clock clock;
    private final long selectMillis;
    private final Consumer<SelectionKey> serve = LoadLoop::serve;

    LoadLoop(Selector selector, List<LoadConnection> connections, Tally tally, Clock clock) {
        this.selector = selector;
        this.connections = connections;
        this.tally = tally;
        this.clock = clock;
        this.selectMillis = connections.stream()
                .mapToLong(LoadConnection::patienceMillis)
                .min()
                .orElse(DRAIN_MILLIS);
    }

    /**
     * Runs the load to its end and closes its connections.
     *
     * @return length of the window in nanoseconds
     * @throws UncheckedIOException if the server closes a connection
     */
    public long run(Limits limits, Window window) {
        try (selector) {
            phase(limits.warm()::isOver);
            tally.clear();
            window.opened();
            long from = clock.nanos();
            phase((nanos, messages) -> limits.isOver(nanos, messages) || window.isOver());
            long length = clock.nanos() - from;
            window.closed();
            drain();
            return length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void phase(End end) throws IOException {
        long from = clock.nanos();
        while (!end.isReached(clock.nanos() - from, tally.messages())) {
            for (int i = 0; i < connections.size(); i++) {
                LoadConnection connection = connections.get(i);
                connection.request();
                connection.write();
            }
            selector.select(serve, selectMillis);
        }
    }

    private static void serve(SelectionKey key) {
        try {
            LoadConnection connection = (LoadConnection) key.attachment();
            if (key.isReadable()) {
                connection.read();
            }
            if (key.isValid() && key.isWritable()) {
                connection.write();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers that come now are not counted; a server that owes them would be stopped in the middle of its work. */
    private void drain() throws IOException {
        long from = clock.nanos();
        while (inFlight() > 0 && clock.nanos() - from < DRAIN_NANOS) {
            for (LoadConnection connection : connections) {
                connection.write();
            }
            selector.select(serve, DRAIN_MILLIS);
        }
        for (LoadConnection connection : connections) {
            connection.close();
        }
    }

    private int inFlight() {
        return connections.stream().mapToInt(LoadConnection::inFlight).sum();
    }
}
