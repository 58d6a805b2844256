package io.anser.store.install;

import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreFile;
import io.anser.store.log.RecordChain;
import io.anser.store.snapshot.Snapshot;
import io.anser.store.snapshot.SnapshotFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Receives a snapshot and the segments before it into files of their own, piece by piece and in order, and makes sure that
 * they are one log. The store goes on beside it. When all is there, and nothing is written to the store any more, {@link
 * #seal} has the next opening put them in the place of the store's files.
 *
 * <p>A newer plan may take the place of one that could not be followed to its end: what the same member has given of the log
 * counts on. Another member's log has the same entries in other bytes, as each record says what was durable where it was
 * written: with another giver all begins anew. Owned by one worker; sealed when that has ended.
 */
public final class Installation {
    private static final long NONE = -1;

    private final Storage storage;
    private final int ownSegmentBytes;

    /** By the position of a segment, how many bytes of it are there. */
    private final TreeMap<Long, Long> lengths = new TreeMap<>();

    private String giver = "";
    private @Nullable InstallPlan plan;

    /** Where the last {@link #verify} found that records do not follow, or {@link #NONE}. */
    private long broken = NONE;

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
     * @param from names the member that gives it
     * @throws StoreException REFUSED when segments there have another size than here: log positions would differ
     */
    public void follow(String from, InstallPlan newer) throws IOException {
        if (newer.segmentBytes() != ownSegmentBytes) {
            throw new StoreException(
                    StoreException.Kind.REFUSED,
                    "segments of this member have bytes=" + ownSegmentBytes
                            + ", those of the member that gives the log have"
                            + " bytes=" + newer.segmentBytes() + "; members of a group need the same"
                            + " store.segment-bytes: remove this member's folder, and start it with that size");
        }
        boolean sameGiver = from.equals(giver);
        if (sameGiver && newer.equals(plan)) {
            return;
        }
        closeOpen();
        whole = false;
        if (!sameGiver) {
            forgetAll();
        }
        for (long base : List.copyOf(lengths.keySet())) {
            // Records behind the end must not be there: those that come to follow it are others.
            if (base < newer.firstPosition() || lengths.getOrDefault(base, 0L) > newer.segmentLength(base)) {
                forget(base);
            }
        }
        InstallPlan before = plan;
        if (before != null
                && (before.position() != newer.position() || before.snapshotBytes() != newer.snapshotBytes())) {
            forgetSnapshot(before);
        }
        giver = from;
        plan = newer;
    }

    private void forgetAll() throws IOException {
        for (long base : List.copyOf(lengths.keySet())) {
            forget(base);
        }
        InstallPlan now = plan;
        if (now != null) {
            forgetSnapshot(now);
        }
        broken = NONE;
    }

    private void forget(long base) throws IOException {
        storage.delete(InstalledFiles.segment(base));
        lengths.remove(base);
    }

    private void forgetSnapshot(InstallPlan of) throws IOException {
        storage.delete(InstalledFiles.snapshot(of.position()));
        snapshotBytes = 0;
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
        if (piece.at() == 0) {
            closeOpen();
            storage.delete(name(piece.file())); // what a failed write has left may be longer than what comes
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
            forgetSnapshot(now);
            throw damaged(InstalledFiles.snapshot(now.position()));
        }
        RecordChain chain = new RecordChain();
        for (long base = now.firstPosition(); base < now.position(); base += now.segmentBytes()) {
            if (!isSound(chain, base, now.segmentLength(base))) {
                forgetBroken(base);
                throw damaged(InstalledFiles.segment(base));
            }
        }
        if (!chain.endsBefore(snapshot.get().point())) {
            forgetAll();
            throw damaged(InstalledFiles.FOLDER);
        }
        storage.forceDirectory(InstalledFiles.FOLDER);
        storage.forceDirectory("");
        whole = true;
    }

    /** A segment that does not follow once more is not the damaged one: what is before it is of another log. */
    private void forgetBroken(long base) throws IOException {
        if (base == broken) {
            forgetAll();
        } else {
            forget(base);
            broken = base;
        }
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
