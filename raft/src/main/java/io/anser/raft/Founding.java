package io.anser.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Says, over restarts, that a member began with the store of a broker of its own: where the group's entries begin, and whether
 * the others that the settings name have come. A file of two lines. Any thread asks; who drives the group writes.
 */
public final class Founding {
    private static final String NAME = "founded";
    private static final String GROWING = "growing";
    private static final String GROWN = "grown";

    private final Path file;
    private volatile long firstIndex;
    private volatile boolean growing;

    private Founding(Path file) {
        this.file = file;
    }

    /** What a member's folder says. */
    public static Founding in(Path directory) {
        Founding founding = new Founding(directory.resolve(NAME));
        try {
            if (Files.exists(founding.file)) {
                List<String> lines = Files.readAllLines(founding.file);
                founding.firstIndex = Long.parseLong(lines.get(0));
                founding.growing = lines.get(1).equals(GROWING);
            }
            return founding;
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalStateException("cannot read " + founding.file + ": " + e.getMessage(), e);
        }
    }

    /** Index of the first entry that is the group's; 0 for a member that began empty. */
    public long firstIndex() {
        return firstIndex;
    }

    /** Whether members are still to come. */
    public boolean isGrowing() {
        return growing;
    }

    /** Notes that the group begins, durably. */
    public void begin(long first) {
        write(first, GROWING);
        firstIndex = first;
        growing = true;
    }

    /** Notes that all have come, durably: one that is removed later does not come again. */
    public void grown() {
        write(firstIndex, GROWN);
        growing = false;
    }

    private void write(long first, String state) {
        Path folder = file.toAbsolutePath().getParent();
        Path written = file.resolveSibling(NAME + ".new");
        byte[] text = (first + "\n" + state + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            Files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(
                    written,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(text));
                channel.force(true);
            }
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
                directory.force(true);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
