package io.anser.store.file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The content of one file of a {@link FaultyStorage}, twice: as the running system sees it (its page cache), and as the
 * device has it. What lies between the two is a list of changes, which a power loss may keep in any combination that a
 * device of 512-byte sectors can produce.
 */
final class DeviceFile {
    private static final int SECTOR_BYTES = 512;
    private static final int CACHE_PAGE_BYTES = 4096;
    private static final int FIRST_CAPACITY = 4096;

    /**
     * What was done to a file and not forced yet.
     *
     * @param at where the bytes were written
     * @param bytes what was written; null for a change of the size alone
     * @param size of the file afterwards
     * @param cuts whether the file became shorter
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Change(int at, byte[] bytes, int size, boolean cuts) {}

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int size;
    private boolean mapped;

    private byte[] durable = new byte[FIRST_CAPACITY];
    private int durableSize;
    private final List<Change> unforced = new ArrayList<>();

    /** Whether the device lacks bytes that the system believes to be there, because a force failed. */
    private boolean cacheIsAhead;

    private boolean torn;

    /** The bytes as the running system sees them; the array may be longer than the file. */
    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    /** Whether the power loss that made this file kept a part of what was not forced. */
    boolean isTorn() {
        return torn;
    }

    /** Writes the first {@code length} bytes of a source. */
    void write(ByteBuffer source, long at, int length) {
        byte[] copy = new byte[length];
        source.get(copy);
        int from = (int) at;
        reserve(from + length);
        System.arraycopy(copy, 0, bytes, from, length);
        size = Math.max(size, from + length);
        unforced.add(cacheIsAhead ? wholePages(from, length) : new Change(from, copy, size, false));
    }

    /** A system writes whole pages of its cache: a new write takes bytes along that an earlier, failed force left behind. */
    private Change wholePages(int at, int length) {
        int from = at - at % CACHE_PAGE_BYTES;
        int until = Math.min(size, (at + length + CACHE_PAGE_BYTES - 1) / CACHE_PAGE_BYTES * CACHE_PAGE_BYTES);
        return new Change(from, Arrays.copyOfRange(bytes, from, until), size, false);
    }

    void resize(long newSize) {
        int next = (int) newSize;
        boolean cuts = next < size;
        reserve(next);
        if (cuts) {
            Arrays.fill(bytes, next, size, (byte) 0);
        }
        size = next;
        unforced.add(new Change(0, null, next, cuts));
    }

    void force() {
        for (Change change : unforced) {
            applyToDevice(change, 0, change.bytes == null ? 0 : change.bytes.length);
            setDurableSize(change);
        }
        unforced.clear();
    }

    /**
     * A force that reports an error. The system tells it once and then holds all pages for clean: those that did not reach
     * the device are not written by a later force either, although the system still shows them.
     *
     * @param percent of the changes that did reach the device, oldest first
     */
    void forceFails(int percent) {
        int kept = unforced.size() * percent / 100;
        for (Change change : unforced) {
            if (kept-- > 0) {
                applyToDevice(change, 0, change.bytes == null ? 0 : change.bytes.length);
            } else {
                cacheIsAhead = true;
            }
            setDurableSize(change); // sizes and names are the file system's own, and come with its journal
        }
        unforced.clear();
    }

    private void setDurableSize(Change change) {
        if (change.size > durable.length) {
            durable = Arrays.copyOf(durable, Math.max(change.size, 2 * durable.length));
        }
        if (change.size < durableSize) {
            Arrays.fill(durable, change.size, durableSize, (byte) 0);
        }
        durableSize = change.size;
    }

    private void applyToDevice(Change change, int from, int until) {
        if (until > from) {
            int end = change.at + until;
            if (end > durable.length) {
                durable = Arrays.copyOf(durable, Math.max(end, 2 * durable.length));
            }
            System.arraycopy(change.bytes, from, durable, change.at + from, until - from);
        }
    }

    /** The file as a process finds it that starts after this one was killed. */
    DeviceFile copy() {
        DeviceFile copy = new DeviceFile();
        copy.bytes = Arrays.copyOf(bytes, Math.max(FIRST_CAPACITY, size));
        copy.size = size;
        copy.durable = Arrays.copyOf(durable, Math.max(FIRST_CAPACITY, durableSize));
        copy.durableSize = durableSize;
        copy.unforced.addAll(unforced);
        copy.cacheIsAhead = cacheIsAhead;
        return copy;
    }

    /** The file as it may be after a power loss: all, nothing, or any part of what was not forced. */
    DeviceFile afterPowerLoss(Random random) {
        DeviceFile next = copy();
        next.unforced.clear();
        next.cacheIsAhead = false;
        switch (random.nextInt(4)) {
            case 0 ->
                unforced.forEach(change -> {
                    next.applyToDevice(change, 0, change.bytes == null ? 0 : change.bytes.length);
                    next.setDurableSize(change);
                });
            case 1 -> {
                // nothing arrived
            }
            default -> next.keepAnySectors(unforced, random);
        }
        Arrays.fill(next.durable, next.durableSize, next.durable.length, (byte) 0);
        next.bytes = Arrays.copyOf(next.durable, next.durable.length);
        next.size = next.durableSize;
        return next;
    }

    /**
     * Each sector stops at some change of its own: a device writes sectors in any order, but a sector never has a later
     * write without an earlier one to it. The size stops at one change, too; what lies beyond it is lost.
     */
    private void keepAnySectors(List<Change> changes, Random random) {
        int odds = 1 + random.nextInt(12);
        Set<Integer> stopped = new HashSet<>();
        boolean sizeStopped = false;
        for (Change change : changes) {
            int length = change.bytes == null ? 0 : change.bytes.length;
            for (int from = 0; from < length; ) {
                int sector = (change.at + from) / SECTOR_BYTES;
                int until = Math.min(length, (sector + 1) * SECTOR_BYTES - change.at);
                if (!stopped.contains(sector)) {
                    if (random.nextInt(odds + 1) == 0) {
                        torn = true;
                        stopped.add(sector);
                    } else {
                        applyToDevice(change, from, until);
                    }
                }
                from = until;
            }
            sizeStopped |= change.size != durableSize && random.nextInt(odds + 1) == 0;
            if (!sizeStopped) {
                setDurableSize(change);
            } else if (change.cuts) {
                return; // blocks that a lost cut would have freed take no later writes
            }
        }
    }

    /** Makes the file's memory as large as it will ever get, as a mapping cannot move. */
    void map(int roomBytes) {
        if (!mapped) {
            reserve(Math.max(roomBytes, size));
            mapped = true;
        }
    }

    private void reserve(int capacity) {
        if (capacity > bytes.length) {
            if (mapped) {
                throw new AssertionError("a mapped file outgrew its memory");
            }
            bytes = Arrays.copyOf(bytes, Math.max(capacity, 2 * bytes.length));
        }
    }

    /** Cuts the file as a bad copy would; what is left counts as durable. */
    void truncate(int length) {
        resize(length);
        settle();
    }

    /** Makes the device equal to what the system sees. */
    void settle() {
        unforced.clear();
        durable = bytes.clone();
        durableSize = size;
        cacheIsAhead = false;
    }

    /** Changes a byte, in the cache and on the device. */
    void flip(int at, int mask) {
        bytes[at] ^= (byte) mask;
        if (at < durable.length) {
            durable[at] ^= (byte) mask;
        }
    }
}
