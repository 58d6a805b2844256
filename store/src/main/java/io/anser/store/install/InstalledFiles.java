package io.anser.store.install;

import io.anser.store.file.OwnFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreFile;
import io.anser.store.key.KeyIndex;
import io.anser.store.log.CommitLog;
import io.anser.store.queue.PageFile;
import io.anser.store.snapshot.SnapshotFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of an {@link Installation} in {@value #FOLDER}: segments and a snapshot, named as in their own folders, and, from
 * the moment on that they are to take the place of the store's files, the marker {@value #MARKER} beside them. Opening thread.
 */
public final class InstalledFiles {
    static final String FOLDER = "log.install";
    static final String MARKER = "INSTALL";

    private static final Logger LOG = LoggerFactory.getLogger(InstalledFiles.class);
    private static final String SNAPSHOT_PREFIX = "snapshot-";
    private static final List<OwnFiles> REPLACED =
            List.of(PageFile.OWN_FILES, KeyIndex.OWN_FILES, SnapshotFolder.OWN_FILES, CommitLog.OWN_FILES);
    private static final Pattern TEXT =
            Pattern.compile("install 1\nfirst (\\d{1,19})\nposition (\\d{1,19})\nsegment-bytes (\\d{1,10})\n");
    private static final int TEXT_BYTES_MAX = 4096;

    private InstalledFiles() {}

    static String segment(long base) {
        return FOLDER + "/" + fileName(base);
    }

    static String snapshot(long position) {
        return FOLDER + "/" + SNAPSHOT_PREFIX + fileName(position);
    }

    private static String fileName(long position) {
        return String.format("%020d", position);
    }

    /** Writes the marker, durably. */
    static void seal(Storage storage, InstallPlan plan) throws IOException {
        String text = "install 1\nfirst " + plan.firstPosition() + "\nposition " + plan.position() + "\nsegment-bytes "
                + plan.segmentBytes() + "\n";
        String temporary = MARKER + ".new";
        storage.delete(temporary);
        try (StoreFile file = storage.open(temporary)) {
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            file.force();
        }
        storage.rename(temporary, MARKER);
        storage.forceDirectory("");
    }

    /**
     * Puts what was received in the place of the store's files if there is a marker, from wherever a crash has interrupted
     * that; throws it away if there is none. Called before any of the store's files is opened.
     *
     * @throws StoreException IO when the marker is not one of ours
     */
    public static void settle(Storage storage) throws IOException {
        if (storage.exists(MARKER)) {
            finish(storage);
        } else if (!storage.list(FOLDER).isEmpty()) {
            LOG.info("what was received of a group's log before the last end is not whole, thrown away");
            clear(storage, FOLDER);
        }
    }

    private static void finish(Storage storage) throws IOException {
        Matcher marker = marker(storage);
        long first = Long.parseLong(marker.group(1));
        long position = Long.parseLong(marker.group(2));
        int segmentBytes = Integer.parseInt(marker.group(3));
        LOG.info("the log that the group gave takes the place of this member's own positions=[{},{})", first, position);
        for (OwnFiles owned : REPLACED) {
            clearOthers(storage, owned, first, position);
        }
        String log = CommitLog.OWN_FILES.folder();
        makeFolder(storage, log);
        for (long base = first; base < position; base += segmentBytes) {
            move(storage, segment(base), log + "/" + fileName(base));
        }
        makeFolder(storage, SnapshotFolder.OWN_FILES.folder());
        move(storage, snapshot(position), SnapshotFolder.path(position));
        // First where the names are now, then where they were.
        storage.forceDirectory(log);
        storage.forceDirectory(SnapshotFolder.OWN_FILES.folder());
        clear(storage, FOLDER);
        storage.delete(MARKER);
        // Before anything is written to the log: done once more, all of this would take that away.
        storage.forceDirectory("");
    }

    private static Matcher marker(Storage storage) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(TEXT_BYTES_MAX);
        try (StoreFile file = storage.open(MARKER)) {
            file.read(bytes, 0);
        }
        Matcher matcher = TEXT.matcher(StandardCharsets.UTF_8.decode(bytes.flip()));
        if (!matcher.matches()) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "not what this program writes: " + storage.describe(MARKER)
                            + "; remove the store, and have the group bring this member up to date");
        }
        return matcher;
    }

    /** Removes the store's own files, but not what has been moved there already. */
    private static void clearOthers(Storage storage, OwnFiles owned, long first, long position) throws IOException {
        List<String> names = storage.list(owned.folder());
        for (String name : names) {
            if (owned.contains(name) && !isMoved(storage, owned, name, first, position)) {
                storage.delete(owned.folder() + "/" + name);
            }
        }
        if (!names.isEmpty()) {
            storage.forceDirectory(owned.folder());
        }
    }

    private static boolean isMoved(Storage storage, OwnFiles owned, String name, long first, long position) {
        if (owned.equals(CommitLog.OWN_FILES)) {
            boolean given = name.compareTo(fileName(first)) >= 0 && name.compareTo(fileName(position)) < 0;
            return given && !storage.exists(FOLDER + "/" + name);
        }
        return owned.equals(SnapshotFolder.OWN_FILES)
                && name.equals(fileName(position))
                && !storage.exists(snapshot(position));
    }

    /** Makes sure that a folder is there, durably: what is moved into it has no other name any more. */
    private static void makeFolder(Storage storage, String folder) throws IOException {
        String any = folder + "/" + MARKER;
        storage.open(any).close();
        storage.forceDirectory("");
        storage.delete(any);
    }

    private static void move(Storage storage, String from, String to) throws IOException {
        if (storage.exists(from)) {
            storage.rename(from, to);
        }
    }

    private static void clear(Storage storage, String folder) throws IOException {
        List<String> names = storage.list(folder);
        for (String name : names) {
            storage.delete(folder + "/" + name);
        }
        if (!names.isEmpty()) {
            storage.forceDirectory(folder);
        }
    }
}
