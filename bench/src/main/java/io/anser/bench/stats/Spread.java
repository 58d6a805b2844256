package io.anser.bench.stats;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;

/**
 * One figure over several runs.
 *
 * @param median the middle one, or the mean of the two middle ones
 * @param min the least
 * @param max the largest
 * @param runs how many there were, at least 1
 */
public record Spread(double median, double min, double max, int runs) {

    /**
     * The spread of these values.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no values, no spread");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    /** Median and, with more than one run, the range: {@code 0.24 (0.22..0.27)}. */
    public String text() {
        return runs == 1 ? number(median) : number(median) + " (" + number(min) + ".." + number(max) + ")";
    }

    /** A number with about three digits that count, thousands separated. */
    static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
