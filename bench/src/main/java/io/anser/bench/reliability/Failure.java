package io.anser.bench.reliability;

import java.util.List;

/**
 * A kind of failure, and what shows how the product stands it.
 *
 * @param text the failure, for a reader
 * @param evidence names as {@link Outcome} has them; empty where no test covers it
 */
record Failure(String text, List<String> evidence) {
    private static final String SEPARATOR = ";";

    /** Copies the list. */
    Failure {
        evidence = List.copyOf(evidence);
    }

    /** Reads a line of the list: the failure, and behind each semicolon one piece of evidence. */
    static Failure parse(String line) {
        List<String> fields =
                List.of(line.split(SEPARATOR)).stream().map(String::trim).toList();
        return new Failure(fields.get(0), fields.subList(1, fields.size()));
    }
}
