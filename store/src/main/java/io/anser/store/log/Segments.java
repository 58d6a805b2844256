package io.anser.store.log;

import io.anser.store.file.OwnFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a log, in order and without gaps. Each is named by the 20-digit log position of its first byte, a multiple of
 * the segment size; those behind the log's tail are prepared ahead of use and hold zeros.
 *
 * <p>Any thread finds segments, without a lock: the array that holds them is replaced and never changed. The log-preparer and
 * the log writer add at the end, one worker at a time removes from the front, recovery alone cuts. The lock {@code additions}
 * is held while a segment is made, for the first two may want the same one; it is held through a file operation. The lock
 * {@code changes} is held for the few instructions that replace the array, by whoever adds or removes; within it no other
 * lock is taken.
 */
final class Segments {
    private static final Logger LOG = LoggerFactory.getLogger(Segments.class);
    private static final String DIRECTORY = "log";

    private static final Pattern NAME = Pattern.compile("\\d{20}");

    static final OwnFiles OWN_FILES = new OwnFiles(DIRECTORY, NAME, false, false);

    private final Storage storage;
    private final int segmentBytes;
    private final Object changes = new Object();
    private final Object additions = new Object();
    private volatile Segment[] all;

    private Segments(Storage storage, int segmentBytes, Segment[] all) {
        this.storage = storage;
        this.segmentBytes = segmentBytes;
        this.all = all;
    }

    /**
     * Opens all that are there, and makes those that are missing between others, or the first one of a new log. What is no
     * segment is reported and left alone.
     *
     * <p>Every segment is locked with the system as long as it is open. That keeps other processes away also when somebody
     * has removed the store's file {@code LOCK}: who wants the log has to have its segments.
     *
     * @param first where the first one of a new log starts
     * @param missing is given the positions of those that were made between others, the lowest first
     * @throws StoreException IO when another process has one of them
     */
    static Segments open(Storage storage, int segmentBytes, long first, List<Long> missing) throws IOException {
        TreeSet<Long> there = new TreeSet<>();
        for (String name : storage.list(DIRECTORY)) {
            long base = basePosition(name, segmentBytes);
            if (base >= 0) {
                there.add(base);
            } else {
                LOG.warn(
                        "not a segment of {} bytes, left alone file={}",
                        segmentBytes,
                        storage.describe(DIRECTORY + "/" + name));
            }
        }
        if (there.isEmpty()) {
            there.add(first);
        }
        Deque<Segment> opened = new ArrayDeque<>();
        // The newest first: another process that has the log is met there before a gap is filled, or a segment is made
        // that it has just removed.
        for (long base = there.last(); base >= there.first(); base -= segmentBytes) {
            opened.addFirst(open(storage, segmentBytes, base));
            if (!there.contains(base)) {
                missing.add(0, base);
            }
        }
        // Also for segments that were found: a process that was killed before it forced the name of a new one left it
        // so.
        storage.forceDirectory(DIRECTORY);
        storage.forceDirectory("");
        return new Segments(storage, segmentBytes, opened.toArray(new Segment[0]));
    }

    private static Segment open(Storage storage, int segmentBytes, long base) throws IOException {
        return new Segment(base, segmentBytes, storage.openLocked(path(base)));
    }

    /** The names of files in the folder that are segments, or of those that are none. */
    static List<String> names(Storage storage, int segmentBytes, boolean segments) throws IOException {
        return storage.list(DIRECTORY).stream()
                .filter(name -> segments == basePosition(name, segmentBytes) >= 0)
                .toList();
    }

    /** The position a segment's name gives; negative when it is not the name of a segment. */
    private static long basePosition(String name, int segmentBytes) {
        if (!NAME.matcher(name).matches()) {
            return -1;
        }
        try {
            long base = Long.parseLong(name);
            return base % segmentBytes == 0 ? base : -1;
        } catch (NumberFormatException e) {
            return -1; // twenty digits can be more than a position
        }
    }

    private static String path(long base) {
        return DIRECTORY + "/" + String.format("%020d", base);
    }

    /** Position of the first byte. */
    long min() {
        return all[0].base();
    }

    /** Position behind the last segment. */
    long limit() {
        Segment[] now = all;
        return now[now.length - 1].base() + segmentBytes;
    }

    /** The segment that holds a position, which must be in {@code [min, limit)}. */
    Segment at(long position) {
        Segment[] now = all;
        long at = (position - now[0].base()) / segmentBytes;
        if (position < now[0].base() || at >= now.length) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "position=" + position + " is not in the log, which has [" + now[0].base() + ","
                            + (now[0].base() + (long) now.length * segmentBytes) + ")");
        }
        return now[(int) at];
    }

    /** The segment at the end. */
    Segment last() {
        Segment[] now = all;
        return now[now.length - 1];
    }

    /** Up to where files reach without a gap behind a position. */
    long reachedFrom(long position) {
        Segment[] now = all;
        long until = position;
        for (int at = (int) ((position - now[0].base()) / segmentBytes); at < now.length; at++) {
            until = Math.max(until, now[at].base() + now[at].fileBytes());
            if (now[at].fileBytes() < segmentBytes) {
                break;
            }
        }
        return until;
    }

    /** The segments from the one of a position on. */
    List<Segment> from(long position) {
        Segment[] now = all;
        return Arrays.asList(now).subList(distance(now[0].base(), position), now.length);
    }

    /** The segments before the one of a position. */
    List<Segment> before(long position) {
        Segment[] now = all;
        return Arrays.asList(now).subList(0, distance(now[0].base(), position));
    }

    /** How many segments there are between the start of one and a position, a begun one not counted; 0 for a position before it. */
    private int distance(long base, long position) {
        return (int) (Math.max(0, position - base) / segmentBytes);
    }

    /** Makes sure that a segment was not removed or replaced, as far as the device tells. */
    private void requireInPlace(Segment segment) throws IOException {
        boolean inPlace;
        try {
            inPlace = segment.isInPlace();
        } catch (IOException e) {
            LOG.warn(
                    "the device does not tell whether a segment is in its place, going on file={}",
                    describe(segment.base()),
                    e);
            return;
        }
        if (!inPlace) {
            throw removedOrReplaced(segment);
        }
    }

    /** The failure of who wanted to write to a segment, or behind it. */
    IOException removedOrReplaced(Segment segment) {
        return new IOException(describe(segment.base()) + " was removed or replaced");
    }

    /** Adds the segment at a position and makes its name durable; does nothing when it is there. */
    void add(long base) throws IOException {
        synchronized (additions) {
            if (base == limit()) {
                requireInPlace(at(base - 1)); // or it would be made in the folder of somebody else
                Segment next = open(storage, segmentBytes, base);
                storage.forceDirectory(DIRECTORY);
                append(next);
            }
        }
    }

    private void append(Segment next) {
        synchronized (changes) {
            Segment[] more = Arrays.copyOf(all, all.length + 1);
            more[more.length - 1] = next;
            all = more;
        }
    }

    /**
     * Removes those that lie wholly before a position, the oldest first and each for good before the next, so that a crash
     * leaves no gap. The last one stays. One thread at a time.
     *
     * @return how many went
     */
    int removeBefore(long position) throws IOException {
        int count = 0;
        while (all.length > 1 && all[0].base() + segmentBytes <= position) {
            Segment first = all[0];
            first.leave();
            storage.delete(path(first.base()));
            storage.forceDirectory(DIRECTORY);
            synchronized (changes) {
                all = Arrays.copyOfRange(all, 1, all.length);
            }
            first.close();
            count++;
        }
        return count;
    }

    /**
     * Cuts everything from a position on, durably: later segments first, so that a crash leaves no gap. Recovery only.
     *
     * @param aside positions of segments whose files are not deleted but get another name
     */
    void cut(long position, Set<Long> aside) throws IOException {
        Segment[] now = all;
        int last = now.length - 1;
        while (last > 0 && now[last].base() >= position) {
            now[last].close();
            long base = now[last].base();
            if (aside.contains(base)) {
                setAside(path(base));
            } else {
                storage.delete(path(base));
            }
            storage.forceDirectory(DIRECTORY);
            last--;
        }
        now[last].cut((int) (position - now[last].base()));
        all = Arrays.copyOf(now, last + 1);
    }

    private void setAside(String path) throws IOException {
        String kept = path + ".aside";
        for (int other = 2; storage.exists(kept); other++) {
            kept = path + ".aside-" + other;
        }
        LOG.error(
                "a file behind the end of the log holds records of another log or of another place, set aside file={} as={};"
                        + " see where it belongs, then delete it",
                storage.describe(path),
                storage.describe(kept));
        storage.rename(path, kept);
    }

    /** The file that holds a position, as people need it in an error text. */
    String describe(long position) {
        return storage.describe(path(position - position % segmentBytes));
    }
}
