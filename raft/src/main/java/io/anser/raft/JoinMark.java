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

/**
 * Says, over restarts, that a member may have forgotten what it has confirmed or whom it voted for, because it began with an
 * empty folder in a group that was there. While the mark stands it neither votes nor stands for election: with its vote, a
 * member that lacks a confirmed entry could come to lead. Any thread asks; the engine sets and removes it.
 */
public final class JoinMark {
    private static final String NAME = "joining";

    private final Path file;
    private volatile boolean standing;

    private JoinMark(Path file) {
        this.file = file;
        this.standing = Files.exists(file);
    }

    /** The mark in a folder, which may stand from an earlier start. */
    public static JoinMark in(Path directory) {
        return new JoinMark(directory.resolve(NAME));
    }

    /** Whether the member must not vote. */
    public boolean stands() {
        return standing;
    }

    /** Sets the mark, durably before it returns. */
    public void set(String reason) {
        standing = true;
        Path written = file.resolveSibling(NAME + ".new");
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap((reason + "\n").getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            forceFolder();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot mark that this member joins: " + file, e);
        }
    }

    /** Removes the mark, durably before the member votes again. */
    public void remove() {
        try {
            Files.deleteIfExists(file);
            forceFolder();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the mark " + file, e);
        }
        standing = false;
    }

    private void forceFolder() throws IOException {
        try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
