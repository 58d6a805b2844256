package io.anser.store.adoption;

import io.anser.protocol.message.MessageLayout;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a new commit log as an Apache broker reads it; {@link ApacheLog} describes the files. Each file has the full size,
 * behind the last message with zeros that take no room. Owned by one thread.
 */
public final class ApacheLogWriter implements Closeable {
    private static final int BUFFER_BYTES = 1 << 20;

    /** Apache ends a file by a filler, whose size and magic must fit behind any message. */
    private static final int FILLER_BYTES = 2 * Integer.BYTES;

    private final Storage storage;
    private final int fileBytes;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private @Nullable StoreFile file;

    /** Log position of the buffer's first byte. */
    private long position;

    /** A writer of a log that begins at position 0, in files of a size. */
    public ApacheLogWriter(Storage storage, int fileBytes) {
        this.storage = storage;
        this.fileBytes = fileBytes;
    }

    /**
     * Appends a message.
     *
     * @param message from position to limit; its position in the log and in its queue are replaced by new ones
     * @return its log position
     * @throws StoreException REFUSED when it is larger than a file
     */
    public long append(ByteBuffer message, long queueOffset) throws IOException {
        int bytes = message.remaining();
        if (bytes + FILLER_BYTES > fileBytes) {
            throw new StoreException(
                    StoreException.Kind.REFUSED, "message bytes=" + bytes + " do not fit a file of bytes=" + fileBytes);
        }
        if (file == null) {
            open();
        } else if (end() % fileBytes + bytes + FILLER_BYTES > fileBytes) {
            turn();
        }
        if (bytes > buffer.remaining()) {
            writeOut();
        }
        if (bytes > buffer.remaining()) {
            buffer = ByteBuffer.allocateDirect(bytes);
        }
        long at = end();
        int from = buffer.position();
        buffer.put(message.duplicate());
        buffer.putLong(from + MessageLayout.QUEUE_OFFSET, queueOffset);
        buffer.putLong(from + MessageLayout.PHYSICAL_OFFSET, at);
        return at;
    }

    private long end() {
        return position + buffer.position();
    }

    private void turn() throws IOException {
        int room = (int) (fileBytes - end() % fileBytes);
        if (buffer.remaining() < FILLER_BYTES) {
            writeOut();
        }
        buffer.putInt(room).putInt(ApacheScanner.FILLER_MAGIC);
        writeOut();
        position += room - FILLER_BYTES;
        close();
        open();
    }

    private void open() throws IOException {
        StoreFile next = storage.open(ApacheLog.DIRECTORY + "/" + String.format("%020d", position));
        next.resize(fileBytes);
        file = next;
    }

    private void writeOut() throws IOException {
        StoreFile target = file;
        buffer.flip();
        int bytes = buffer.remaining();
        if (target != null && bytes > 0) {
            target.write(buffer, position % fileBytes);
        }
        buffer.clear();
        position += bytes;
    }

    /** Writes what is left and makes the file durable; the names are made durable by the caller. */
    @Override
    public void close() throws IOException {
        StoreFile last = file;
        if (last != null) {
            try (last) {
                writeOut();
                last.force();
            } finally {
                file = null;
            }
        }
    }
}
