package io.anser.store.log;

import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One file of the log. The log writer writes it; any thread reads it through a read-only mapping that is made when first
 * needed and lives as long as a slice of it is referenced. The file grows ahead of the writes in chunks, so that the mapping
 * covers what comes and a force rarely has a new length to store.
 */
final class Segment {
    private static final int CHUNK_BYTES = 16 << 20;
    private static final ByteBuffer UNMAPPED = ByteBuffer.allocate(0);

    private final long base;
    private final int segmentBytes;
    private final StoreFile file;

    /** Written by the log writer, read by those who map. */
    private volatile int fileBytes;

    private volatile ByteBuffer mapping = UNMAPPED;

    Segment(long base, int segmentBytes, StoreFile file) throws IOException {
        this.base = base;
        this.segmentBytes = segmentBytes;
        this.file = file;
        this.fileBytes = (int) Math.min(file.size(), segmentBytes);
    }

    long base() {
        return base;
    }

    int fileBytes() {
        return fileBytes;
    }

    /** Writes at an offset within the segment, growing the file first where needed. */
    void write(ByteBuffer source, int at) throws IOException {
        int until = at + source.remaining();
        if (until > fileBytes) {
            long chunks = ((long) until + CHUNK_BYTES - 1) / CHUNK_BYTES;
            int grown = (int) Math.min(segmentBytes, chunks * CHUNK_BYTES);
            file.resize(grown);
            fileBytes = grown;
        }
        file.write(source, at);
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

    /** The file's bytes from its start, at least up to {@code until} when the file has them. */
    ByteBuffer mapped(int until) throws IOException {
        ByteBuffer current = mapping;
        return current.capacity() >= until ? current : remap(until);
    }

    private synchronized ByteBuffer remap(int until) throws IOException {
        if (mapping.capacity() < until && mapping.capacity() < fileBytes) {
            mapping = file.map(fileBytes);
        }
        return mapping;
    }

    void close() throws IOException {
        file.close();
    }
}
