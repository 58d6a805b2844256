package io.anser.store.recovery;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stands where a store needs a file of its own and cannot be used as one: a directory that somebody made or unpacked
 * there, a link that leads nowhere, a file that this process may not open. Such a thing gets another name, with all that is
 * in it, before the store is opened; what should have been there is then missing, which recovery knows how to mend.
 *
 * <p>A segment of the log or a snapshot that may not be opened stays where it is, and stops the start: what it holds may be
 * nowhere else, and whoever gives the permission back has it all.
 */
public final class Obstacles {
    private static final Logger LOGGER = LoggerFactory.getLogger(Obstacles.class);

    private static final List<Folder> FOLDERS = List.of(
            new Folder("index", "queue-pages-\\d{10}|keys-\\d{20}-\\d{20}|keys-new|keys-merged", true, true),
            new Folder("snapshot", "\\d{20}|new", false, true),
            new Folder("log", "\\d{20}", false, false));

    /**
     * A folder of the store, and the names of the store's files in it.
     *
     * @param isMadeAgain whether its files can be made again from the log
     * @param isMade whether the folder itself is made where it is missing
     */
    private record Folder(String name, Pattern files, boolean isMadeAgain, boolean isMade) {
        Folder(String name, String files, boolean isMadeAgain, boolean isMade) {
            this(name, Pattern.compile(files), isMadeAgain, isMade);
        }

        boolean isInTheWay(Path path) {
            return files.matcher(String.valueOf(path.getFileName())).matches()
                    && !(Files.isRegularFile(path)
                            && (!isMadeAgain || (Files.isReadable(path) && Files.isWritable(path))));
        }
    }

    private Obstacles() {}

    /**
     * Sets aside what is in the way, with a line in the log for each. The store's lock is held.
     *
     * @throws IOException when a folder cannot be read, or a name not be changed
     */
    public static void setAside(Path store) throws IOException {
        for (Folder folder : FOLDERS) {
            Path path = store.resolve(folder.name);
            if (Files.isDirectory(path)) {
                for (Path obstacle : obstaclesIn(path, folder)) {
                    setAsideOne(obstacle);
                }
            } else if (folder.isMade && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                setAsideOne(path);
            }
        }
    }

    private static List<Path> obstaclesIn(Path path, Folder folder) throws IOException {
        try (Stream<Path> there = Files.list(path)) {
            return there.filter(folder::isInTheWay).sorted().toList();
        }
    }

    private static void setAsideOne(Path obstacle) throws IOException {
        String name = obstacle.getFileName() + ".aside";
        Path kept = obstacle.resolveSibling(name);
        for (int other = 2; Files.exists(kept, LinkOption.NOFOLLOW_LINKS); other++) {
            kept = obstacle.resolveSibling(name + "-" + other);
        }
        LOGGER.error(
                "not a file that the store can use, set aside file={} as={}; see where it belongs, then delete it",
                obstacle,
                kept);
        try {
            Files.move(obstacle, kept);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("cannot set aside " + obstacle + ": " + kept + " has just been made", e);
        }
    }
}
