package io.anser.store.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of the log whose records are lost: bytes that were on the device once and do not check out any more. They are
 * reported once each and never handed out. Any thread.
 */
public final class DamagedRanges {
    /** Most ranges that are kept apart; beyond it a new one is joined with its neighbour, and what lies between is lost too. */
    static final int RANGES_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(DamagedRanges.class);

    /** In order, not touching within a file. A new array for every change. */
    private volatile Range[] ranges = {};

    /** No damage. */
    public DamagedRanges() {}

    /**
     * Log positions {@code [from, until)} of one file.
     *
     * @param file where it is, as people need it
     */
    public record Range(long from, long until, String file) {
        /** Length in bytes. */
        public long bytes() {
            return until - from;
        }
    }

    /** Adds a range within one file and reports it, unless all of it is known. */
    synchronized void mark(long from, long until, String file) {
        long first = from;
        long last = until;
        List<Range> next = new ArrayList<>(ranges.length + 1);
        for (Range range : ranges) {
            if (!range.file.equals(file) || range.until < first || range.from > last) {
                next.add(range);
            } else if (range.from <= from && range.until >= until) {
                return;
            } else {
                first = Math.min(first, range.from);
                last = Math.max(last, range.until);
            }
        }
        int at = 0;
        while (at < next.size() && next.get(at).from < first) {
            at++;
        }
        next.add(at, new Range(first, last, file));
        if (next.size() > RANGES_MAX) {
            join(next, Math.max(1, at));
        }
        ranges = next.toArray(new Range[0]);
        LOG.error(
                "log damaged, its messages are left out file={} fromPosition={} untilPosition={} bytes={};"
                        + " restore the file from a backup or a replica to have them back",
                file,
                first,
                last,
                last - first);
    }

    private static void join(List<Range> ranges, int second) {
        Range lower = ranges.get(second - 1);
        Range upper = ranges.remove(second);
        ranges.set(second - 1, new Range(lower.from, upper.until, lower.file));
    }

    /** Whether any byte of {@code [from, until)} is damaged. */
    public boolean intersects(long from, long until) {
        Range[] all = ranges;
        if (all.length == 0) {
            return false;
        }
        int low = 0;
        int high = all.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (all[middle].until <= from) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < all.length && all[low].from < until;
    }

    /** All ranges, by position. */
    public List<Range> ranges() {
        return List.copyOf(Arrays.asList(ranges));
    }

    /** Bytes in all ranges. */
    public long bytes() {
        long bytes = 0;
        for (Range range : ranges) {
            bytes += range.bytes();
        }
        return bytes;
    }
}
