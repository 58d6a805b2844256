package io.anser.store.simulation;

import io.anser.system.Clock;
import io.anser.system.VirtualTime;
import java.time.Duration;

/** Virtual time that passes while it is looked at, so that nobody waits in vain for ever. */
record PassingClock(VirtualTime time) implements Clock {
    private static final Duration STEP = Duration.ofNanos(100_000);

    @Override
    public long wallMillis() {
        return time.wallMillis();
    }

    @Override
    public long nanos() {
        time.advance(STEP);
        return time.nanos();
    }
}
