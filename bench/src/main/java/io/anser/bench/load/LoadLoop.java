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
    private static final long SELECT_MILLIS = 100;
    private static final long DRAIN_NANOS = 10_000_000_000L;

    /** Told when the window that counts opens and closes. */
    public interface Window {
        /** The warm-up is over. */
        void opened();

        /** What follows does not count any more. */
        void closed();
    }

    private final Selector selector;
    private final List<LoadConnection> connections;
    private final Tally tally;
    private final Clock clock;
    private final Consumer<SelectionKey> serve = LoadLoop::serve;

    LoadLoop(Selector selector, List<LoadConnection> connections, Tally tally, Clock clock) {
        this.selector = selector;
        this.connections = connections;
        this.tally = tally;
        this.clock = clock;
    }

    /**
     * Runs the load to its end and closes its connections.
     *
     * @return length of the window in nanoseconds
     * @throws UncheckedIOException if the server closes a connection
     */
    public long run(Limits limits, Window window) {
        try (selector) {
            phase(limits.warmNanos(), limits.warmMessages());
            tally.clear();
            window.opened();
            long from = clock.nanos();
            phase(limits.nanos(), limits.messages());
            long nanos = clock.nanos() - from;
            window.closed();
            drain();
            return nanos;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void phase(long nanos, long messages) throws IOException {
        long from = clock.nanos();
        while (tally.messages() < messages && clock.nanos() - from < nanos) {
            for (int i = 0; i < connections.size(); i++) {
                LoadConnection connection = connections.get(i);
                connection.request();
                connection.write();
            }
            selector.select(serve, SELECT_MILLIS);
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
            selector.select(serve, SELECT_MILLIS);
        }
        for (LoadConnection connection : connections) {
            connection.close();
        }
    }

    private int inFlight() {
        return connections.stream().mapToInt(LoadConnection::inFlight).sum();
    }
}
