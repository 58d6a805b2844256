package io.anser.store.snapshot;

import io.anser.store.file.NoSpaceException;
import io.anser.store.file.OwnFiles;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The snapshot files of a store, named by the 20-digit log position they were taken at. The newest two are kept. */
public final class SnapshotFolder {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotFolder.class);
    private static final String DIRECTORY = "snapshot";
    private static final String NEW = "new";
    private static final String TEMPORARY = DIRECTORY + "/" + NEW;
    private static final Pattern NAME = Pattern.compile("\\d{20}");

    /** The snapshots. */
    public static final OwnFiles OWN_FILES = new OwnFiles(DIRECTORY, NAME, false, true);

    /** The next one, which is begun anew whatever there is of it. */
    public static final OwnFiles OWN_NEXT = new OwnFiles(DIRECTORY, Pattern.compile(NEW), true, true);

    private static final int KEPT = 2;

    /** Room that is kept for the next snapshot, as a multiple of the last one: the state grows slowly. */
    private static final double ROOM_AHEAD = 1.25;

    private static final int ROOM_BYTES_MIN = 64 << 10;
    private static final int PIECE_BYTES = 256 << 10;

    private final Storage storage;

    /** Held while old snapshots go, and by who opens them meanwhile: opening one that is gone would make an empty one. */
    private final Object removal = new Object();

    /** The snapshots in a storage. */
    public SnapshotFolder(Storage storage) {
        this.storage = storage;
    }

    /**
     * Publishes a snapshot: it is whole and durable under its name, or it is not there. The caller has made durable what the
     * snapshot refers to (the log before its point, the index pages).
     */
    public void write(Snapshot snapshot) throws IOException {
        ByteBuffer bytes = snapshot.encode();
        int size = bytes.remaining();
        try {
            writeTemporary(bytes);
        } catch (NoSpaceException e) {
            storage.delete(TEMPORARY); // what there is of it is needed elsewhere
            throw e;
        }
        storage.rename(TEMPORARY, DIRECTORY + "/" + fileName(snapshot.point().position()));
        storage.forceDirectory(DIRECTORY);
        storage.forceDirectory("");
        removeOld();
        makeRoom(size);
    }

    private void removeOld() throws IOException {
        synchronized (removal) {
            List<String> names = names();
            for (String old : names.subList(Math.min(KEPT, names.size()), names.size())) {
                storage.delete(DIRECTORY + "/" + old);
            }
        }
    }

    private void writeTemporary(ByteBuffer bytes) throws IOException {
        int size = bytes.remaining();
        try (StoreFile file = openTemporary()) {
            file.write(bytes, 0);
            file.resize(size);
            file.force();
        }
    }

    /** Opens the file that becomes the snapshot. What stands in its place and cannot be written to goes: nothing in it counts. */
    private StoreFile openTemporary() throws IOException {
        try {
            return storage.open(TEMPORARY);
        } catch (NoSpaceException e) {
            throw e;
        } catch (IOException e) {
            LOG.warn("not a file that a snapshot can be written to, making it again file={}", describe(NEW), e);
            clearTemporary(e);
            return storage.open(TEMPORARY);
        }
    }

    private void clearTemporary(IOException reason) throws IOException {
        try {
            storage.delete(TEMPORARY);
        } catch (IOException notEmpty) {
            reason.addSuppressed(notEmpty);
            String aside = NEW + ".aside-" + fileName(newestPosition());
            try {
                storage.rename(TEMPORARY, DIRECTORY + "/" + aside);
            } catch (IOException e) {
                reason.addSuppressed(e);
                throw reason;
            }
            LOG.error(
                    "a directory where snapshots are written was set aside as={}; see where it belongs, then delete it",
                    describe(aside));
        }
    }

    /**
     * Takes room for the next snapshot while there is some: without one a full device could not let segments go.
     *
     * @param lastBytes size of the last snapshot: less is of no use
     */
    private void makeRoom(int lastBytes) throws IOException {
        long wanted = Math.max(ROOM_BYTES_MIN, (long) (lastBytes * ROOM_AHEAD));
        ByteBuffer zeros = ByteBuffer.allocate(PIECE_BYTES);
        long taken = 0;
        try (StoreFile file = storage.open(TEMPORARY)) {
            while (taken < wanted) {
                int piece = (int) Math.min(PIECE_BYTES, wanted - taken);
                file.write(zeros.duplicate().limit(piece), taken);
                taken += piece;
            }
        } catch (NoSpaceException e) {
            if (taken < lastBytes) {
                storage.delete(TEMPORARY);
            }
        }
    }

    /**
     * The newest snapshot that is whole. One that is damaged is left out with a warning, and older ones are not touched.
     *
     * @throws IOException when one cannot be read for which there is no newer one
     * @throws io.anser.store.file.StoreException IO when such a one was written by another version: what only it knows must
     *     not be taken for lost
     */
    public Optional<Snapshot> newest() throws IOException {
        synchronized (removal) {
            for (String name : names()) {
                Optional<Snapshot> whole = read(name);
                if (whole.isPresent()) {
                    return whole;
                }
                LOG.warn("snapshot damaged, left out file={}", describe(name));
            }
            return Optional.empty();
        }
    }

    /**
     * The snapshot of a position; empty when it is damaged.
     *
     * @throws IOException when it cannot be read
     * @throws io.anser.store.file.StoreException IO when it was written by another version
     */
    public Optional<Snapshot> read(long position) throws IOException {
        return read(fileName(position));
    }

    private Optional<Snapshot> read(String name) throws IOException {
        return readFile(storage, DIRECTORY + "/" + name);
    }

    /** Size of a snapshot's file; 0 when it has gone. */
    public long bytes(long position) throws IOException {
        synchronized (removal) {
            String name = DIRECTORY + "/" + fileName(position);
            if (!storage.exists(name)) {
                return 0;
            }
            try (StoreFile file = storage.open(name)) {
                return file.size();
            }
        }
    }

    /** Bytes of a snapshot's file, at most so many; none behind its end, and empty when it has gone. */
    public Optional<ByteBuffer> read(long position, long at, int bytesMax) throws IOException {
        synchronized (removal) {
            String name = DIRECTORY + "/" + fileName(position);
            if (!storage.exists(name)) {
                return Optional.empty();
            }
            ByteBuffer bytes = ByteBuffer.allocate(bytesMax);
            try (StoreFile file = storage.open(name)) {
                file.read(bytes, at);
            }
            return Optional.of(bytes.flip());
        }
    }

    /**
     * Reads a snapshot that is not in its folder yet; empty when it is damaged.
     *
     * @param name of the file in the storage
     * @throws io.anser.store.file.StoreException IO when it was written by another version
     */
    public static Optional<Snapshot> readFile(Storage storage, String name) throws IOException {
        ByteBuffer bytes = bytesOf(storage, name);
        Snapshot.refuseOtherVersion(bytes, storage.describe(name));
        return Snapshot.decode(bytes);
    }

    /** The name, with its folder, of the snapshot of a position. */
    public static String path(long position) {
        return DIRECTORY + "/" + fileName(position);
    }

    /** Log positions of all snapshots, whole or damaged, newest first. */
    public List<Long> positions() throws IOException {
        return names().stream().map(Long::parseLong).toList();
    }

    /** Log position of the newest snapshot, whole or damaged; 0 when there is none. */
    public long newestPosition() throws IOException {
        List<String> names = names();
        return names.isEmpty() ? 0 : Long.parseLong(names.get(0));
    }

    /**
     * The lowest log position of a record that a start from one of the kept snapshots asks for; 0 while there are fewer than
     * two, so that there is always one to fall back to.
     */
    public long firstNeededPosition() throws IOException {
        synchronized (removal) {
            List<String> names = names();
            long first = names.size() < KEPT ? 0 : Long.MAX_VALUE;
            for (String name : names.subList(0, Math.min(KEPT, names.size()))) {
                try (StoreFile file = storage.open(DIRECTORY + "/" + name)) {
                    first = Math.min(first, Snapshot.recordPosition(file));
                }
            }
            return first;
        }
    }

    /** Where the snapshot of a position is, as people need it in an error text. */
    public String describe(Snapshot snapshot) {
        return describe(fileName(snapshot.point().position()));
    }

    private String describe(String name) {
        return storage.describe(DIRECTORY + "/" + name);
    }

    private static ByteBuffer bytesOf(Storage storage, String name) throws IOException {
        try (StoreFile file = storage.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), Integer.MAX_VALUE - 8));
            file.read(bytes, 0);
            return bytes.flip();
        }
    }

    private List<String> names() throws IOException {
        List<String> names = new ArrayList<>(storage.list(DIRECTORY));
        names.removeIf(name -> !NAME.matcher(name).matches());
        names.sort(Comparator.reverseOrder());
        return names;
    }

    private static String fileName(long position) {
        return String.format("%020d", position);
    }
}
