package io.anser.bench.stats;

/**
 * A figure that must be reached.
 *
 * @param name what is compared with what
 * @param bound the limit
 * @param atMost whether the figure must not exceed the limit; otherwise it must not be below it
 */
public record Target(String name, double bound, boolean atMost) {
    /** Fewer quiet runs than this decide nothing. */
    public static final int RUNS_MIN = 5;

    /** What the runs say about a target. */
    public enum Verdict {
        /** The median of enough quiet runs reaches it. */
        PASS("pass"),
        /** The median of enough quiet runs misses it. */
        FAIL("fail"),
        /** Too few runs on a machine that did nothing else. */
        NONE("not a verdict");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        /** The verdict for a reader. */
        public String words() {
            return words;
        }
    }

    /** A figure that must not be above the limit. */
    public static Target atMost(String name, double bound) {
        return new Target(name, bound, true);
    }

    /** A figure that must not be below the limit. */
    public static Target atLeast(String name, double bound) {
        return new Target(name, bound, false);
    }

    /**
     * Judges a figure.
     *
     * @param quietRuns the spread over the runs during which the machine did nothing else
     */
    public Verdict judge(Spread quietRuns) {
        if (quietRuns.runs() < RUNS_MIN) {
            return Verdict.NONE;
        }
        return reached(quietRuns.median()) ? Verdict.PASS : Verdict.FAIL;
    }

    private boolean reached(double figure) {
        return atMost ? figure <= bound : figure >= bound;
    }

    /** The limit for a reader. */
    public String text() {
        return name + (atMost ? " <= " : " >= ") + Spread.number(bound);
    }
}
