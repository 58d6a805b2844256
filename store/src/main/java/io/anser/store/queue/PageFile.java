package io.anser.store.queue;

import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file of full index pages. Pages of all queues share it; a page is written once, whole, by the committing thread, and
 * never changed, unless it is damaged and made again.
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

    static final int PAGE_BYTES = 1024;
    static final int HEADER_BYTES = 16;

    /** The file's name within the storage. */
    static final String NAME = "index/queue-pages";

    /** Pages prepared in one go. */
    private static final int PAGES_PER_PIECE = 64;

    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(PAGES_PER_PIECE * PAGE_BYTES).asReadOnlyBuffer();

    private final StoreFile file;
    private final String described;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(PAGE_BYTES);

    private volatile PageRepair repair = (queue, firstOffset, page) -> {};

    /** The page behind the last one that was written. */
    private volatile int nextPage;

    /** Pages that the file has room for. Grows under this object's lock. */
    private volatile int preparedPages;

    private PageFile(StoreFile file, String described) throws IOException {
        this.file = file;
        this.described = described;
        this.preparedPages = (int) (file.size() / PAGE_BYTES);
    }

    /** Opens the page file, creating an empty one when there is none. */
    public static PageFile open(Storage storage) throws IOException {
        boolean made = !storage.exists(NAME);
        StoreFile file = storage.open(NAME);
        if (made) {
            storage.forceDirectory("index");
            storage.forceDirectory("");
        }
        return new PageFile(file, storage.describe(NAME));
    }

    /** Has damaged pages made again from now on. */
    public void repairWith(PageRepair next) {
        repair = next;
    }

    /** Writes a full page. Called by the committing thread. */
    void write(int page, int queueNumber, QueueTail tail) {
        write(page, queueNumber, tail, scratch);
    }

    /** Writes a page that was made again over the damaged one. Any thread. */
    public void write(RebuiltPage rebuilt) {
        write(rebuilt.page, rebuilt.queue.number, rebuilt.entries, ByteBuffer.allocate(PAGE_BYTES));
    }

    private void write(int page, int queueNumber, QueueTail tail, ByteBuffer scratch) {
        scratch.clear();
        scratch.putInt(0).putInt(queueNumber).putLong(tail.firstOffset);
        for (long half : tail.entries) {
            scratch.putLong(half);
        }
        scratch.flip();
        scratch.putInt(0, crcOf(scratch, 0));
        scratch.clear();
        try {
            if (page < preparedPages) {
                file.write(scratch, (long) page * PAGE_BYTES);
            } else {
                writeAtEnd(page);
            }
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot write page " + page + " of " + described, e);
        }
        nextPage = Math.max(nextPage, page + 1);
    }

    private synchronized void writeAtEnd(int page) throws IOException {
        file.write(scratch, (long) page * PAGE_BYTES);
        preparedPages = Math.max(preparedPages, page + 1);
    }

    /**
     * Allocates some pages ahead of use, so that messages that are in the log already find room for their entries on a device
     * that gives no more. The preparing thread.
     *
     * @throws io.anser.store.file.NoSpaceException when the device is full
     */
    public synchronized void prepare() throws IOException {
        file.write(ZEROS.duplicate(), (long) preparedPages * PAGE_BYTES);
        preparedPages += PAGES_PER_PIECE;
    }

    /** Whether fewer pages than so many are ahead. */
    public boolean lacks(int ahead) {
        return preparedPages - nextPage < ahead;
    }

    /**
     * Reads a page and checks that it is whole and the one that is meant; asks for its repair when it is not. Called by any
     * thread with its own buffers.
     *
     * @throws StoreException BUSY when the page is being made again, IO when the file cannot be read
     */
    void read(int page, QueueLog queue, long firstOffset, ByteBuffer bytes, long[] entries) {
        bytes.clear();
        int count;
        try {
            count = file.read(bytes, (long) page * PAGE_BYTES);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read page " + page + " of " + described, e);
        }
        if (count < PAGE_BYTES
                || !isWhole(bytes, 0)
                || bytes.getInt(4) != queue.number
                || bytes.getLong(8) != firstOffset) {
            repair.ask(queue, firstOffset, page);
            throw new StoreException(
                    StoreException.Kind.BUSY,
                    "damaged index page=" + page + " file=" + described + " queue=" + queue + " offset=" + firstOffset
                            + "; it is being built again from the log, try again");
        }
        for (int half = 0; half < 2 * SLOTS; half++) {
            entries[half] = bytes.getLong(HEADER_BYTES + 8 * half);
        }
    }

    /** Whether the file has room for pages {@code [0, pages)}; says nothing of what they hold. */
    boolean isLongEnough(int pages) throws IOException {
        return file.size() >= (long) pages * PAGE_BYTES;
    }

    /** How many pages the index refers to that a snapshot holds in its section {@code queues}. */
    public static int pagesOf(@Nullable ByteBuffer section) {
        return section == null || section.remaining() < Integer.BYTES ? 0 : section.getInt(section.position());
    }

    /** Reads pages {@code [0, pages)} and counts those that are missing or damaged. */
    public long countWrong(long pages) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        long wrong = 0;
        for (long page = 0; page < pages; page++) {
            int count = file.read(bytes.clear(), page * PAGE_BYTES);
            wrong += count == PAGE_BYTES && isWhole(bytes, 0) ? 0 : 1;
        }
        return wrong;
    }

    /** Makes all pages written before durable. Any thread. */
    public void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
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
