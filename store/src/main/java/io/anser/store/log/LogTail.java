package io.anser.store.log;

import io.anser.system.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The end of the log while it is written: the records that are formed in a buffer, one behind the other, and the place in
 * the log where that buffer goes with one write. What was formed since {@link #settle} can be taken back. Owned by the
 * log-writer thread; in a group by the engine's appending thread.
 */
final class LogTail {
    /** A record is closed when it would grow beyond this; a larger unit has a record of its own. */
    static final int RECORD_BYTES = 256 << 10;

    /** Records that are formed before they are written. */
    static final int BUFFER_BYTES = 1 << 20;

    /** Batches without a unit that needs the large buffer, after which it is given back. */
    static final int LARGE_KEPT_BATCHES = 1_000;

    private static final int TERM_START_BYTES = 8;

    private final CommitLog log;
    /** Everything before it is on the device, and stays: what the header of a record promises. */
    private final LongSupplier promised;

    private final Clock clock;

    /** The term of this process; its first record begins it. */
    private final long ownTerm;

    private final CRC32C checksum = new CRC32C();

    private final IntFunction<ByteBuffer> memory;

    /** What records are formed in. */
    private final ByteBuffer usual;

    /** What records of units are formed in that {@link #usual} is too small for; kept for the next one, but not for ever. */
    private @Nullable ByteBuffer large;

    private int batchesWithoutLarge;

    /** Records that are not written yet; its first byte belongs at {@link #position}. */
    private ByteBuffer buffer;

    private long position;
    private long segmentEnd;

    /** Where the open record starts in the buffer; -1 when none is open. */
    private int recordAt = -1;

    /** The place behind what was settled: what lies there may be overwritten. */
    private LogPoint settled;

    /** Whether something behind {@link #settled} may be in the log. */
    private boolean begun;

    /** Where bytes end that were written and taken back; what is written next may lie before some of them. */
    private long refusedUntil;

    private long term;
    private long index;
    private int crc;
    private long storeTimestamp;
    private long recordPosition;

    /**
     * A tail that goes on at a point, in a term of its own.
     *
     * @param promised gives a log position before which everything is on the device and will not be cut
     * @param memory gives buffers of so many bytes, or an {@code OutOfMemoryError}
     */
    LogTail(CommitLog log, LogPoint from, LongSupplier promised, Clock clock, IntFunction<ByteBuffer> memory) {
        this.log = log;
        this.memory = memory;
        this.usual = memory.apply(BUFFER_BYTES);
        this.buffer = usual;
        this.settled = from;
        this.ownTerm = from.term() + 1;
        this.promised = promised;
        this.clock = clock;
        this.position = from.position();
        this.segmentEnd = log.segmentEnd(from.position());
        this.term = from.term();
        this.index = from.index();
        this.crc = from.crc();
        this.storeTimestamp = from.storeTimestamp();
        this.recordPosition = from.recordPosition();
    }

    /** The place behind what was settled. */
    LogPoint settled() {
        return settled;
    }

    /** Where the first byte of the buffer belongs: behind everything that was written. */
    long position() {
        return position;
    }

    /** Store time of what is formed now: milliseconds since 1970, never less than before. */
    long storeTimestamp() {
        return storeTimestamp;
    }

    /** Reads the clock for what is formed from now on. */
    void now() {
        storeTimestamp = Math.max(storeTimestamp, clock.wallMillis());
    }

    /** The buffer, positioned where the next item of the open record goes; another one after {@link #open}. */
    ByteBuffer buffer() {
        return buffer;
    }

    /**
     * Makes what was written part of the log: it cannot be taken back any more. What was taken back before may still lie
     * behind it, and fit: a record that is formed again from the same state change is the same, to the bit, as the one that
     * the refused message followed. So nothing is left there to be found.
     */
    void settle() throws IOException {
        if (position < refusedUntil) {
            log.erase(position);
        }
        begun = false;
        if (++batchesWithoutLarge >= LARGE_KEPT_BATCHES) {
            large = null;
        }
        settled = new LogPoint(position, term, index, crc, storeTimestamp, recordPosition);
    }

    /** Makes it as if nothing had been formed or written since {@link #settle}, durably. */
    void takeBack() throws IOException {
        emptyBuffer();
        recordAt = -1;
        if (begun) {
            // Some whole records may have been written, and a part of those in the buffer.
            refusedUntil = Math.max(refusedUntil, segmentEnd);
            log.erase(settled.position());
            begun = false;
        }
        position = settled.position();
        segmentEnd = log.segmentEnd(position);
        term = settled.term();
        index = settled.index();
        crc = settled.crc();
        recordPosition = settled.recordPosition();
    }

    /** Forms the record that begins this process's term, unless that was done. */
    void beginTerm() throws IOException {
        if (term == ownTerm) {
            return;
        }
        if (position == segmentEnd) {
            addSegment(); // the process ended between a roll and the next segment
        }
        term = ownTerm;
        now();
        open(TERM_START_BYTES);
        buffer.putLong(storeTimestamp);
        seal(LogRecord.TERM_START, ++index);
    }

    /**
     * Takes the memory that a unit needs beyond the usual; {@link #open} comes next.
     *
     * @return whether there was enough; if not, nothing has changed
     */
    boolean takeMemory(int bytes) {
        int needed = bytes + 2 * LogRecord.HEADER_BYTES; // one for the roll that may have to follow
        if (needed <= usual.capacity()) {
            return true;
        }
        batchesWithoutLarge = 0;
        if (large == null || large.capacity() < needed) {
            large = null; // unless something unwritten lies in it, the old one need not stay beside the new one
            try {
                large = memory.apply(needed);
            } catch (OutOfMemoryError e) {
                return false; // nothing but this was tried: what is formed and written is as it was
            }
        }
        return true;
    }

    /** Makes room for a unit: in the open record, else in a new one, in the next segment if need be. */
    void open(int bytes) throws IOException {
        beginTerm();
        if (recordAt >= 0) {
            int end = buffer.position() + bytes;
            if (end - recordAt <= RECORD_BYTES && fitsBuffer(end) && fitsSegment(end)) {
                return;
            }
            close();
        }
        openRecord(bytes);
    }

    private void openRecord(int bytes) throws IOException {
        if (!fitsSegment(buffer.position() + LogRecord.HEADER_BYTES + bytes)) {
            roll();
        }
        if (!fitsBuffer(buffer.position() + LogRecord.HEADER_BYTES + bytes)) {
            write();
            if (!fitsBuffer(LogRecord.HEADER_BYTES + bytes)) {
                buffer = Objects.requireNonNull(large).clear();
            }
        }
        recordAt = buffer.position();
        buffer.position(recordAt + LogRecord.HEADER_BYTES);
    }

    /**
     * Opens a record of its own for an entry whose place and term somebody else has fixed; {@link #takeMemory} comes first,
     * {@link #closeEntry} next.
     */
    void openEntry(long entryTerm, int bytes) throws IOException {
        openRecord(bytes);
        term = entryTerm; // not before: a roll carries the term of the record before it
    }

    /** Closes the record of an entry. */
    void closeEntry(byte type) {
        seal(type, ++index);
    }

    /** The bytes of a closed record, whether or not it is written. */
    ByteBuffer record(long at, int bytes) {
        return at < position ? log.slice(at, bytes) : buffer.slice((int) (at - position), bytes);
    }

    /** Takes note of a store time that an entry carries. */
    void sawStoreTimestamp(long millis) {
        storeTimestamp = Math.max(storeTimestamp, millis);
    }

    /** The place behind the last closed record, whether or not it is written. */
    LogPoint here() {
        return new LogPoint(position + buffer.position(), term, index, crc, storeTimestamp, recordPosition);
    }

    /** Goes on at another place, behind which the log holds nothing: what was there is cut. */
    void goOnAt(LogPoint point) {
        emptyBuffer();
        recordAt = -1;
        begun = false;
        settled = point;
        position = point.position();
        segmentEnd = log.segmentEnd(position);
        term = point.term();
        index = point.index();
        crc = point.crc();
        storeTimestamp = point.storeTimestamp();
        recordPosition = point.recordPosition();
    }

    // Both leave room for the roll that may have to follow.

    private boolean fitsBuffer(int end) {
        return end + LogRecord.HEADER_BYTES <= buffer.capacity();
    }

    private boolean fitsSegment(int end) {
        return position + end + LogRecord.HEADER_BYTES <= segmentEnd;
    }

    /** Closes the open record, if there is one; one in which every unit was refused vanishes. */
    void close() {
        if (recordAt < 0) {
            return;
        }
        if (buffer.position() == recordAt + LogRecord.HEADER_BYTES) {
            buffer.position(recordAt);
            recordAt = -1;
        } else {
            seal(LogRecord.ITEMS, ++index);
        }
    }

    private void seal(byte type, long recordIndex) {
        int length = buffer.position() - recordAt;
        crc = LogRecord.seal(buffer, recordAt, length, crc, type, term, recordIndex, promised.getAsLong(), checksum);
        recordPosition = position + recordAt;
        recordAt = -1;
    }

    private void roll() throws IOException {
        recordAt = buffer.position();
        buffer.position(recordAt + LogRecord.HEADER_BYTES);
        seal(LogRecord.ROLL, index);
        write();
        position = segmentEnd;
        addSegment();
    }

    private void addSegment() throws IOException {
        log.addSegment(segmentEnd);
        segmentEnd += log.segmentBytes();
    }

    /** Writes the closed records. */
    void write() throws IOException {
        buffer.flip();
        int bytes = buffer.remaining();
        if (bytes > 0) {
            begun = true;
            log.write(buffer, position);
        }
        emptyBuffer();
        position += bytes;
    }

    /** The large buffer is left, too: only units that need it are formed there. */
    private void emptyBuffer() {
        usual.clear();
        buffer = usual;
    }
}
