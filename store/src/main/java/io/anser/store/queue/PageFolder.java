package io.anser.store.queue;

import io.anser.store.file.OwnFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreFile;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that index pages stand in, numbered, each with the same number of pages. Whatever a full file holds lies before
 * the log position at which the next one was begun; so the files go from the front, as the log's segments do, and an index of
 * constant size has files of constant size. Page numbers begin again at 0 after 2^32 pages.
 *
 * <p>Any thread finds a file. The committing thread begins files, a worker removes them.
 */
final class PageFolder implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(PageFolder.class);
    private static final String DIRECTORY = "index";
    private static final String PREFIX = "queue-pages";

    /** With or without a number: others, such as what was set aside, are not ours. */
    static final OwnFiles OWN_FILES = new OwnFiles(DIRECTORY, Pattern.compile(PREFIX + "(-\\d{10})?"), true, true);

    private static final int FILE_BYTES_MIN = 64 << 10;
    private static final int FILE_BYTES_MAX = 16 << 20;

    /** An index file is so much smaller than a segment: with messages of about 1 KB both then live about as long. */
    private static final int SEGMENT_SHARE = 64;

    private final Storage storage;

    /** A page's number without its last bits is that of its file. */
    private final int fileBits;

    /** Replaced under the monitor. */
    private volatile Files files = Files.NONE;

    private volatile boolean namesChanged;

    /** Number of the first file that was written to since the last force; owned by whoever forces. */
    private int forceFrom;

    /** Written by whoever forces. */
    private volatile boolean forceFailed;

    /**
     * The files of the index, without gaps.
     *
     * @param first number of the first
     * @param all the files
     * @param ends for each, the log position at which the next one was begun
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Files(int first, Numbered[] all, long[] ends) {
        static final Files NONE = new Files(0, new Numbered[0], new long[0]);

        /** Writes which files there are. */
        void write(DataOutput out) throws IOException {
            out.writeInt(first);
            out.writeInt(all.length);
            for (long end : ends) {
                out.writeLong(end);
            }
        }
    }

    /** A file that is opened, and made, when it is first used. */
    final class Numbered {
        private final String name;
        private volatile @Nullable StoreFile file;
        private boolean closed;

        private Numbered(int number) {
            this.name = name(number);
        }

        /**
         * The file itself.
         *
         * @throws IOException when it cannot be made, or has been removed
         */
        StoreFile opened() throws IOException {
            StoreFile known = file;
            return known != null ? known : open();
        }

        private synchronized StoreFile open() throws IOException {
            StoreFile known = file;
            if (known != null) {
                return known;
            }
            if (closed) {
                throw new IOException("removed or closed: " + describe());
            }
            boolean made = !storage.exists(name);
            StoreFile opened = storage.open(name);
            if (made) {
                namesChanged = true; // behind it, or a force that is under way would take the name for durable
            }
            file = opened;
            return opened;
        }

        private boolean hasBytes(long bytes) {
            try {
                return bytes == 0 || (storage.exists(name) && opened().size() >= bytes);
            } catch (IOException e) {
                LOGGER.warn("queue index file cannot be opened, counts as missing file={}", describe(), e);
                return false;
            }
        }

        private synchronized void force() throws IOException {
            StoreFile known = file;
            if (known != null) {
                known.force();
            }
        }

        /** Ends the file's use for good. */
        private synchronized void close() throws IOException {
            closed = true;
            StoreFile known = file;
            if (known != null) {
                file = null;
                known.close();
            }
        }

        String describe() {
            return storage.describe(name);
        }
    }

    /** A folder of which no file is known yet; files are sized by the log's segments. */
    PageFolder(Storage storage, int segmentBytes) {
        int fileBytes = Math.max(FILE_BYTES_MIN, Math.min(FILE_BYTES_MAX, segmentBytes / SEGMENT_SHARE));
        this.storage = storage;
        this.fileBits = Integer.numberOfTrailingZeros(Integer.highestOneBit(fileBytes / PageFile.PAGE_BYTES));
    }

    private static String name(int file) {
        return DIRECTORY + "/" + PREFIX + "-" + String.format("%010d", Integer.toUnsignedLong(file));
    }

    private int fileOf(int page) {
        return page >>> fileBits;
    }

    /** How many files after {@code from} the file {@code number} comes; numbers begin again at 0. */
    private int distance(int from, int number) {
        return (number - from) & (-1 >>> fileBits);
    }

    private int after(int file, int count) {
        return (file + count) & (-1 >>> fileBits);
    }

    /** Where a page starts in its file. */
    long offsetInFile(int page) {
        return (long) (page & ((1 << fileBits) - 1)) * PageFile.PAGE_BYTES;
    }

    /** The file of a page; null when it has been removed. */
    @Nullable
    Numbered find(int page) {
        Files now = files;
        int at = distance(now.first, fileOf(page));
        return at < now.all.length ? now.all[at] : null;
    }

    /** The file of a page that is not in any yet, or is in the last one. Committing thread. */
    Numbered findOrBegin(int page, long position) {
        Numbered known = find(page);
        return known != null ? known : begin(fileOf(page), position);
    }

    private synchronized Numbered begin(int number, long position) {
        Files now = files;
        int count = now.all.length;
        Numbered file = new Numbered(number);
        Numbered[] all = Arrays.copyOf(now.all, count + 1);
        long[] ends = Arrays.copyOf(now.ends, count + 1);
        all[count] = file;
        ends[count] = Long.MAX_VALUE;
        if (count > 0) {
            ends[count - 1] = position;
        }
        files = new Files(count == 0 ? number : now.first, all, ends);
        return file;
    }

    /** Number of the first page that is kept, whatever it tells of. */
    int firstPage() {
        return files.first << fileBits;
    }

    /** How many pages there are from the first one to a number. */
    int pagesUntil(int nextPage) {
        return files.all.length == 0 ? 0 : nextPage - firstPage();
    }

    /** The first page of the file behind that of the last page before {@code nextPage}. */
    int firstPageOfNextFile(int nextPage) {
        return after(fileOf(nextPage - 1), 1) << fileBits;
    }

    /** Whether the files can be used and have room for all pages before {@code nextPage}; says nothing of what they hold. */
    boolean isLongEnough(int nextPage) {
        Files now = files;
        int left = pagesUntil(nextPage);
        for (Numbered file : now.all) {
            int pages = Math.min(left, 1 << fileBits);
            if (!file.hasBytes((long) pages * PageFile.PAGE_BYTES)) {
                return false;
            }
            left -= pages;
        }
        return left == 0;
    }

    /** The files that there are, for a snapshot. */
    Files files() {
        return files;
    }

    /**
     * Reads what {@link Files#write} wrote down.
     *
     * @param keptFrom log position before which no message is kept: the files that told of those went with them
     */
    void readSnapshot(DataInput in, long keptFrom) throws IOException {
        int first = in.readInt();
        int count = in.readInt();
        Numbered[] all = new Numbered[count];
        long[] ends = new long[count];
        for (int at = 0; at < count; at++) {
            ends[at] = in.readLong();
            all[at] = new Numbered(after(first, at));
        }
        int gone = 0;
        while (gone < count - 1 && ends[gone] <= keptFrom) {
            gone++;
        }
        forceFrom = after(first, gone);
        files = new Files(forceFrom, Arrays.copyOfRange(all, gone, count), Arrays.copyOfRange(ends, gone, count));
        namesChanged = true; // a process that was killed may have left a name that is not durable
    }

    /** Removes the files whose pages tell only of messages before a log position. Worker only, one call at a time. */
    void removeBefore(long position) throws IOException {
        while (files.all.length > 1 && files.ends[0] <= position) {
            Numbered gone = files.all[0];
            synchronized (this) {
                Files now = files;
                int count = now.all.length;
                files = new Files(
                        after(now.first, 1),
                        Arrays.copyOfRange(now.all, 1, count),
                        Arrays.copyOfRange(now.ends, 1, count));
            }
            gone.close();
            storage.delete(gone.name); // a power loss may bring it back; the next start removes it
        }
    }

    /** Removes what is left of files that no page is in. */
    void removeStrays() throws IOException {
        Set<String> known = new HashSet<>();
        for (Numbered file : files.all) {
            known.add(file.name);
        }
        for (String name : storage.list(DIRECTORY)) {
            String path = DIRECTORY + "/" + name;
            if (OWN_FILES.contains(name) && !known.contains(path)) {
                storage.delete(path);
            }
        }
    }

    /** Removes all files. Recovering thread only. */
    void clear() throws IOException {
        close();
        files = Files.NONE;
        forceFrom = 0;
        removeStrays();
    }

    /**
     * Makes durable all that was written to files that there were. One thread at a time.
     *
     * @throws IOException also when an earlier force has failed: the system may have forgotten then what it was to write, and
     *     would report success for what the device never gets
     */
    void force(Files now) throws IOException {
        if (forceFailed) {
            throw new IOException("a force of " + storage.describe(DIRECTORY)
                    + " failed before: the queue index can be saved again after a restart only");
        }
        if (now.all.length == 0) {
            return;
        }
        boolean forced = false;
        try {
            forceAll(now);
            forced = true;
        } finally {
            forceFailed = !forced;
        }
    }

    /** Whether a force has failed: none succeeds any more. Any thread. */
    boolean hasForceFailed() {
        return forceFailed;
    }

    private void forceAll(Files now) throws IOException {
        int count = now.all.length;
        if (namesChanged) {
            namesChanged = false; // before the force: a name that comes meanwhile is for the next one
            storage.forceDirectory(DIRECTORY);
            storage.forceDirectory("");
        }
        int from = distance(now.first, forceFrom);
        for (int at = from < count ? from : 0; at < count; at++) {
            now.all[at].force();
        }
        forceFrom = after(now.first, count - 1);
    }

    @Override
    public void close() throws IOException {
        for (Numbered file : files.all) {
            file.close();
        }
    }
}
