package io.anser.store.adoption;

import io.anser.store.file.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Our hold on the file {@code lock} of an Apache broker's store. A broker that runs has its first byte locked for itself; a
 * shared lock of that byte, for which the file is opened for reading only, is refused then, and as long as we hold one no
 * broker starts on the directory. (Observed with the broker of release 5.5.0 on Linux.)
 */
public final class ApacheLock implements Closeable {
    private static final String NAME = "lock";

    private final FileChannel channel;

    private ApacheLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock; where the file is missing there is nothing to hold, and nothing is made.
     *
     * @throws StoreException IO when a broker runs on the directory
     */
    public static Closeable take(Path directory) throws IOException {
        Path path = directory.resolve(NAME);
        if (!Files.exists(path)) {
            return () -> {};
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        boolean taken = false;
        try {
            FileLock lock = channel.tryLock(0, 1, true);
            taken = lock != null;
        } catch (OverlappingFileLockException e) {
            throw inUse(path, "this process");
        } finally {
            if (!taken) {
                channel.close();
            }
        }
        if (!taken) {
            throw inUse(path, "an Apache broker that runs on this directory; stop it first");
        }
        return new ApacheLock(channel);
    }

    private static StoreException inUse(Path path, String holder) {
        return new StoreException(StoreException.Kind.IO, "the store is in use: " + path + " is held by " + holder);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
