package io.anser.bench.reliability;

import java.util.List;

/**
 * How a test or a chaos scenario last ended.
 *
 * @param evidence {@code Class#method}, {@code Class} for all its tests, or {@code chaos:scenario}
 * @param result what came of it
 * @param repeats how many runs the result speaks for: repetitions, cases with parameters, runs of a scenario
 * @param seeds what a test with random choices says of its seeds; empty for others
 * @param commit short id of the commit that was tested
 * @param date day of the run, such as {@code 2026-11-30}
 */
record Outcome(String evidence, Result result, int repeats, String seeds, String commit, String date) {
    private static final String SEPARATOR = ";";
    private static final int FIELDS = 6;

    /** What came of a test. */
    enum Result {
        /** All runs passed. */
        PASSED,
        /** At least one failed. */
        FAILED,
        /** None failed, and at least one was left out. */
        SKIPPED;

        /** The worse of two. */
        Result and(Result other) {
            if (this == FAILED || other == FAILED) {
                return FAILED;
            }
            return this == SKIPPED ? this : other;
        }
    }

    /** Both as one, where they are runs of the same. */
    Outcome and(Outcome other) {
        return new Outcome(
                evidence,
                result.and(other.result),
                repeats + other.repeats,
                seeds.isEmpty() ? other.seeds : seeds,
                commit,
                date);
    }

    /**
     * Reads a line of the file of results.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Outcome parse(String line) {
        List<String> fields = List.of(line.split(SEPARATOR, -1));
        if (fields.size() != FIELDS) {
            throw new IllegalArgumentException("a result has " + FIELDS + " fields: " + line);
        }
        return new Outcome(
                fields.get(0),
                Result.valueOf(fields.get(1)),
                Integer.parseInt(fields.get(2)),
                fields.get(3),
                fields.get(4),
                fields.get(5));
    }

    /** A line of the file of results. */
    String line() {
        return String.join(SEPARATOR, evidence, result.name(), Integer.toString(repeats), seeds, commit, date);
    }
}
