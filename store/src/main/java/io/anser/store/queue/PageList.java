package io.anser.store.queue;

import java.util.Arrays;

/**
 * The numbers of a queue's full pages. The committing thread fills slots behind the last one; those that were filled never
 * change. Pages before the first have been given up with their messages.
 */
final class PageList {
    /** Stands for no page. */
    static final long NONE = -1;

    private static final int FIRST_ROOM = 2;
    private static final int[] NO_NUMBERS = {};

    /** Which page of the queue the first number is for: queue offsets of a page, divided by the slots of one. */
    final long first;

    private final int[] numbers;

    private PageList(long first, int[] numbers) {
        this.first = first;
        this.numbers = numbers;
    }

    /** A list whose first page will be that one. */
    static PageList startingAt(long first) {
        return new PageList(first, NO_NUMBERS);
    }

    /** A list of these pages. */
    static PageList of(long first, int[] numbers) {
        return new PageList(first, numbers);
    }

    /** The number of a page as an unsigned integer; {@link #NONE} when it was given up. */
    long number(long page) {
        long at = page - first;
        return at < 0 || at >= numbers.length ? NONE : Integer.toUnsignedLong(numbers[(int) at]);
    }

    /**
     * The list with one more page at its end: this one while it has room, else a new one without those given up.
     *
     * @param keepFrom the first page that is still needed
     */
    PageList with(long page, int number, long keepFrom) {
        int at = (int) (page - first);
        if (at < numbers.length) {
            numbers[at] = number;
            return this;
        }
        PageList grown = trimmed(Math.max(first, Math.min(keepFrom, page)), page);
        int used = (int) (page - grown.first);
        int[] next = Arrays.copyOf(grown.numbers, Math.max(FIRST_ROOM, 2 * used));
        next[used] = number;
        return new PageList(grown.first, next);
    }

    /** How many numbers the list has memory for. */
    int room() {
        return numbers.length;
    }

    /** The list of the pages in {@code [from, until)} alone. */
    PageList trimmed(long from, long until) {
        return new PageList(from, Arrays.copyOfRange(numbers, (int) (from - first), (int) (until - first)));
    }
}
