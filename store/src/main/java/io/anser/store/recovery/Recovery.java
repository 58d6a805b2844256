package io.anser.store.recovery;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageView;
import io.anser.store.adoption.Adoption;
import io.anser.store.file.StoreException;
import io.anser.store.log.Applier;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogScanner;
import io.anser.store.queue.QueueIndexer;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.snapshot.Snapshot;
import io.anser.store.snapshot.SnapshotFolder;
import io.anser.store.snapshot.SnapshotPart;
import io.anser.store.state.StateChange;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings derived state and log to one place: loads the newest usable snapshot, applies the records behind it, and cuts what
 * a power loss or a kill left half written. Runs in the opening thread.
 *
 * <p>What it never does is drop an acknowledged record without a word: where the log is damaged before its end, or is shorter
 * than a snapshot says, it refuses with the file and the position.
 */
public final class Recovery {
    private static final Logger LOGGER = LoggerFactory.getLogger(Recovery.class);

    private final CommitLog log;
    private final SnapshotFolder snapshots;
    private final QueueRegistry registry;
    private final QueueIndexer indexer;
    private final List<SnapshotPart> parts;
    private final Applier applier;
    private final Optional<Adoption> adoption;
    private final MessageView view = new MessageView();

    /**
     * A recovery of an opened log into an empty index and empty parts.
     *
     * @param adoption of the store that lies before the log, if there is one
     */
    public Recovery(
            CommitLog log,
            SnapshotFolder snapshots,
            QueueRegistry registry,
            QueueIndexer indexer,
            List<SnapshotPart> parts,
            Applier applier,
            Optional<Adoption> adoption) {
        this.log = log;
        this.snapshots = snapshots;
        this.registry = registry;
        this.indexer = indexer;
        this.parts = parts;
        this.applier = applier;
        this.adoption = adoption;
    }

    /**
     * What recovery found.
     *
     * @param snapshotPosition log position of the snapshot that was used, 0 without one
     * @param end where the log goes on
     */
    public record Result(long snapshotPosition, LogPoint end) {}

    /**
     * Does it all.
     *
     * @throws StoreException IO when acknowledged data is damaged or missing
     */
    public Result recover() throws IOException {
        LogPoint from = loadSnapshot();
        LogScanner scanner = new LogScanner(log, from);
        replay(scanner);
        cutTornTail(scanner);
        // A killed process leaves records in the page cache only. They are shown from now on, so they must stay.
        // Forcing
        // would do, had not an earlier force failed: the cache then holds for written what the device does not have.
        log.rewrite(scanner.forcedPosition(), scanner.point().position());
        applier.publish();
        indexer.clearArrivals();
        indexer.continueOffsets();
        LOGGER.info(
                "store recovered snapshotPosition={} endPosition={} records={}",
                from.position(),
                scanner.point().position(),
                scanner.point().index() - from.index());
        return new Result(from.position(), scanner.point());
    }

    private LogPoint loadSnapshot() throws IOException {
        List<Snapshot> usable = snapshots.read();
        if (usable.isEmpty()) {
            if (adoption.isPresent() && log.hasFirstSegment()) {
                return adoption.get().adopt(log);
            }
            if (log.minPosition() > 0) {
                throw damaged("the log begins at position=" + log.minPosition() + " and there is no usable snapshot");
            }
            return LogPoint.START;
        }
        Snapshot newest = usable.get(0);
        LogPoint point = newest.point();
        if (!LogScanner.holds(log, point)) {
            throw damaged("the log lacks the record at position=" + point.recordPosition()
                    + " (or it is damaged), which " + snapshots.describe(newest) + " was taken after");
        }
        for (SnapshotPart part : parts) {
            ByteBuffer section = newest.sections().get(part.name());
            if (section != null) {
                part.reader().read(dataIn(section));
            }
        }
        if (!indexer.pagesAreWhole()) {
            LOGGER.warn(
                    "queue index damaged or missing, building it again from the log untilPosition={}",
                    point.position());
            rebuildIndex(point);
        }
        return point;
    }

    private static DataInputStream dataIn(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return new DataInputStream(new ByteArrayInputStream(copy));
    }

    /** Reads the retained log up to a snapshot for the index alone. */
    private void rebuildIndex(LogPoint until) {
        indexer.dropEntries();
        adoption.ifPresent(Adoption::indexAgain);
        LogScanner scanner = new LogScanner(log, LogPoint.startingAt(log.minPosition()));
        while (scanner.point().position() < until.position() && scanner.next()) {
            forEachItem(scanner, (queue, at, bytes) -> {
                if (queue.isPresent()) {
                    indexer.index(queue.get(), view.queueOffset(), at, bytes, view.tagsHash());
                }
            });
        }
        if (scanner.point().position() < until.position()) {
            throw damaged("the record at position=" + scanner.point().position() + " of " + scanner.describeEnd()
                    + " is damaged");
        }
        indexer.publish();
        indexer.clearArrivals();
    }

    private void replay(LogScanner scanner) {
        while (scanner.next()) {
            forEachItem(scanner, (queue, at, bytes) -> {
                if (queue.isPresent()) {
                    scanner.sawStoreTimestamp(view.storeTimestamp());
                    applier.message(queue.get(), view.queueOffset(), at, bytes, view.tagsHash(), view.storeTimestamp());
                } else {
                    applier.stateChange(at, bytes);
                }
            });
        }
    }

    /** Takes one item; for a message the view stands on it and its queue is given. */
    @FunctionalInterface
    private interface ItemVisitor {
        void item(Optional<QueueLog> queue, long position, int bytes);
    }

    private void forEachItem(LogScanner scanner, ItemVisitor visitor) {
        if (!scanner.hasItems()) {
            return;
        }
        long position = scanner.payloadPosition();
        ByteBuffer payload = log.slice(position, scanner.payloadBytes());
        try {
            for (int at = 0; at < payload.limit(); ) {
                int bytes = payload.getInt(at);
                if (payload.getInt(at + Integer.BYTES) == StateChange.MAGIC) {
                    if (bytes < StateChange.HEADER_BYTES || bytes > payload.limit() - at) {
                        throw new MalformedMessageException("state change bytes=" + bytes);
                    }
                    visitor.item(Optional.empty(), position + at, bytes);
                } else {
                    view.wrap(payload, at);
                    if (view.physicalOffset() != position + at) {
                        throw new MalformedMessageException("physical offset=" + view.physicalOffset());
                    }
                    String topic = view.topic();
                    if (position + at >= registry.startPosition(topic)) {
                        visitor.item(Optional.of(registry.queue(topic, view.queueId())), position + at, bytes);
                    } // else it was dropped before the snapshot whose index is built again
                }
                at += bytes;
            }
        } catch (MalformedMessageException | IndexOutOfBoundsException e) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "the record before position=" + (position + scanner.payloadBytes())
                            + " has a good checksum but holds something else than messages",
                    e);
        }
    }

    private void cutTornTail(LogScanner scanner) throws IOException {
        if (scanner.point().position() < snapshots.newestPosition()) {
            // The log was on the device up to there before the snapshot got its name, even if the snapshot is damaged
            // now.
            throw damaged("the record at position=" + scanner.point().position() + " of " + scanner.describeEnd()
                    + " is missing or damaged, but there was a snapshot at position=" + snapshots.newestPosition());
        }
        if (!scanner.hasTornTail()) {
            return;
        }
        Optional<String> evidence = scanner.evidenceOfDamage();
        if (evidence.isPresent()) {
            throw damaged("the record at position=" + scanner.point().position() + " of " + scanner.describeEnd()
                    + " is damaged, but " + evidence.get());
        }
        LOGGER.warn(
                "torn tail cut file={} position={}",
                scanner.describeEnd(),
                scanner.point().position());
        scanner.cut();
    }

    private static StoreException damaged(String what) {
        return new StoreException(
                StoreException.Kind.IO,
                what + "; acknowledged messages would be lost, so the store does not start. Restore the file from a"
                        + " backup or a replica");
    }
}
