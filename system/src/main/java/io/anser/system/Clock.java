package io.anser.system;

/** A source of time. Implementations are thread-safe. */
public interface Clock {
    /** Milliseconds since 1970-01-01T00:00Z; may step in either direction when the machine's clock is set. */
    long wallMillis();

    /** Nanoseconds from an arbitrary origin; never goes back. Use it for durations, leases and deadlines. */
    long nanos();

    /** The machine's own clocks. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
