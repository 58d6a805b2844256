package io.anser.store.recovery;

import io.anser.store.adoption.ApacheLock;
import io.anser.store.adoption.ApacheLog;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.ForeignDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a store's own files are. In a directory of an Apache broker they are in the folder {@code anser}: the broker has an
 * {@code index} and a {@code lock} of its own, which must stay as they are.
 *
 * @param own directory of the store's own files
 * @param apache directory of the Apache broker whose store is (or was) adopted
 */
public record StoreHome(Path own, Optional<Path> apache) {
    private static final String FOLDER = "anser";

    /** Looks where the files of a store are that was opened under this directory, or will be. */
    public static StoreHome of(Path directory) {
        Path folder = directory.resolve(FOLDER);
        // Where Apache's log was deleted after it had expired, what we made of it tells.
        boolean isAdopted = Files.isDirectory(directory.resolve(ApacheLog.DIRECTORY)) || isStore(folder);
        return !isStore(directory) && isAdopted
                ? new StoreHome(folder, Optional.of(directory))
                : new StoreHome(directory, Optional.empty());
    }

    private static boolean isStore(Path directory) {
        return Files.exists(directory.resolve("VERSION")) && Files.isDirectory(directory.resolve("log"));
    }

    /**
     * Keeps other processes away: a second one of ours, and the Apache broker.
     *
     * @param nowMillis time to write into our own lock, milliseconds since 1970
     * @throws io.anser.store.file.StoreException IO when one of them uses the directory
     */
    public Closeable lock(long nowMillis) throws IOException {
        Closeable foreign = apache.isPresent() ? ApacheLock.take(apache.get()) : () -> {};
        boolean taken = false;
        try {
            Closeable lock = DirectoryLock.take(own, nowMillis);
            taken = true;
            return () -> {
                try (foreign) {
                    lock.close();
                }
            };
        } finally {
            if (!taken) {
                foreign.close();
            }
        }
    }

    /** The store of the Apache broker, opened for reading; the lock is held. */
    public Optional<ApacheStore> apacheStore() throws IOException {
        return apache.isPresent()
                ? Optional.of(ApacheStore.open(new ForeignDirectory(apache.get())))
                : Optional.empty();
    }
}
