package io.anser.store.file;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The real thing: a directory of the operating system's file system, through {@link FileChannel}. */
public final class FileSystemStorage implements Storage {
    private static final Pattern NO_SPACE =
            Pattern.compile("no space left|quota exceeded|not enough space", Pattern.CASE_INSENSITIVE);

    private final Path root;
    private final FileStore device;
    private final OpenFiles files = new OpenFiles();

    /** Uses (and creates when needed) a directory. */
    public FileSystemStorage(Path root) throws IOException {
        this.root = Files.createDirectories(root).toAbsolutePath();
        this.device = Files.getFileStore(this.root);
    }

    @Override
    public StoreFile open(String name) throws IOException {
        return files.before(() -> opened(name));
    }

    private ChannelFile opened(String name) throws IOException {
        Path path = root.resolve(name);
        Path parent = path.getParent();
        try {
            if (parent != null) {
                Files.createDirectories(parent);
            }
            RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
            files.opened(file);
            boolean identified = false;
            try {
                ChannelFile opened = new ChannelFile(file, path, FileIdentity.of(path), files);
                identified = true;
                return opened;
            } finally {
                if (!identified) {
                    files.close(file); // nobody else knows it
                }
            }
        } catch (IOException e) {
            throw explained(e, path, 0);
        }
    }

    @Override
    public StoreFile openLocked(String name) throws IOException {
        ChannelFile file = files.before(() -> opened(name));
        boolean locked = false;
        try {
            SystemLock.take(file.file.getChannel(), file.path, false);
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
        return Files.isRegularFile(root.resolve(name));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        Path path = root.resolve(directory);
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void delete(String name) throws IOException {
        files.before(() -> Files.deleteIfExists(root.resolve(name)));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        files.before(() -> Files.move(
                root.resolve(from),
                root.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING));
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        // Opening a directory for reading and forcing it is fsync(2) of the directory, which makes its names durable.
        try (FileChannel channel = FileChannel.open(root.resolve(directory), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public DiskSpace space() throws IOException {
        return new DiskSpace(device.getTotalSpace() - device.getUnallocatedSpace(), device.getUsableSpace());
    }

    @Override
    public String describe(String name) {
        return root.resolve(name).toString();
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    /**
     * The failure of a write as {@link NoSpaceException} where that is what it was. Java has no type for it, and the
     * system's words depend on its language: so the room that is left is asked too.
     */
    private static IOException explained(IOException failure, Path path, int bytes) {
        String said = String.valueOf(failure.getMessage());
        boolean full = NO_SPACE.matcher(said).find();
        if (!full) {
            try {
                full = Files.getFileStore(path).getUsableSpace() < bytes;
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
        return full
                ? new NoSpaceException("no space for bytes=" + bytes + " in " + path + ": " + said, failure)
                : failure;
    }

    /**
     * A file of the operating system.
     *
     * @param identity what the system knows the file by, whatever its name
     */
    private record ChannelFile(RandomAccessFile file, Path path, FileIdentity identity, OpenFiles files)
            implements StoreFile {
        @Override
        public void write(ByteBuffer source, long at) throws IOException {
            long position = at;
            try {
                while (source.hasRemaining()) {
                    position += file.getChannel().write(source, position);
                }
            } catch (IOException e) {
                throw explained(e, path, source.remaining());
            }
        }

        @Override
        public int read(ByteBuffer target, long at) throws IOException {
            int total = 0;
            while (target.hasRemaining()) {
                int count = file.getChannel().read(target, at + total);
                if (count < 0) {
                    break;
                }
                total += count;
            }
            return total;
        }

        @Override
        public long size() throws IOException {
            return file.length();
        }

        @Override
        public void resize(long bytes) throws IOException {
            try {
                file.setLength(bytes);
            } catch (IOException e) {
                throw explained(e, path, 0);
            }
        }

        @Override
        public void force() throws IOException {
            file.getChannel().force(false);
        }

        @Override
        public ByteBuffer map(int bytes) throws IOException {
            return file.getChannel().map(FileChannel.MapMode.READ_ONLY, 0, bytes);
        }

        @Override
        public boolean isInPlace() throws IOException {
            return identity.isThatOf(path);
        }

        @Override
        public void close() throws IOException {
            files.close(file);
        }
    }
}
