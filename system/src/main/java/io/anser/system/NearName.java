package io.anser.system;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody may have meant by a name that nobody knows. Pure. */
public final class NearName {
    /** One letter in so many may be wrong. */
    private static final int LETTERS_PER_MISTAKE = 3;

    /** Nobody mistypes what is longer. */
    private static final int MAX_LETTERS = 100;

    private NearName() {}

    /**
     * Returns the known name that is nearest: at most a third of its letters differ, whatever their case, or it is the given
     * one with a group in front, such as {@code store.durability} for {@code durability}.
     *
     * @return empty when none is near: to name any would lead astray
     */
    public static Optional<String> of(String name, Collection<String> known) {
        if (name.isEmpty() || name.length() > MAX_LETTERS) {
            return Optional.empty();
        }
        String typed = name.toLowerCase(Locale.ROOT);
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            String lower = candidate.toLowerCase(Locale.ROOT);
            int distance = lower.endsWith("." + typed) ? 1 : distance(typed, lower);
            boolean near = distance * LETTERS_PER_MISTAKE <= Math.max(typed.length(), lower.length());
            if (near && distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /** Returns the same as the end of a sentence, such as {@code ; did you mean store.durability?}; empty for none. */
    public static String advice(String name, Collection<String> known) {
        return of(name, known).map(near -> "; did you mean " + near + "?").orElse("");
    }

    /** How many single-letter changes turn one word into another (Levenshtein). */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitution = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(substitution, 1 + Math.min(previous[j], current[j - 1]));
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return previous[b.length()];
    }
}
