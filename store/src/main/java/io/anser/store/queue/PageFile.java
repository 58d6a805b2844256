package io.anser.store.queue;

import io.anser.store.file.NoSpaceException;
import io.anser.store.file.OwnFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The full pages of the index. Pages of all queues share it; a page is written once, whole, by the committing thread, and
 * never changed, unless it is damaged and made again, by a worker. Pages are numbered as they are written; {@link PageFolder}
 * tells which file has which.
 *
 * <p>A page that the device has no room for stays in memory until there is some: what it tells of is in the log, and the log
 * takes no more messages meanwhile, so there are never more of them than fit into the log's prepared bytes. The log-preparer
 * writes such pages when there is room, or the worker that takes a snapshot, whichever comes first.
 *
 * <table>
 * <caption>Layout of a page of 1,024 bytes</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>crc32c</td><td>over the rest of the page</td></tr>
 * <tr><td>4</td><td>4</td><td>queueNumber</td><td>order in which queues got their first message</td></tr>
 * <tr><td>8</td><td>8</td><td>firstOffset</td><td>queue offset of the first slot, a multiple of 63</td></tr>
 * <tr><td>16</td><td>63 x 16</td><td>entries</td><td>log position (8), size (4), hash of the tag (4)</td></tr>
 * </table>
 */
public final class PageFile implements AutoCloseable {
    /** Entries in a page. */
    public static final int SLOTS = 63;

    /** The files of the queue index. */
    public static final OwnFiles OWN_FILES = PageFolder.OWN_FILES;

    static final int PAGE_BYTES = 1024;
    static final int HEADER_BYTES = 16;

    private final PageFolder folder;
    private final long keptFrom;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(PAGE_BYTES);

    /** Pages that wait for room, in the order of their numbers. The committing thread adds, whoever finds room removes. */
    private final ConcurrentLinkedQueue<WaitingPage> waiting = new ConcurrentLinkedQueue<>();

    /** The same pages by number, for readers. */
    private final Map<Integer, WaitingPage> waitingByNumber = new ConcurrentHashMap<>();

    private volatile PageRepair repair = (queue, firstOffset, page) -> {};

    /** A full page that is in memory only. */
    private record WaitingPage(PageFolder.Numbered file, int page, int queueNumber, QueueTail tail) {}

    private PageFile(PageFolder folder, long keptFrom) {
        this.folder = folder;
        this.keptFrom = keptFrom;
    }

    /**
     * No pages yet; {@link #readSnapshot} tells of those that there are.
     *
     * @param segmentBytes of the log, by which the files are sized
     * @param keptFrom log position before which no message is kept
     */
    public static PageFile open(Storage storage, int segmentBytes, long keptFrom) {
        return new PageFile(new PageFolder(storage, segmentBytes), keptFrom);
    }

    /** Has damaged pages made again from now on. */
    public void repairWith(PageRepair next) {
        repair = next;
    }

    /**
     * Writes a full page, or keeps it where the device has no room. Called by the committing thread.
     *
     * @param page the one after the page before, or 0
     * @param position log position behind all entries of all pages so far
     */
    void write(int page, int queueNumber, QueueTail tail, long position) {
        PageFolder.Numbered file = folder.findOrBegin(page, position);
        try {
            if (waiting.isEmpty()) {
                write(file, page, queueNumber, tail, scratch);
                return;
            }
        } catch (NoSpaceException e) {
            // It waits with those that come after it: the preparing thread tells the guard and tries again.
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot write page " + page + " of " + file.describe(), e);
        }
        WaitingPage next = new WaitingPage(file, page, queueNumber, tail);
        waitingByNumber.put(page, next);
        waiting.add(next);
    }

    /** Whether pages are in memory only, because the device had no room. Any thread. */
    public boolean lacksRoom() {
        return !waiting.isEmpty();
    }

    /**
     * Writes the pages that wait for room. Any thread.
     *
     * @throws NoSpaceException when the device still has none for some of them
     * @throws IOException when one cannot be written; names it and its file
     */
    public synchronized void writeWaiting() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        for (Iterator<WaitingPage> pages = waiting.iterator(); pages.hasNext(); ) {
            WaitingPage next = pages.next();
            if (folder.find(next.page) == next.file) { // else its messages have expired meanwhile
                write(next, bytes);
            }
            // Last, because a reader that does not find the page here looks into the file.
            waitingByNumber.remove(next.page, next);
            pages.remove();
        }
    }

    private void write(WaitingPage next, ByteBuffer bytes) throws IOException {
        try {
            write(next.file, next.page, next.queueNumber, next.tail, bytes);
        } catch (NoSpaceException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    "cannot write page " + next.page + " of " + next.file.describe() + ": " + e.getMessage(), e);
        }
    }

    /** Writes a page that was made again over the damaged one, unless it was removed meanwhile. Any thread. */
    public void write(RebuiltPage rebuilt) {
        PageFolder.Numbered file = folder.find(rebuilt.page);
        if (file == null) {
            return;
        }
        try {
            write(file, rebuilt.page, rebuilt.queue.number, rebuilt.entries, ByteBuffer.allocate(PAGE_BYTES));
        } catch (IOException e) {
            if (folder.find(rebuilt.page) == file) {
                throw new StoreException(
                        StoreException.Kind.IO, "cannot write page " + rebuilt.page + " of " + file.describe(), e);
            }
        }
    }

    private void write(PageFolder.Numbered file, int page, int queueNumber, QueueTail tail, ByteBuffer bytes)
            throws IOException {
        bytes.clear();
        bytes.putInt(0).putInt(queueNumber).putLong(tail.firstOffset);
        for (long half : tail.entries) {
            bytes.putLong(half);
        }
        bytes.flip();
        bytes.putInt(0, crcOf(bytes, 0));
        bytes.clear();
        file.opened().write(bytes, folder.offsetInFile(page));
    }

    /**
     * Reads a page and checks that it is whole and the one that is meant; asks for its repair when it is not. Called by any
     * thread with its own buffers.
     *
     * @return false when the page has been removed, with the messages that it told of
     * @throws StoreException BUSY when the page is being made again, IO when the file cannot be read
     */
    boolean read(int page, QueueLog queue, long firstOffset, ByteBuffer bytes, long[] entries) {
        WaitingPage inMemory = waitingByNumber.get(page);
        if (inMemory != null && inMemory.queueNumber == queue.number && inMemory.tail.firstOffset == firstOffset) {
            System.arraycopy(inMemory.tail.entries, 0, entries, 0, 2 * SLOTS);
            return true;
        }
        PageFolder.Numbered file = folder.find(page);
        if (file == null) {
            return false;
        }
        int count;
        try {
            count = file.opened().read(bytes.clear(), folder.offsetInFile(page));
        } catch (IOException e) {
            if (folder.find(page) != file) {
                return false;
            }
            throw new StoreException(StoreException.Kind.IO, "cannot read page " + page + " of " + file.describe(), e);
        }
        if (count < PAGE_BYTES
                || !isWhole(bytes, 0)
                || bytes.getInt(4) != queue.number
                || bytes.getLong(8) != firstOffset) {
            repair.ask(queue, firstOffset, page);
            throw new StoreException(
                    StoreException.Kind.BUSY,
                    "damaged index page=" + page + " file=" + file.describe() + " queue=" + queue + " offset="
                            + firstOffset + "; it is being built again from the log, try again");
        }
        for (int half = 0; half < 2 * SLOTS; half++) {
            entries[half] = bytes.getLong(HEADER_BYTES + 8 * half);
        }
        return true;
    }

    /** Whether the files have room for all pages before {@code nextPage}; says nothing of what they hold. */
    boolean isLongEnough(int nextPage) {
        return folder.isLongEnough(nextPage);
    }

    /**
     * Takes note of the files of the index that a snapshot holds in its section {@code queues}.
     *
     * @return how many pages they should have
     */
    public int openAll(@Nullable ByteBuffer section) throws IOException {
        if (section == null) {
            return 0;
        }
        byte[] bytes = new byte[section.remaining()];
        section.duplicate().get(bytes);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int nextPage = in.readInt();
        readSnapshot(in);
        return folder.pagesUntil(nextPage);
    }

    /** Reads so many pages from the first one on and counts those that are missing or damaged. */
    public long countWrong(int pages) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        int first = folder.firstPage();
        long wrong = 0;
        for (int page = first; page != first + pages; page++) {
            PageFolder.Numbered file = folder.find(page);
            boolean whole = file != null
                    && file.opened().read(bytes.clear(), folder.offsetInFile(page)) == PAGE_BYTES
                    && isWhole(bytes, 0);
            wrong += whole ? 0 : 1;
        }
        return wrong;
    }

    /** Removes the files whose pages tell only of messages before a log position. Worker only, one call at a time. */
    public void removeBefore(long position) throws IOException {
        folder.removeBefore(position);
    }

    /** Removes what is left of files that no page is in. Called once, after recovery. */
    public void removeStrays() throws IOException {
        folder.removeStrays();
    }

    /**
     * Removes all files. Recovering thread only.
     *
     * @param nextPage number of the page that would come next
     * @return the number to begin again with: in a file that no snapshot taken so far names
     */
    int clear(int nextPage) {
        try {
            folder.clear();
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot remove the files of the queue index", e);
        }
        waiting.clear();
        waitingByNumber.clear();
        return folder.firstPageOfNextFile(nextPage);
    }

    /**
     * Makes all pages written before durable. One thread at a time.
     *
     * @throws NoSpaceException when the device has no room for some
     */
    public void force() throws IOException {
        PageFolder.Files written = folder.files(); // before: pages of later files are for the next force
        writeWaiting();
        folder.force(written);
    }

    /** Whether a force of the files has failed: none succeeds any more. */
    boolean hasForceFailed() {
        return folder.hasForceFailed();
    }

    /** The files that there are, for a snapshot. */
    PageFolder.Files files() {
        return folder.files();
    }

    /** Reads which files {@link PageFolder.Files#write} wrote down. */
    void readSnapshot(DataInput in) throws IOException {
        folder.readSnapshot(in, keptFrom);
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }

    private static boolean isWhole(ByteBuffer bytes, int at) {
        return bytes.getInt(at) == crcOf(bytes, at);
    }

    private static int crcOf(ByteBuffer bytes, int at) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at + 4, PAGE_BYTES - 4));
        return (int) crc.getValue();
    }
}
