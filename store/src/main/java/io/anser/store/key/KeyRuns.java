package io.anser.store.key;

import java.util.ArrayList;
import java.util.List;

/**
 * What look-ups see: the files in the order of the log, which do not overlap but may leave gaps, and behind them the run in
 * memory that grows. Unchanging but for that growth.
 *
 * @param files oldest first
 * @param active the newest run
 */
record KeyRuns(List<KeyFile> files, MemoryRun active) {
    KeyRuns {
        files = List.copyOf(files);
    }

    /** With one more file, wherever it belongs. */
    KeyRuns with(KeyFile file) {
        List<KeyFile> more = new ArrayList<>(files);
        int at = 0;
        while (at < more.size() && more.get(at).from() < file.from()) {
            at++;
        }
        more.add(at, file);
        return new KeyRuns(more, active);
    }

    /** Without some files. */
    KeyRuns without(List<KeyFile> gone) {
        List<KeyFile> fewer = new ArrayList<>(files);
        fewer.removeAll(gone);
        return new KeyRuns(fewer, active);
    }

    /** With another run that grows. */
    KeyRuns withActive(MemoryRun next) {
        return new KeyRuns(files, next);
    }

    /** The end of the newest gap; -1 when everything from a position on is covered. */
    long newestGapUntil(long minPosition) {
        long covered = active.from();
        for (int file = files.size() - 1; file >= 0 && covered > minPosition; file--) {
            if (files.get(file).until() < covered) {
                return covered;
            }
            covered = files.get(file).from();
        }
        return covered > minPosition ? covered : -1;
    }

    /** The start of the gap that ends at a position. */
    long gapFrom(long until, long minPosition) {
        long from = minPosition;
        for (KeyFile file : files) {
            if (file.until() <= until) {
                from = Math.max(from, file.until());
            }
        }
        return from;
    }

    /** Bytes of the retained log that no run covers. */
    long missingBytes(long minPosition) {
        long missing = Math.max(0, active.from() - minPosition);
        for (KeyFile file : files) {
            missing -= Math.max(0, file.until() - Math.max(minPosition, file.from()));
        }
        return Math.max(0, missing);
    }
}
