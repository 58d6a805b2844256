package io.anser.store.log;

import io.anser.store.file.NoSpaceException;
import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One file of the log. The log writer writes it; any thread reads it through a read-only mapping that is made when first
 * needed and lives as long as a slice of it is referenced.
 *
 * <p>The file is as long as it is prepared: lengthened ahead of use piece by piece, and where its bytes are to be allocated
 * too, with zeros that are written. So a write and a force find no new length to store, and the mapping covers what comes.
 * Where nobody has prepared, the writer does.
 */
final class Segment {
    /** Most bytes in one write of zeros: so long may a writer that catches up have to wait for the preparer. */
    static final int PIECE_BYTES = 256 << 10;

    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(PIECE_BYTES).asReadOnlyBuffer();
    private static final ByteBuffer UNMAPPED = ByteBuffer.allocate(0);

    private final long base;
    private final int segmentBytes;
    private final int pieceBytes;
    private final StoreFile file;

    /** Held while the file is lengthened, which waits for the device. */
    private final Object lengthening = new Object();

    /** Held while the file is mapped; never while it is lengthened, so that no reader waits for that. */
    private final Object mappings = new Object();

    /** Grows under the lock {@code lengthening}; read by any thread. */
    private volatile int fileBytes;

    private volatile boolean leaving;

    /** Grows under the lock {@code mappings}; read by any thread. */
    private volatile ByteBuffer mapping = UNMAPPED;

    Segment(long base, int segmentBytes, StoreFile file) throws IOException {
        this.base = base;
        this.segmentBytes = segmentBytes;
        this.pieceBytes = Math.min(PIECE_BYTES, LogPreparer.chunkBytes(segmentBytes));
        this.file = file;
        this.fileBytes = (int) Math.min(file.size(), segmentBytes);
    }

    long base() {
        return base;
    }

    /** Bytes of the file; zeros where nothing was written. */
    int fileBytes() {
        return fileBytes;
    }

    /**
     * Writes at an offset within the segment.
     *
     * @param allocated whether bytes that are missing are to be allocated first
     */
    void write(ByteBuffer source, int at, boolean allocated) throws IOException {
        int until = at + source.remaining();
        while (until > fileBytes) {
            preparePiece(allocated);
        }
        file.write(source, at);
    }

    /**
     * Prepares the next piece of the file.
     *
     * @param allocated whether room on the device is to be taken for it
     * @throws NoSpaceException when the device is full; what was prepared before stays prepared
     */
    void preparePiece(boolean allocated) throws IOException {
        synchronized (lengthening) {
            int from = fileBytes;
            int until = (int) Math.min(segmentBytes, ((long) from / pieceBytes + 1) * pieceBytes);
            if (allocated) {
                file.write(ZEROS.duplicate().limit(until - from), from);
            } else {
                file.resize(until);
            }
            fileBytes = until;
        }
    }

    /**
     * Makes what starts at an offset unreadable as a record: zeros over its header, as far as the file goes.
     *
     * @throws NoSpaceException when there is something and zeros cannot be written over it
     */
    void erase(int at) throws IOException {
        int bytes = Math.min(LogRecord.HEADER_BYTES, fileBytes - at);
        ByteBuffer header = ByteBuffer.allocate(Math.max(0, bytes));
        file.read(header, at);
        if (header.flip().mismatch(ZEROS.slice(0, header.limit())) >= 0) {
            file.write(ZEROS.duplicate().limit(bytes), at);
        }
    }

    /** Overwrites {@code [from, until)} with zeros, as far as the file goes. */
    void clear(int from, int until) throws IOException {
        int end = Math.min(until, fileBytes);
        for (int at = from; at < end; at += PIECE_BYTES) {
            file.write(ZEROS.duplicate().limit(Math.min(PIECE_BYTES, end - at)), at);
        }
    }

    void force() throws IOException {
        file.force();
    }

    /** Cuts everything from an offset on, durably. Recovery only: nobody else holds slices. */
    void cut(int from) throws IOException {
        file.resize(from);
        file.force();
        fileBytes = from;
        mapping = UNMAPPED; // pages of the old mapping behind the new end must not be touched
    }

    /** Lengthens the file with zeros, durably. Recovery only. */
    void lengthen(int until) throws IOException {
        if (until > fileBytes) {
            file.resize(until);
            file.force();
            fileBytes = until;
        }
    }

    /** The file's bytes from its start, at least up to {@code until} when the file has them. */
    ByteBuffer mapped(int until) throws IOException {
        ByteBuffer current = mapping;
        return current.capacity() >= until ? current : remap(until);
    }

    private ByteBuffer remap(int until) throws IOException {
        synchronized (mappings) {
            int bytes = fileBytes;
            if (mapping.capacity() < until && mapping.capacity() < bytes) {
                mapping = file.map(bytes);
            }
            return mapping;
        }
    }

    /** Takes note that this process is about to remove the file: that is no harm done by others. */
    void leave() {
        leaving = true;
    }

    /** Whether the file still has its name, or lost it after {@link #leave}. Any thread. */
    boolean isInPlace() throws IOException {
        return file.isInPlace() || leaving; // in this order: it is leaving before it is gone
    }

    void close() throws IOException {
        file.close();
    }
}
