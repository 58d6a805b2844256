package io.anser.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file that tells a script that the server serves. It holds the process id, appears whole, and goes with the server. */
final class ReadyFile {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyFile.class);

    private final Path file;
    private final Path draft;

    private ReadyFile(Path file) {
        this.file = file;
        this.draft = file.resolveSibling(file.getFileName() + ".tmp");
    }

    /**
     * Takes the place of a file, before the server starts: one left over by an earlier server would tell a lie.
     *
     * @throws StartException if it cannot be written there
     */
    static ReadyFile prepare(Path path) {
        ReadyFile ready = new ReadyFile(path.toAbsolutePath());
        try {
            Files.deleteIfExists(ready.file);
            Files.writeString(ready.draft, ProcessHandle.current().pid() + "\n");
            return ready;
        } catch (IOException e) {
            throw new StartException("cannot write the ready file " + path + ": is its folder there and writable?", e);
        }
    }

    /** Lets the file appear. */
    void announce() {
        try {
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new StartException("cannot write the ready file " + file + ": " + e.getMessage(), e);
        }
    }

    /** Takes the file away again when the server ends. */
    void remove() {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            LOG.warn("the ready file stays file={} reason={}", file, e.getMessage());
        }
    }
}
