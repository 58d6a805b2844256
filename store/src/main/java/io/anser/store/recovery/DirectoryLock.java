package io.anser.store.recovery;

import io.anser.store.file.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second process away from a store's directory: the file {@code LOCK}, locked with the operating system, which frees
 * it when the process ends, however it ends. Its text tells people who holds it.
 */
public final class DirectoryLock implements Closeable {
    private static final int TEXT_BYTES_MAX = 256;

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @param nowMillis time to write into the file, milliseconds since 1970
     * @throws StoreException IO when another process, or another store in this one, holds it
     */
    public static DirectoryLock take(Path directory, long nowMillis) throws IOException {
        Files.createDirectories(directory);
        Path path = directory.resolve("LOCK");
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            if (tryLock(channel) == null) {
                throw new StoreException(
                        StoreException.Kind.IO, "the store is in use: " + path + " is held by " + holder(channel));
            }
            String text = "pid=" + ProcessHandle.current().pid() + " since=" + Instant.ofEpochMilli(nowMillis) + "\n";
            channel.truncate(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            taken = true;
            return new DirectoryLock(channel);
        } finally {
            if (!taken) {
                channel.close();
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this very process
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(TEXT_BYTES_MAX);
        channel.read(text, 0);
        return StandardCharsets.UTF_8.decode(text.flip()).toString().trim();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
