package io.anser.store.recovery;

import io.anser.store.file.FileIdentity;
import io.anser.store.file.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second process away from a store's directory: the file {@code LOCK}, locked with the operating system, which frees
 * it when the process ends, however it ends. Its text tells people who holds it.
 *
 * <p>The lock belongs to the file and not to its name: when somebody removes or replaces {@code LOCK}, another process can
 * take the new one. The locks of the segments keep it out of the store nevertheless ({@link
 * io.anser.store.log.CommitLog#open(io.anser.store.file.Storage, int, io.anser.store.log.OlderLog)}).
 */
public final class DirectoryLock implements Closeable {
    private static final int TEXT_BYTES_MAX = 256;

    /**
     * The directories that this process holds, with the holders' texts. Asked before the file is opened: POSIX drops a process's lock as
     * soon as the process closes any descriptor of the file, so even a refused second attempt would free it.
     */
    private static final Map<Object, String> HELD_HERE = new ConcurrentHashMap<>();

    private final Object directory;
    private final FileChannel channel;

    private DirectoryLock(Object directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @param nowMillis time to write into the file, milliseconds since 1970
     * @throws StoreException IO when another process, or another store in this one, holds it
     */
    public static DirectoryLock take(Path directory, long nowMillis) throws IOException {
        Object identity = identity(Files.createDirectories(directory));
        Path path = directory.resolve("LOCK");
        String text = "pid=" + ProcessHandle.current().pid() + " since=" + Instant.ofEpochMilli(nowMillis);
        String holder = HELD_HERE.putIfAbsent(identity, text);
        if (holder != null) {
            throw inUse(path, holder);
        }
        boolean taken = false;
        try {
            DirectoryLock lock = new DirectoryLock(identity, lock(path, text));
            taken = true;
            return lock;
        } finally {
            if (!taken) {
                HELD_HERE.remove(identity);
            }
        }
    }

    /**
     * Keeps a store from being used while it is looked at, without changing anything.
     *
     * @throws StoreException IO when it is in use; the text says by whom
     */
    public static Closeable share(Path directory) throws IOException {
        Path path = directory.resolve("LOCK");
        String here = HELD_HERE.get(identity(directory));
        if (here != null) {
            throw inUse(path, here);
        }
        if (!Files.exists(path)) {
            return () -> {}; // no process can hold it
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        boolean shared = false;
        try {
            if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
                throw inUse(path, holder(channel));
            }
            shared = true;
            return channel;
        } finally {
            if (!shared) {
                channel.close();
            }
        }
    }

    /** What a directory is known by, whichever path leads to it. */
    private static Object identity(Path directory) throws IOException {
        Object key = FileIdentity.of(directory).key();
        return key == null ? directory.toRealPath() : key;
    }

    private static FileChannel lock(Path path, String text) throws IOException {
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            if (channel.tryLock() == null) {
                throw inUse(path, holder(channel));
            }
            ByteBuffer line = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
            int bytes = line.remaining();
            channel.write(line, 0); // before the cut: over bytes that a full device has given already
            channel.truncate(bytes);
            locked = true;
            return channel;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    private static StoreException inUse(Path path, String holder) {
        return new StoreException(StoreException.Kind.IO, "the store is in use: " + path + " is held by " + holder);
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(TEXT_BYTES_MAX);
        channel.read(text, 0);
        return StandardCharsets.UTF_8.decode(text.flip()).toString().trim();
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD_HERE.remove(directory);
        }
    }
}
