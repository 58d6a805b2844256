package io.anser.store.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;

/**
 * The operating system's lock on a whole file: it belongs to the file and not to its name, and ends with the process that
 * holds it, or when that closes the file.
 */
final class SystemLock {
    private SystemLock() {}

    /**
     * Takes the lock.
     *
     * @param shared whether others may hold it too who only look; the channel is open for reading then, else for writing
     * @throws StoreException IO when somebody holds it
     */
    static void take(FileChannel channel, Path path, boolean shared) throws IOException {
        try {
            if (channel.tryLock(0, Long.MAX_VALUE, shared) == null) {
                throw inUse(path, "another process");
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(path, "this process");
        }
    }

    private static StoreException inUse(Path path, String holder) {
        return new StoreException(StoreException.Kind.IO, "the store is in use: " + path + " is held by " + holder);
    }
}
