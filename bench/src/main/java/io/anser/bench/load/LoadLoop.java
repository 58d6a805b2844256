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

    /** A part of the warm-up behind its least length: so long, or so many messages. */
    private static final long PULSE_NANOS = 2_000_000_000L;

    private static final long PULSE_MESSAGES = 500_000;

    /** A pulse in which the compilers used less than this share of a core found a server that is warm. */
    private static final double COMPILING_MAX = 0.05;

    /** The compilers have nothing left to do when they used no more than one tick of the kernel in this time. */
    private static final long REST_NANOS = 300_000_000L;

    private static final double REST_SECONDS = 0.015;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Told when the window that counts opens and closes. */
    public interface Window {
        /** CPU seconds that the server's JIT compilers have used so far. */
        default double compilerSeconds() {
            return 0;
        }

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
            warmUp(limits.warm(), window);
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

    /**
     * The least warm-up, then pulses until one finds the compilers idle. Before each pulse the load pauses until they have
     * compiled what they were asked for, because on a busy machine they come to it late.
     */
    private void warmUp(Limits.WarmUp warm, Window window) throws IOException {
        long from = clock.nanos();
        phase(warm::isOver);
        boolean compiles = true;
        while (compiles && !warm.isExhausted(clock.nanos() - from, tally.messages())) {
            awaitRest(window, from, warm);
            double usedBefore = window.compilerSeconds();
            long pulseFrom = clock.nanos();
            long sent = tally.messages();
            phase((nanos, messages) -> nanos >= PULSE_NANOS || messages - sent >= PULSE_MESSAGES);
            double seconds = (clock.nanos() - pulseFrom) / NANOS_PER_SECOND;
            compiles = window.compilerSeconds() - usedBefore > COMPILING_MAX * seconds;
        }
    }

    private void awaitRest(Window window, long warmFrom, Limits.WarmUp warm) throws IOException {
        boolean rests = false;
        while (!rests && !warm.isExhausted(clock.nanos() - warmFrom, tally.messages())) {
            double used = window.compilerSeconds();
            long from = clock.nanos();
            while (clock.nanos() - from < REST_NANOS) {
                selector.select(serve, DRAIN_MILLIS);
            }
            rests = window.compilerSeconds() - used <= REST_SECONDS;
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
