package io.anser.store.key;

import io.anser.store.file.StoreFile;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogScanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;

/**
 * A run in a file, which is written once and never changed. In memory are only the first hash of every block and some store
 * times: about 20 KB per million messages of two keys. Any thread reads.
 *
 * <table>
 * <caption>Layout; all integers are big-endian</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>b x 4096</td><td>blocks</td><td>crc32c (4) over the rest of the block, count (4), then up to 511 entries of
 *     8 bytes, see {@link KeyEntry}, ascending through all blocks</td></tr>
 * <tr><td>.</td><td>b x 4</td><td>fences</td><td>the hash of the first entry of each block</td></tr>
 * <tr><td>.</td><td>m x 16</td><td>marks</td><td>log position (8) and store time (8), see {@link TimeMarks}</td></tr>
 * <tr><td>0</td><td>4</td><td>magic</td><td>0x414E534B ({@code ANSK}); offsets from here on count from the tail's start</td></tr>
 * <tr><td>4</td><td>4</td><td>version</td><td>1; raised also when the hash changes</td></tr>
 * <tr><td>8</td><td>8</td><td>from</td><td>first log position that is covered</td></tr>
 * <tr><td>16</td><td>8</td><td>until</td><td>the log position behind the last one</td></tr>
 * <tr><td>24</td><td>8</td><td>recordPosition</td><td>where the last record in it starts; -1 without one</td></tr>
 * <tr><td>32</td><td>8</td><td>lastTime</td><td>store time of the last message</td></tr>
 * <tr><td>40</td><td>8</td><td>entries</td><td>how many</td></tr>
 * <tr><td>48</td><td>4</td><td>recordCrc</td><td>checksum of that last record</td></tr>
 * <tr><td>52</td><td>4</td><td>b</td><td>blocks</td></tr>
 * <tr><td>56</td><td>4</td><td>m</td><td>marks</td></tr>
 * <tr><td>60</td><td>4</td><td>crc32c</td><td>over fences, marks and the tail before it</td></tr>
 * </table>
 */
final class KeyFile implements KeyRun {
    static final int BLOCK_BYTES = 4096;
    static final int BLOCK_HEADER_BYTES = 8;
    static final int BLOCK_ENTRIES = (BLOCK_BYTES - BLOCK_HEADER_BYTES) / Long.BYTES;
    static final int TAIL_BYTES = 64;
    static final int MAGIC = 0x414E534B;
    static final int VERSION = 1;

    /** The record position of a run without records. */
    static final long NO_RECORD = -1;

    private static final int CRC_BYTES = 4;

    private final StoreFile file;
    private final String name;
    private final long from;
    private final long until;
    private final long recordPosition;
    private final int recordCrc;
    private final long entries;
    private final int[] fences;
    private final TimeMarks marks;
    private volatile boolean retired;

    KeyFile(
            StoreFile file,
            String name,
            long from,
            long until,
            long recordPosition,
            int recordCrc,
            long entries,
            int[] fences,
            TimeMarks marks) {
        this.file = file;
        this.name = name;
        this.from = from;
        this.until = until;
        this.recordPosition = recordPosition;
        this.recordCrc = recordCrc;
        this.entries = entries;
        this.fences = fences;
        this.marks = marks;
    }

    /** Reads what is kept in memory; empty when the file is cut, damaged in that part, or of another version. */
    static Optional<KeyFile> read(StoreFile file, String name) throws IOException {
        long size = file.size();
        ByteBuffer tail = ByteBuffer.allocate(TAIL_BYTES);
        if (size < TAIL_BYTES || file.read(tail, size - TAIL_BYTES) < TAIL_BYTES) {
            return Optional.empty();
        }
        int blocks = tail.getInt(52);
        int marks = tail.getInt(56);
        long footerBytes = (long) blocks * Integer.BYTES + (long) marks * TimeMarks.BYTES + TAIL_BYTES;
        if (tail.getInt(0) != MAGIC
                || tail.getInt(4) != VERSION
                || blocks < 0
                || marks < 0
                || (long) blocks * BLOCK_BYTES + footerBytes != size
                || footerBytes > Integer.MAX_VALUE) {
            return Optional.empty();
        }
        ByteBuffer footer = ByteBuffer.allocate((int) footerBytes);
        file.read(footer, size - footerBytes);
        if (footer.hasRemaining()
                || footer.getInt(footer.limit() - CRC_BYTES) != crcOf(footer, 0, footer.limit() - CRC_BYTES)) {
            return Optional.empty();
        }
        footer.flip();
        int[] fences = new int[blocks];
        for (int block = 0; block < blocks; block++) {
            fences[block] = footer.getInt();
        }
        TimeMarks times = TimeMarks.read(footer, marks, tail.getLong(32));
        return Optional.of(new KeyFile(
                file,
                name,
                tail.getLong(8),
                tail.getLong(16),
                tail.getLong(24),
                tail.getInt(48),
                tail.getLong(40),
                fences,
                times));
    }

    /** Fences, marks and tail, from position to limit. */
    static ByteBuffer footer(KeyFile of) {
        int bytes = of.fences.length * Integer.BYTES + of.marks.count() * TimeMarks.BYTES + TAIL_BYTES;
        ByteBuffer footer = ByteBuffer.allocate(bytes);
        for (int fence : of.fences) {
            footer.putInt(fence);
        }
        of.marks.write(footer);
        footer.putInt(MAGIC)
                .putInt(VERSION)
                .putLong(of.from)
                .putLong(of.until)
                .putLong(of.recordPosition)
                .putLong(of.marks.lastTime())
                .putLong(of.entries)
                .putInt(of.recordCrc)
                .putInt(of.fences.length)
                .putInt(of.marks.count());
        return footer.putInt(crcOf(footer, 0, footer.position())).flip();
    }

    static int crcOf(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, length));
        return (int) crc.getValue();
    }

    String name() {
        return name;
    }

    @Override
    public long from() {
        return from;
    }

    @Override
    public long until() {
        return until;
    }

    long recordPosition() {
        return recordPosition;
    }

    int recordCrc() {
        return recordCrc;
    }

    long entries() {
        return entries;
    }

    int blocks() {
        return fences.length;
    }

    /** The hash of the first entry of a block. */
    int fence(int block) {
        return fences[block];
    }

    /**
     * Whether the log has the last record whose keys are in the file. A log that lost its end and grew again, which durability
     * memory allows, holds other records at the same places.
     */
    boolean belongsTo(CommitLog log) {
        return recordPosition == NO_RECORD
                || LogScanner.holds(log, new LogPoint(until, 0, 1, recordCrc, 0, recordPosition));
    }

    TimeMarks marks() {
        return marks;
    }

    long fileBytes() {
        return (long) fences.length * (BLOCK_BYTES + Integer.BYTES)
                + (long) marks.count() * TimeMarks.BYTES
                + TAIL_BYTES;
    }

    long memoryBytes() {
        return (long) fences.length * Integer.BYTES + (long) marks.count() * TimeMarks.BYTES;
    }

    @Override
    public boolean visit(int hash, long fromPosition, long untilPosition, LongPredicate visitor) throws IOException {
        int last = lastBlockNotBeyond(hash);
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        for (int at = last; at >= 0; at--) {
            int count = readBlock(at, block);
            for (int entry = count - 1; entry >= 0; entry--) {
                long value = entry(block, entry);
                long position = from + KeyEntry.relativePosition(value);
                if (KeyEntry.hash(value) < hash || (KeyEntry.hash(value) == hash && position < fromPosition)) {
                    return true; // all before it are smaller
                }
                if (KeyEntry.hash(value) == hash && position < untilPosition && !visitor.test(position)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The last block whose first hash is not above the one sought; -1 when there is none. */
    private int lastBlockNotBeyond(int hash) {
        int low = 0;
        int high = fences.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (fences[middle] <= hash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /**
     * Reads a block into a buffer of {@link #BLOCK_BYTES} and checks it.
     *
     * @return how many entries it has, see {@link #entry}
     */
    int readBlock(int block, ByteBuffer target) throws IOException {
        target.clear();
        int bytes = file.read(target, (long) block * BLOCK_BYTES);
        int count = target.getInt(Integer.BYTES);
        if (bytes < BLOCK_BYTES
                || target.getInt(0) != crcOf(target, CRC_BYTES, BLOCK_BYTES - CRC_BYTES)
                || count < 0
                || count > BLOCK_ENTRIES) {
            throw new IOException("damaged block=" + block + " of " + name);
        }
        return count;
    }

    static long entry(ByteBuffer block, int index) {
        return block.getLong(BLOCK_HEADER_BYTES + index * Long.BYTES);
    }

    /** Whether the file was closed because another one took its place, or because it was found damaged. */
    boolean isRetired() {
        return retired;
    }

    /** Closes the file. A look-up that still reads it fails, sees that it is retired, and begins again. */
    void retire() throws IOException {
        retired = true;
        file.close();
    }
}
