package io.anser.raft.engine;

import java.util.function.IntPredicate;

/**
 * Gives elections more time while none succeeds: on a starved machine answers come later than the election time-out, and
 * members would interrupt one another for ever. Once there has been a leader for a while, the time-out is the configured one
 * again. Owned by the timer thread.
 */
final class ElectionPatience {
    /** Looks without a leader, after which the time-out is doubled; an election takes one to three. */
    static final int LOOKS_WITHOUT_LEADER = 6;

    /** Looks with a leader in a row, after which the time-out is the configured one. */
    static final int LOOKS_WITH_LEADER = 10;

    /** Most that the configured time-out is multiplied with. */
    static final int FACTOR_MAX = 8;

    private final int configuredMillis;
    private final IntPredicate change;
    private int factor = 1;
    private int looksWithout;
    private int looksWith;

    /**
     * Patience of one member.
     *
     * @param configuredMillis the election time-out, and the time between two looks
     * @param change takes the time-out that holds from now on; false when it could not, and wants to be asked at the next look
     */
    ElectionPatience(int configuredMillis, IntPredicate change) {
        this.configuredMillis = configuredMillis;
        this.change = change;
    }

    /** Notes whether there is a leader now. */
    void look(boolean leaderKnown) {
        if (leaderKnown) {
            looksWithout = 0;
            looksWith++;
            if (looksWith >= LOOKS_WITH_LEADER) {
                become(1);
            }
            return;
        }
        looksWith = 0;
        looksWithout++;
        if (looksWithout >= LOOKS_WITHOUT_LEADER && become(Math.min(2 * factor, FACTOR_MAX))) {
            looksWithout = 0;
        }
    }

    /** Whether that factor holds now. */
    private boolean become(int next) {
        if (next != factor && change.test(configuredMillis * next)) {
            factor = next;
        }
        return factor == next;
    }
}
