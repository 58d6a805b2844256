package io.anser.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A directory that is only looked at: nothing is created, written or forced. A file that is not there reads as an empty one.
 */
public final class ReadOnlyStorage implements Storage {
    private final ForeignDirectory files;
    private final Path root;
    private final OpenFiles open = new OpenFiles();

    /** Looks at a directory. */
    public ReadOnlyStorage(Path root) {
        this.root = root.toAbsolutePath();
        this.files = new ForeignDirectory(root);
    }

    @Override
    public StoreFile open(String name) throws IOException {
        return exists(name) ? open.before(() -> opened(name)) : new AbsentFile();
    }

    private ReadOnlyFile opened(String name) throws IOException {
        FileChannel channel = FileChannel.open(root.resolve(name), StandardOpenOption.READ);
        open.opened(channel);
        return new ReadOnlyFile(channel, open);
    }

    @Override
    public StoreFile openLocked(String name) throws IOException {
        StoreFile file = open(name);
        boolean locked = false;
        try {
            if (file instanceof ReadOnlyFile there) {
                SystemLock.take(there.channel, root.resolve(name), true);
            }
            locked = true;
            return file;
        } finally {
            if (!locked) {
                file.close();
            }
        }
    }

    @Override
    public boolean exists(String name) {
        return files.exists(name);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public void delete(String name) throws IOException {
        throw readOnly();
    }

    @Override
    public void rename(String from, String to) throws IOException {
        throw readOnly();
    }

    @Override
    public void forceDirectory(String directory) {
        // nothing was changed
    }

    @Override
    public DiskSpace space() {
        return new DiskSpace(0, 0);
    }

    @Override
    public String describe(String name) {
        return files.describe(name);
    }

    @Override
    public void close() throws IOException {
        open.close();
    }

    private static IOException readOnly() {
        return new IOException("the directory is only looked at");
    }

    /** What cannot be changed. */
    private interface Unchangeable extends StoreFile {
        @Override
        default void write(ByteBuffer source, long at) throws IOException {
            throw readOnly();
        }

        @Override
        default void resize(long bytes) throws IOException {
            throw readOnly();
        }

        @Override
        default void force() {
            // nothing was changed
        }

        @Override
        default boolean isInPlace() {
            return true; // who only looks does no harm elsewhere
        }
    }

    private record ReadOnlyFile(FileChannel channel, OpenFiles open) implements Unchangeable {
        @Override
        public int read(ByteBuffer target, long at) throws IOException {
            int total = 0;
            while (target.hasRemaining()) {
                int count = channel.read(target, at + total);
                if (count < 0) {
                    break;
                }
                total += count;
            }
            return total;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public ByteBuffer map(int bytes) throws IOException {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
        }

        @Override
        public void close() throws IOException {
            open.close(channel);
        }
    }

    private record AbsentFile() implements Unchangeable {
        @Override
        public int read(ByteBuffer target, long at) {
            return 0;
        }

        @Override
        public long size() {
            return 0;
        }

        @Override
        public ByteBuffer map(int bytes) {
            return ByteBuffer.allocate(0);
        }

        @Override
        public void close() {
            // nothing is held
        }
    }
}
