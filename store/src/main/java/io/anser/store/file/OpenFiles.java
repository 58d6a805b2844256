package io.anser.store.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The open files of a storage, so that all of them can be closed and none is opened after that. Thread-safe. */
final class OpenFiles implements Closeable {
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();

    /** Its reading side is held by whoever opens a file or changes a name, its writing side to forbid that for ever. */
    private final ReadWriteLock changes = new ReentrantReadWriteLock();

    private boolean closed;

    /** Something that may happen only before the end. */
    @FunctionalInterface
    interface Change<T> {
        T make() throws IOException;
    }

    /** Does something; {@link #close} waits for it. */
    <T> T before(Change<T> change) throws IOException {
        changes.readLock().lock();
        try {
            if (closed) {
                throw new IOException("the storage is closed");
            }
            return change.make();
        } finally {
            changes.readLock().unlock();
        }
    }

    /** Takes note of a file, within {@link #before}. */
    void opened(Closeable file) {
        open.add(file);
    }

    /** Closes a file. */
    void close(Closeable file) throws IOException {
        open.remove(file);
        file.close();
    }

    /** Closes all files, also when some of them fail to. */
    @Override
    public void close() throws IOException {
        changes.writeLock().lock();
        try {
            closed = true;
        } finally {
            changes.writeLock().unlock();
        }
        IOException failure = null;
        for (Closeable file : open) {
            try {
                close(file);
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
