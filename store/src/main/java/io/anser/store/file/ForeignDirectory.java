package io.anser.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory of the operating system's file system that belongs to another program. Every file is opened for reading only,
 * so that the system too keeps it from being changed.
 */
public final class ForeignDirectory implements ForeignFiles {
    private final Path root;

    /** Reads a directory. */
    public ForeignDirectory(Path root) {
        this.root = root.toAbsolutePath();
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
    public boolean exists(String name) {
        return Files.isRegularFile(root.resolve(name));
    }

    @Override
    public ByteBuffer map(String name) throws IOException {
        try (FileChannel channel = FileChannel.open(root.resolve(name), StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new IOException("file of bytes=" + channel.size() + " is too large: " + describe(name));
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }
    }

    @Override
    public String describe(String name) {
        return root.resolve(name).toString();
    }
}
