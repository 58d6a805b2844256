package io.anser.store.recovery;

import io.anser.store.file.OwnFiles;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyIndex;
import io.anser.store.log.CommitLog;
import io.anser.store.queue.PageFile;
import io.anser.store.snapshot.SnapshotFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stands where a store needs a file of its own and cannot be used as one. Where the file can be made again (the index,
 * the next snapshot), whatever it is gets another name before the store is opened: a directory that somebody made or unpacked
 * there, a link that leads nowhere, a file that this process may not open.
 *
 * <p>Segments of the log and snapshots may exist nowhere else. In their places only a directory gets another name, for it
 * cannot be what the store has written. A link that leads nowhere stops the start: what it leads to may be back tomorrow, and
 * a store that was opened without it goes on without it. A segment or snapshot that may not be opened stays where it is, and
 * stops the start when it is needed: whoever gives the permission back has it all.
 */
public final class Obstacles {
    private static final Logger LOGGER = LoggerFactory.getLogger(Obstacles.class);

    /** The first of a folder decides what may become of the folder itself. */
    private static final List<OwnFiles> OWNED = List.of(
            PageFile.OWN_FILES,
            KeyIndex.OWN_FILES,
            SnapshotFolder.OWN_FILES,
            SnapshotFolder.OWN_NEXT,
            CommitLog.OWN_FILES);

    /** What a process can do to files; an administrator's may open all of them. */
    interface FileAccess {
        /** Whether the process may read and write a file. */
        boolean mayUse(Path file);

        /** Gives a file or a directory another name, which nothing has. */
        void move(Path from, Path to) throws IOException;
    }

    private static final FileAccess OWN_ACCESS = new FileAccess() {
        @Override
        public boolean mayUse(Path file) {
            return Files.isReadable(file) && Files.isWritable(file);
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            Files.move(from, to);
        }
    };

    private final FileAccess access;

    Obstacles(FileAccess access) {
        this.access = access;
    }

    /**
     * Sets aside what is in the way, with a line in the log for each. The store's lock is held.
     *
     * @throws StoreException IO when a link that leads nowhere stands where a segment, a snapshot or their folder belongs;
     *     nothing was set aside then
     * @throws IOException when a folder cannot be read, or a name not be changed
     */
    public static void setAside(Path store) throws IOException {
        new Obstacles(OWN_ACCESS).setAsideAll(store);
    }

    void setAsideAll(Path store) throws IOException {
        List<Path> obstacles = new ArrayList<>();
        for (OwnFiles owned : OWNED) {
            Path path = store.resolve(owned.folder());
            if (Files.isDirectory(path)) {
                obstacles.addAll(obstaclesIn(path, owned));
            } else if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !obstacles.contains(path)) {
                requireReplaceable(path, owned.areMadeAgain() || (owned.isFolderMade() && isFileItself(path)));
                obstacles.add(path);
            }
        }
        for (Path obstacle : obstacles) {
            setAsideOne(obstacle);
        }
    }

    private List<Path> obstaclesIn(Path path, OwnFiles owned) throws IOException {
        List<Path> obstacles;
        try (Stream<Path> there = Files.list(path)) {
            obstacles = there.filter(file -> owned.contains(String.valueOf(file.getFileName())))
                    .filter(file -> !isUsable(file, owned))
                    .sorted()
                    .toList();
        }
        for (Path obstacle : obstacles) {
            requireReplaceable(
                    obstacle, owned.areMadeAgain() || Files.isDirectory(obstacle, LinkOption.NOFOLLOW_LINKS));
        }
        return obstacles;
    }

    private static boolean isFileItself(Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    private boolean isUsable(Path file, OwnFiles owned) {
        return Files.isRegularFile(file) && (!owned.areMadeAgain() || access.mayUse(file));
    }

    private static void requireReplaceable(Path path, boolean isReplaceable) throws IOException {
        if (!isReplaceable) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    Files.isSymbolicLink(path)
                            ? path + " is a link to " + Files.readSymbolicLink(path)
                                    + ", where nothing is that the store can use; bring that back (is its device mounted?),"
                                    + " or remove the link to start without what it held"
                            : path
                                    + " is not what the store has made there, or cannot be looked at; see what it is, and move"
                                    + " it away to start without it");
        }
    }

    private void setAsideOne(Path obstacle) throws IOException {
        String name = obstacle.getFileName() + ".aside";
        Path kept = obstacle.resolveSibling(name);
        for (int other = 2; Files.exists(kept, LinkOption.NOFOLLOW_LINKS); other++) {
            kept = obstacle.resolveSibling(name + "-" + other);
        }
        try {
            access.move(obstacle, kept);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("cannot set aside " + obstacle + ": " + kept + " has just been made", e);
        } catch (IOException e) {
            throw new IOException(
                    "not a file that the store can use, and it cannot be set aside: " + obstacle
                            + "; move it away by hand: " + e.getMessage(),
                    e);
        }
        LOGGER.error(
                "not a file that the store can use, set aside file={} as={}; see where it belongs, then delete it",
                obstacle,
                kept);
    }
}
