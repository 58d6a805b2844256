package io.anser.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * What the system knows a file or directory by, whichever path leads to it: device and number. As long as the file is open no
 * other file gets the same.
 *
 * @param key null on a system that has none (Windows, where an open file cannot be replaced)
 */
public record FileIdentity(@Nullable Object key) {
    /** The identity of what is there now. */
    public static FileIdentity of(Path path) throws IOException {
        return new FileIdentity(
                Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    }

    /** Whether a path leads to it. */
    boolean isThatOf(Path path) throws IOException {
        try {
            return equals(of(path));
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
