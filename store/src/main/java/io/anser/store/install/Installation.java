package io.anser.store.install;

import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreFile;
import io.anser.store.log.RecordChain;
import io.anser.store.snapshot.Snapshot;
import io.anser.store.snapshot.SnapshotFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Receives a snapshot and the segments before it into files of their own, piece by piece and in order, and makes sure that
 * they are one log. The store goes on beside it. When all is there, and nothing is written to the store any more, {@link
 * #seal} has the next opening put them in the place of the store's files.
 *
 * <p>A newer plan may take the place of one that could not be followed to its end: what was received of the log counts on, as
 * the committed bytes of a position are the same everywhere. Owned by one worker; sealed when that has ended.
 */
public final class Installation {
    private final Storage storage;
    private final int ownSegmentBytes;

    /** By the position of a segment, how many bytes of it are there. */
    private final TreeMap<Long, Long> lengths = new TreeMap<>();

    private @Nullable InstallPlan plan;
    private long snapshotBytes;
    private @Nullable OpenFile open;
    private volatile boolean whole;

    private record OpenFile(long file, StoreFile bytes) {}

    /** Nothing is received yet; what an earlier process has left was taken away when the store was opened. */
    public Installation(Storage storage, int ownSegmentBytes) {
        this.storage = storage;
        this.ownSegmentBytes = ownSegmentBytes;
    }

    /**
     * Receives what a plan says from now on.
     *
     * @throws StoreException REFUSED when segments there have another size than here: log positions would differ
     */
    public void follow(InstallPlan newer) throws IOException {
        if (newer.segmentBytes() != ownSegmentBytes) {
            throw new StoreException(
                    StoreException.Kind.REFUSED,
                    "segments of this member have bytes=" + ownSegmentBytes
                            + ", those of the member that gives the log have"
                            + " bytes=" + newer.segmentBytes() + "; members of a group need the same"
                            + " store.segment-bytes: remove this member's folder, and start it with that size");
        }
        InstallPlan before = plan;
        if (newer.equals(before)) {
            return;
        }
        closeOpen();
        for (long base : lengths.headMap(newer.firstPosition()).keySet().toArray(new Long[0])) {
            storage.delete(InstalledFiles.segment(base));
            lengths.remove(base);
        }
        if (before == null || before.position() != newer.position()) {
            snapshotBytes = 0;
        }
        whole = false;
        plan = newer;
    }

    /** The next bytes to ask for; empty when all are there. */
    public Optional<InstallPiece> next() {
        InstallPlan now = planned();
        if (snapshotBytes < now.snapshotBytes()) {
            return Optional.of(new InstallPiece(InstallPiece.SNAPSHOT, snapshotBytes));
        }
        for (long base = now.firstPosition(); base < now.position(); base += now.segmentBytes()) {
            long there = lengths.getOrDefault(base, 0L);
            if (there < now.segmentLength(base)) {
                return Optional.of(new InstallPiece(base, there));
            }
        }
        return Optional.empty();
    }

    /** Log position of the plan's snapshot. */
    public long position() {
        return planned().position();
    }

    private InstallPlan planned() {
        InstallPlan now = plan;
        if (now == null) {
            throw new IllegalStateException("no plan is followed yet");
        }
        return now;
    }

    /**
     * Takes the bytes of the piece that {@link #next} named; none say that the file ends there.
     *
     * @throws IOException when they cannot be written, or a file ends too early
     */
    public void add(InstallPiece piece, ByteBuffer bytes) throws IOException {
        InstallPlan now = planned();
        int count = bytes.remaining();
        boolean isSnapshot = piece.file() == InstallPiece.SNAPSHOT;
        boolean isCut = !isSnapshot && piece.file() + now.segmentBytes() > now.position();
        long limit = isSnapshot ? now.snapshotBytes() : now.segmentLength(piece.file());
        if (piece.at() + count > limit || (count == 0 && (isSnapshot || isCut))) {
            throw new IOException("a piece of bytes=" + count + " at=" + piece.at()
                    + " does not fit into a file of bytes=" + limit + ": " + storage.describe(name(piece.file())));
        }
        StoreFile file = opened(piece.file());
        file.write(bytes, piece.at());
        // Behind the record that ends a segment its file may end.
        long length = count == 0 ? limit : piece.at() + count;
        if (length == limit) {
            file.force();
            closeOpen();
        }
        if (isSnapshot) {
            snapshotBytes = length;
        } else {
            lengths.put(piece.file(), length);
        }
    }

    private StoreFile opened(long file) throws IOException {
        OpenFile now = open;
        if (now != null && now.file() == file) {
            return now.bytes();
        }
        closeOpen();
        StoreFile bytes = storage.open(name(file));
        open = new OpenFile(file, bytes);
        return bytes;
    }

    private String name(long file) {
        return file == InstallPiece.SNAPSHOT
                ? InstalledFiles.snapshot(planned().position())
                : InstalledFiles.segment(file);
    }

    /** Ends the writing of a piece's file. */
    public void closeOpen() throws IOException {
        OpenFile now = open;
        open = null;
        if (now != null) {
            now.bytes().close();
        }
    }

    /**
     * Makes sure that what was received is a snapshot and the log before it, and makes its names durable; what is not sound is
     * thrown away.
     *
     * @throws StoreException IO when something is damaged
     */
    public void verify() throws IOException {
        InstallPlan now = planned();
        Optional<Snapshot> snapshot = SnapshotFolder.readFile(storage, InstalledFiles.snapshot(now.position()));
        if (snapshot.isEmpty() || snapshot.get().point().index() != now.index()) {
            snapshotBytes = 0;
            throw damaged(InstalledFiles.snapshot(now.position()));
        }
        RecordChain chain = new RecordChain();
        for (long base = now.firstPosition(); base < now.position(); base += now.segmentBytes()) {
            if (!isSound(chain, base, now.segmentLength(base))) {
                lengths.remove(base);
                throw damaged(InstalledFiles.segment(base));
            }
        }
        if (!chain.endsBefore(snapshot.get().point())) {
            lengths.clear();
            throw damaged(InstalledFiles.FOLDER);
        }
        storage.forceDirectory(InstalledFiles.FOLDER);
        storage.forceDirectory("");
        whole = true;
    }

    private boolean isSound(RecordChain chain, long base, long length) throws IOException {
        try (StoreFile file = storage.open(InstalledFiles.segment(base))) {
            return chain.goOn(base, file.map((int) Math.min(length, file.size())));
        }
    }

    private StoreException damaged(String name) {
        return new StoreException(
                StoreException.Kind.IO,
                "what this member was given is damaged: " + storage.describe(name) + "; it is asked for again");
    }

    /** Whether all is there and sound. Any thread. */
    public boolean isWhole() {
        return whole;
    }

    /**
     * Has the next opening put what was received in the place of the store's files, durably. To be called when nothing is
     * written to the store's log any more: what this member has confirmed must be in one or the other.
     *
     * @param lastIndex of the store's own log
     * @return false when it is not whole, or the store's own log has gone further by itself
     */
    public boolean seal(long lastIndex) throws IOException {
        if (!whole || lastIndex > planned().index()) {
            return false;
        }
        InstalledFiles.seal(storage, planned());
        return true;
    }
}
