package io.anser.store.simulation;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

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

    private final Map<What, LongAdder> counts = new ConcurrentHashMap<>();

    void add(What what, long count) {
        counts.computeIfAbsent(what, any -> new LongAdder()).add(count);
    }

    void add(What what) {
        add(what, 1);
    }

    long of(What what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
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
