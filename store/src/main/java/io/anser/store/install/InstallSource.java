package io.anser.store.install;

import io.anser.store.file.StoreException;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LastControl;
import io.anser.store.log.LogPoint;
import io.anser.store.snapshot.Snapshot;
import io.anser.store.snapshot.SnapshotFolder;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Gives a member that lacks the beginning of the log this store's newest snapshot and the segments before it, piece by piece.
 * Keeps nothing for it: what has gone meanwhile has gone, and the member asks for another plan. Any thread that may wait for
 * the device.
 */
public final class InstallSource {
    private final CommitLog log;
    private final SnapshotFolder snapshots;

    /** Gives of these. */
    public InstallSource(CommitLog log, SnapshotFolder snapshots) {
        this.log = log;
        this.snapshots = snapshots;
    }

    /**
     * The newest snapshot.
     *
     * @param point where it was taken
     * @param control the engine's own entry that was committed last before it
     */
    public record Newest(LogPoint point, LastControl control) {}

    /** The newest snapshot that is whole; empty while there is none. */
    public Optional<Newest> newest() throws IOException {
        Optional<Snapshot> snapshot = snapshots.newest();
        if (snapshot.isEmpty()) {
            return Optional.empty();
        }
        LastControl control = new LastControl();
        ByteBuffer section = snapshot.get().sections().get(LastControl.SECTION);
        if (section != null) {
            byte[] bytes = new byte[section.remaining()];
            section.duplicate().get(bytes);
            control.read(new DataInputStream(new ByteArrayInputStream(bytes)));
        }
        return Optional.of(new Newest(snapshot.get().point(), control));
    }

    /** What can be given now; empty while there is no snapshot that is whole. */
    public Optional<InstallPlan> plan() throws IOException {
        Optional<LogPoint> newest = snapshots.newest().map(Snapshot::point);
        if (newest.isEmpty()
                || newest.get().position() <= log.minPosition()
                || newest.get().index() == 0) {
            return Optional.empty();
        }
        LogPoint point = newest.get();
        long bytes = snapshots.bytes(point.position());
        return bytes == 0
                ? Optional.empty()
                : Optional.of(
                        new InstallPlan(log.minPosition(), point.position(), point.index(), bytes, log.segmentBytes()));
    }

    /**
     * Bytes of a file.
     *
     * @param position of the plan's snapshot
     * @return at most {@code bytesMax}; none where the file ends, and empty when it has gone
     */
    public Optional<ByteBuffer> read(long position, InstallPiece piece, int bytesMax) throws IOException {
        if (piece.file() == InstallPiece.SNAPSHOT) {
            return snapshots.read(position, piece.at(), bytesMax);
        }
        long from = piece.file() + piece.at();
        long until = Math.min(position, piece.file() + log.segmentBytes());
        if (piece.file() < log.minPosition() || from < piece.file() || position > log.limit()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    from >= until ? ByteBuffer.allocate(0) : log.readable(from, Math.min(until, from + bytesMax)));
        } catch (StoreException removedMeanwhile) {
            return Optional.empty();
        }
    }
}
