package io.anser.store.key;

import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Writes the entries of one run, in their order, to a file. Owned by one thread. */
final class KeyFileWriter implements AutoCloseable {
    private static final int BUFFER_BLOCKS = 64;
    /** Forced piece by piece: one large force at the end would hold up the log's own. */
    private static final int FORCE_BLOCKS = 2048;

    private final KeyFolder folder;
    private final String temporary;
    private final StoreFile file;
    private final long from;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BLOCKS * KeyFile.BLOCK_BYTES);
    private int[] fences = new int[16];
    private int blocks;
    private int blocksWritten;
    private int inBlock;
    private long entries;
    private boolean open = true;

    /**
     * Begins a file.
     *
     * @param temporary the name until it is finished; what had it before is lost
     * @param from first log position that the run covers
     */
    KeyFileWriter(KeyFolder folder, String temporary, long from) throws IOException {
        this.folder = folder;
        this.temporary = temporary;
        this.from = from;
        this.file = folder.begin(temporary);
    }

    void add(long entry) throws IOException {
        if (inBlock == 0) {
            if (blocks == fences.length) {
                fences = Arrays.copyOf(fences, 2 * blocks);
            }
            fences[blocks++] = KeyEntry.hash(entry);
            buffer.position(buffer.position() + KeyFile.BLOCK_HEADER_BYTES);
        }
        buffer.putLong(entry);
        entries++;
        if (++inBlock == KeyFile.BLOCK_ENTRIES) {
            endBlock();
        }
    }

    private void endBlock() throws IOException {
        int end = (buffer.position() + KeyFile.BLOCK_BYTES - 1) / KeyFile.BLOCK_BYTES * KeyFile.BLOCK_BYTES;
        while (buffer.position() < end) {
            buffer.putLong(0);
        }
        int at = end - KeyFile.BLOCK_BYTES;
        buffer.putInt(at + 4, inBlock);
        buffer.putInt(at, KeyFile.crcOf(buffer, at + 4, KeyFile.BLOCK_BYTES - 4));
        inBlock = 0;
        if (!buffer.hasRemaining()) {
            writeOut();
        }
    }

    private void writeOut() throws IOException {
        int count = buffer.position() / KeyFile.BLOCK_BYTES;
        file.write(buffer.flip(), (long) blocksWritten * KeyFile.BLOCK_BYTES);
        buffer.clear();
        blocksWritten += count;
        if (blocksWritten % FORCE_BLOCKS == 0) {
            file.force();
        }
    }

    /** Ends the file and publishes it, durably, under its own name. */
    KeyFile finish(long until, long recordPosition, int recordCrc, TimeMarks marks) throws IOException {
        if (inBlock > 0) {
            endBlock();
        }
        writeOut();
        String name = KeyFolder.fileName(from, until);
        KeyFile made = new KeyFile(
                file, name, from, until, recordPosition, recordCrc, entries, Arrays.copyOf(fences, blocks), marks);
        file.write(KeyFile.footer(made), (long) blocks * KeyFile.BLOCK_BYTES);
        file.force();
        folder.publish(temporary, name);
        open = false;
        return made;
    }

    /** Gives up a file that was not finished. */
    @Override
    public void close() throws IOException {
        if (open) {
            open = false;
            file.close();
            folder.discard(temporary); // the device may be full: its bytes are needed elsewhere
        }
    }
}
