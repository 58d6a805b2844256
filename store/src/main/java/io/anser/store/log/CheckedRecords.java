package io.anser.store.log;

import java.util.Arrays;

/** The stretches of one segment whose records were checked: each begins and ends between two records. */
final class CheckedRecords {
    /** From and until of each stretch, ascending, not touching. A new array for every change; changed under this lock. */
    private volatile int[] bounds = {};

    /** Whether all of {@code [from, until)} was checked. Any thread. */
    boolean contains(int from, int until) {
        int[] all = bounds;
        int stretch = lastStartingAtOrBefore(all, from);
        return stretch >= 0 && until <= all[stretch + 1];
    }

    /** The end of the stretch that holds an offset; the offset itself when none does. */
    int endOf(int at) {
        int[] all = bounds;
        int stretch = lastStartingAtOrBefore(all, at);
        return stretch >= 0 ? Math.max(at, all[stretch + 1]) : at;
    }

    /** The nearest place at or before an offset that lies between two records for certain. */
    int boundaryBefore(int at) {
        int[] all = bounds;
        int stretch = lastStartingAtOrBefore(all, at);
        if (stretch < 0) {
            return 0;
        }
        return all[stretch + 1] <= at ? all[stretch + 1] : all[stretch];
    }

    /** Adds a stretch. */
    synchronized void add(int from, int until) {
        int[] all = bounds;
        int[] next = new int[all.length + 2];
        int count = 0;
        int first = from;
        int last = until;
        int at = 0;
        for (; at < all.length && all[at + 1] < from; at += 2) {
            next[count++] = all[at];
            next[count++] = all[at + 1];
        }
        for (; at < all.length && all[at] <= until; at += 2) {
            first = Math.min(first, all[at]);
            last = Math.max(last, all[at + 1]);
        }
        next[count++] = first;
        next[count++] = last;
        for (; at < all.length; at++) {
            next[count++] = all[at];
        }
        bounds = Arrays.copyOf(next, count);
    }

    /** Index of a stretch's start in the bounds; -1 for none. */
    private static int lastStartingAtOrBefore(int[] all, int at) {
        int low = 0;
        int high = all.length / 2;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (all[2 * middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return 2 * (low - 1) < 0 ? -1 : 2 * (low - 1);
    }
}
