package io.anser.store.simulation;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** What all simulations of a run met, added up. Thread-safe. */
final class Counts {
    /** Things that are counted. */
    enum What {
        SEEDS,
        LIVES,
        OPERATIONS,
        POWER_CUTS,
        KILLS,
        CLEAN_CLOSES,
        CUT_OPENINGS,
        EIO,
        ENOSPC,
        TORN,
        REBUILDS,
        ACKNOWLEDGED
    }

    private final AtomicLongArray counts = new AtomicLongArray(What.values().length);

    void add(What what, long count) {
        counts.addAndGet(what.ordinal(), count);
    }

    void add(What what) {
        add(what, 1);
    }

    long of(What what) {
        return counts.get(what.ordinal());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (What what : What.values()) {
            text.append(what.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .append('=')
                    .append(of(what))
                    .append(' ');
        }
        return text.toString().trim();
    }
}
