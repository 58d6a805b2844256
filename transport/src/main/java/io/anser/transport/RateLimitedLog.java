package io.anser.transport;

import io.anser.system.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Warnings that a hostile peer could repeat at will: at most one line a second, with the count of those left out. */
public final class RateLimitedLog {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Logger log;
    private final Clock clock;
    private final AtomicLong notBeforeNanos;
    private final AtomicLong leftOut = new AtomicLong();

    /** Writes to {@code log}; its time comes from {@code clock}. */
    public RateLimitedLog(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
        this.notBeforeNanos = new AtomicLong(clock.nanos());
    }

    /**
     * Logs a warning, or counts it.
     *
     * @param event fixed text that can be searched
     * @param connection whom it is about
     * @param detail what exactly; made safe here
     */
    public void warn(String event, Connection connection, String detail) {
        warn(event, connection.toString(), detail);
    }

    /** The same for a peer that is no {@link Connection} yet. */
    public void warn(String event, String peer, String detail) {
        long now = clock.nanos();
        long notBefore = notBeforeNanos.get();
        if (now - notBefore < 0 || !notBeforeNanos.compareAndSet(notBefore, now + PERIOD_NANOS)) {
            leftOut.incrementAndGet();
            return;
        }
        log.warn("{} peer={} detail=\"{}\" leftOut={}", event, peer, LogText.of(detail), leftOut.getAndSet(0));
    }
}
