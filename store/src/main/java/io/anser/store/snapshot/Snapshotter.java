package io.anser.store.snapshot;

import io.anser.store.file.NoSpaceException;
import io.anser.store.log.CommitLog;
import io.anser.store.log.Fence;
import io.anser.store.log.LogPoint;
import io.anser.store.log.PointObserver;
import io.anser.store.log.Watermarks;
import io.anser.store.queue.QueueIndexer;
import io.anser.system.FaultHandler;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a snapshot per amount of log, and when asked: held by the committing thread, written by a worker, one at a time. A
 * snapshot that cannot be written is reported, and tried again when more log has come or somebody asks again; the log has
 * everything.
 *
 * <p>After a failed force of the index none is taken any more: what the device has of the pages is unknown. The store is not
 * fenced for that, as nothing that was acknowledged rests on the index, and a page is checked whenever it is read.
 */
public final class Snapshotter implements PointObserver {
    private static final Logger LOGGER = LoggerFactory.getLogger(Snapshotter.class);

    /** When no worker is free, the next try waits for this part of the usual amount of log: each try copies the state. */
    private static final int RETRY_PART = 16;

    private final SnapshotFolder folder;
    private final CommitLog log;
    private final Watermarks marks;
    private final Fence fence;
    private final QueueIndexer indexer;
    private final List<SnapshotPart> parts;
    private final long snapshotBytes;
    private final Executor worker;
    private final FaultHandler faults;

    private final AtomicBoolean writing = new AtomicBoolean();
    private volatile boolean requested;
    private volatile Runnable onWritten = () -> {};

    /** Owned by the committing thread: the growth of the log after which a snapshot is due counts from here. */
    private long lastPosition;

    /** Owned by whoever writes: whether the last one found no room, which is told once. */
    private boolean withoutRoom;

    private volatile long newestPosition;
    private volatile String problem = "";

    /**
     * A snapshotter that has not taken any yet.
     *
     * @param parts everything that a snapshot holds
     * @param lastPosition log position of the newest snapshot
     * @param snapshotBytes growth of the log after which one is taken
     */
    public Snapshotter(
            SnapshotFolder folder,
            CommitLog log,
            Watermarks marks,
            Fence fence,
            QueueIndexer indexer,
            List<SnapshotPart> parts,
            long lastPosition,
            long snapshotBytes,
            Executor worker,
            FaultHandler faults) {
        this.folder = folder;
        this.log = log;
        this.marks = marks;
        this.fence = fence;
        this.indexer = indexer;
        this.parts = parts;
        this.lastPosition = lastPosition;
        this.newestPosition = lastPosition;
        this.snapshotBytes = snapshotBytes;
        this.worker = worker;
        this.faults = faults;
    }

    /**
     * Asks for a snapshot; the committing thread then finds {@link #wantsPoint()}. Nobody is told when it cannot be written:
     * who still needs one asks again. Any thread.
     */
    public void request() {
        requested = true;
    }

    /** Has somebody told, by whoever writes, when a snapshot is there; must not block. */
    public void onWritten(Runnable listener) {
        onWritten = listener;
    }

    /** How they go. Any thread. */
    public SnapshotStatus status() {
        return new SnapshotStatus(newestPosition, indexer.hasForceFailed(), problem);
    }

    @Override
    public boolean wantsPoint() {
        return requested && !writing.get() && !indexer.hasForceFailed();
    }

    @Override
    public void applied(LogPoint point) {
        boolean due = requested || point.position() - lastPosition >= snapshotBytes;
        if (!due || indexer.hasForceFailed() || !writing.compareAndSet(false, true)) {
            return;
        }
        requested = false;
        SortedMap<String, SnapshotPart.Writer> held = hold();
        try {
            worker.execute(() -> writeInBackground(point, held));
            lastPosition = point.position();
        } catch (RejectedExecutionException busy) {
            lastPosition = point.position() - snapshotBytes + snapshotBytes / RETRY_PART;
            writing.set(false);
        }
    }

    private void writeInBackground(LogPoint point, SortedMap<String, SnapshotPart.Writer> held) {
        try {
            write(point, held);
            withoutRoom = false;
            onWritten.run();
        } catch (NoSpaceException e) {
            if (!withoutRoom) {
                LOGGER.warn("no room for a snapshot, tried again later", e);
            }
            withoutRoom = true;
            problem = String.valueOf(e.getMessage());
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
            faults.fault("worker-snapshot", e);
        } finally {
            writing.set(false);
        }
    }

    /** Takes and writes a snapshot in the caller's thread, which must have become the committing thread: at a clean close. */
    public void takeAndWrite(LogPoint point) throws IOException {
        write(point, hold());
    }

    private SortedMap<String, SnapshotPart.Writer> hold() {
        SortedMap<String, SnapshotPart.Writer> held = new TreeMap<>();
        for (SnapshotPart part : parts) {
            try {
                held.put(part.name(), part.writer().hold());
            } catch (IOException e) {
                throw new UncheckedIOException("the part " + part.name() + " cannot be copied into memory", e);
            }
        }
        return held;
    }

    /** First what the snapshot refers to, then the snapshot: a snapshot that exists can be used. */
    private void write(LogPoint point, SortedMap<String, SnapshotPart.Writer> held) throws IOException {
        forceLog(point.position());
        forceIndex();
        SortedMap<String, ByteBuffer> sections = new TreeMap<>();
        for (Map.Entry<String, SnapshotPart.Writer> part : held.entrySet()) {
            Section section = new Section();
            part.getValue().write(new DataOutputStream(section));
            sections.put(part.getKey(), section.written());
        }
        folder.write(new Snapshot(point, sections));
        newestPosition = point.position();
        problem = "";
    }

    private void forceIndex() throws IOException {
        try {
            indexer.force();
        } catch (IOException e) {
            if (!indexer.hasForceFailed()) {
                throw e;
            }
            throw new IOException(
                    "flushing the queue index failed, no snapshot is taken and no segment removed until the server is"
                            + " started again; start it again soon, and see docs/damage.md: " + e.getMessage(),
                    e);
        }
    }

    /** Bytes of a section, which may be many: they are not copied once more to be read. */
    private static final class Section extends ByteArrayOutputStream {
        ByteBuffer written() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }

    private void forceLog(long until) throws IOException {
        if (marks.forced() >= until) {
            return;
        }
        try {
            log.force(marks.forced(), until);
        } catch (IOException e) {
            // The system reports a failed force once. The flusher's next one would succeed and prove nothing.
            fence.close("worker-snapshot", "forcing the log before position=" + until + " failed", e);
            throw e;
        }
    }
}
