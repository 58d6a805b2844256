package io.anser.store.recovery;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageView;
import io.anser.store.adoption.Adoption;
import io.anser.store.file.StoreException;
import io.anser.store.log.AnnouncedQueues;
import io.anser.store.log.Applier;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogScanner;
import io.anser.store.log.LogVerifier;
import io.anser.store.log.RecordItems;
import io.anser.store.log.RecoveredEntries;
import io.anser.store.queue.QueueIndexer;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.snapshot.Snapshot;
import io.anser.store.snapshot.SnapshotFolder;
import io.anser.store.snapshot.SnapshotPart;
import io.anser.store.state.FurtherQueues;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings derived state and log to one place: loads the newest usable snapshot, applies the records behind it, and cuts what
 * a power loss or a kill left half written. Runs in the opening thread.
 *
 * <p>It never drops what was on the device without a word, and never refuses a start because records are damaged: damage is
 * reported with file and position, left out, and everything else comes back. It refuses what another start may still be able
 * to read: a snapshot that the device does not give, that another version wrote, or that has a section unknown here, and a
 * state change of an unknown kind.
 */
public final class Recovery {
    private static final Logger LOGGER = LoggerFactory.getLogger(Recovery.class);

    private final CommitLog log;
    private final LogVerifier verifier;
    private final SnapshotFolder snapshots;
    private final QueueRegistry registry;
    private final QueueIndexer indexer;
    private final List<SnapshotPart> parts;
    private final Applier applier;
    private final Optional<Adoption> adoption;
    private final RecordItems items = new RecordItems();
    private final AnnouncedQueues announced = new AnnouncedQueues();

    /**
     * A recovery of an opened log into an empty index and empty parts.
     *
     * @param adoption of the store that lies before the log, if there is one
     */
    public Recovery(
            CommitLog log,
            LogVerifier verifier,
            SnapshotFolder snapshots,
            QueueRegistry registry,
            QueueIndexer indexer,
            List<SnapshotPart> parts,
            Applier applier,
            Optional<Adoption> adoption) {
        this.log = log;
        this.verifier = verifier;
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
     * @throws StoreException IO when a file cannot be read, or holds what this program does not know
     */
    public Result recover() throws IOException {
        long promised = snapshots.newestPosition();
        LogPoint from = begin(promised);
        LogScanner scanner = scanner(from, promised);
        replay(scanner);
        applier.publish();
        indexer.clearArrivals();
        indexer.continueOffsets();
        end(from, scanner);
        return new Result(from.position(), scanner.point());
    }

    /**
     * Does it all for a replicated log: what lies behind the snapshot is taken in but not applied, for only the group knows
     * whether it is committed.
     *
     * @throws StoreException IO as above, and when the log is damaged behind the snapshot
     */
    public RecoveredEntries recoverEntries() throws IOException {
        long promised = snapshots.newestPosition();
        LogPoint from = begin(promised);
        requireBeginning(
                from,
                "a member of a group must not go on without what was before; remove its store, and have the others bring"
                        + " it up to date");
        indexer.continueOffsets();
        RecoveredEntries entries = new RecoveredEntries(log, registry, from);
        LogScanner scanner = scanner(from, promised);
        entries.read(scanner);
        end(from, scanner);
        return entries;
    }

    /**
     * What recovery found of a copy of another log.
     *
     * @param applied up to where everything is applied
     * @param lastRecordEnd end of the last record, before the roll that may follow it
     * @param end where the next record belongs
     */
    public record Copied(LogPoint applied, long lastRecordEnd, LogPoint end) {}

    /**
     * Does it all for a copy of another log: what lies behind the snapshot is checked but not applied, for only the other log
     * knows whether it is committed.
     *
     * @throws StoreException IO as above, when the log is damaged before the snapshot, and when what was before it is gone
     */
    public Copied recoverCopy() throws IOException {
        long promised = snapshots.newestPosition();
        LogPoint from = begin(promised);
        requireBeginning(
                from,
                "a replica must not go on without what was before; begin with an empty folder or a copy of the primary's");
        LogScanner scanner = scanner(from, promised);
        long lastRecordEnd = from.position();
        while (scanner.next()) {
            lastRecordEnd = scanner.point().position();
        }
        // What records say was on the device was on the primary's: a hole behind the snapshot is a torn tail here, and
        // the
        // primary has what is cut.
        if (scanner.point().position() < promised) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "the log is damaged at position=" + scanner.point().position()
                            + ", before the snapshot at position=" + promised
                            + ": begin with an empty folder or a copy of the primary's");
        }
        end(from, scanner);
        return new Copied(from, lastRecordEnd, scanner.point());
    }

    /** What lies behind the gap would be applied to a state that lacks what was before it. */
    private void requireBeginning(LogPoint from, String advice) {
        if (from.index() == 0 && !log.hasFirstSegment()) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "no usable snapshot, and the log begins at position=" + log.minPosition() + ": " + advice);
        }
    }

    private LogPoint begin(long promised) throws IOException {
        long end = log.lengthenTo(promised);
        LogPoint from = loadSnapshot(promised);
        verifier.checkedFrom(from.position());
        checkBefore(from, end);
        return from;
    }

    private LogScanner scanner(LogPoint from, long promised) {
        return from.position() == log.minPosition()
                ? LogScanner.ofAll(log, from, promised)
                : new LogScanner(log, from, promised);
    }

    private void end(LogPoint from, LogScanner scanner) throws IOException {
        cutTornTail(scanner);
        // A killed process leaves records in the page cache only. They are shown from now on, so they must stay.
        // Forcing
        // would do, had not an earlier force failed: the cache then holds for written what the device does not have.
        log.rewrite(scanner.forcedPosition(), scanner.point().position());
        LOGGER.info(
                "store recovered snapshotPosition={} endPosition={} records={} damagedBytes={}",
                from.position(),
                scanner.point().position(),
                scanner.point().index() - from.index(),
                log.damage().bytes());
    }

    private LogPoint loadSnapshot(long promised) throws IOException {
        Optional<Snapshot> usable = snapshots.newest();
        if (usable.isEmpty() && adoption.isPresent() && log.hasFirstSegment()) {
            return adoption.get().adopt(log);
        }
        LogPoint point = usable.map(Snapshot::point).orElse(LogPoint.startingAt(log.firstPosition()));
        if (usable.isPresent()) {
            readSections(usable.get());
        } else if (!log.hasFirstSegment()) {
            LOGGER.error(
                    "no usable snapshot and the log begins at position={}: topics, groups and consumer offsets saved"
                            + " before are lost; stop and restore the folder snapshot from a backup to have them back",
                    log.minPosition());
        }
        if (point.position() < log.minPosition()) {
            if (promised > 0) {
                log.markDamaged(point.position(), log.minPosition());
            }
            point = new LogPoint(log.minPosition(), point.term(), 0, 0, point.storeTimestamp(), log.minPosition());
        }
        if (!indexer.pagesAreThere()) {
            LOGGER.warn(
                    "queue index missing or too short, building it again from the log untilPosition={}",
                    point.position());
            rebuildIndex(point);
        }
        return point;
    }

    private void readSections(Snapshot snapshot) throws IOException {
        Set<String> unknown = new TreeSet<>(snapshot.sections().keySet());
        parts.forEach(part -> unknown.remove(part.name()));
        if (!unknown.isEmpty()) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "snapshot with sections that this program does not know and would lose: " + unknown + " in "
                            + snapshots.describe(snapshot) + "; start the program that wrote it, or a newer one");
        }
        for (SnapshotPart part : parts) {
            ByteBuffer section = snapshot.sections().get(part.name());
            if (section != null) {
                part.reader().read(dataIn(section));
            }
        }
    }

    private static DataInputStream dataIn(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return new DataInputStream(new ByteArrayInputStream(copy));
    }

    /** Reads the retained log up to a snapshot for the index alone. */
    private void rebuildIndex(LogPoint until) {
        Map<QueueLog, Long> ends = indexer.dropEntries();
        adoption.ifPresent(Adoption::indexAgain);
        LogScanner scanner = LogScanner.ofAll(log, LogPoint.startingAt(log.minPosition()), until.position());
        do {
            // Not beyond: a snapshot may stand right behind the end of a segment, and the replay begins there.
            while (scanner.next(until.position())) {
                forEachItem(scanner, this::indexAgain, this::listAgain, announced::take);
            }
        } while (scanner.point().position() < until.position()
                && scanner.skipDamage().isPresent());
        ends.forEach((queue, end) -> goOnAt(queue, end, until.position()));
        indexer.publish();
        indexer.clearArrivals();
    }

    private void indexAgain(QueueLog queue, MessageView message) {
        long offset = message.queueOffset();
        if (indexer.missing(queue, offset) >= 0) {
            goOnAt(queue, offset, message.physicalOffset());
            indexer.index(queue, offset, message.physicalOffset(), message.totalSize(), message.tagsHash());
        }
    }

    /** Its own topic may have been dropped, and the message is in further queues all the same. */
    private void listAgain(MessageView message) {
        announced.of(message.physicalOffset()).forEach(place -> listAgain(place, message));
    }

    private void listAgain(FurtherQueues.Entry place, MessageView message) {
        long at = message.physicalOffset();
        if (at >= registry.startPosition(place.topic())) {
            QueueLog queue = registry.queue(place.topic(), 0);
            if (indexer.missing(queue, place.offset()) > 0) {
                goOnAt(queue, place.offset(), at);
            }
            indexer.indexFurther(place.topic(), place.offset(), at, message.totalSize(), message.tagsHash());
        }
    }

    /** Messages before the first one that is found went with their segments, those between two were lost. */
    private void goOnAt(QueueLog queue, long offset, long position) {
        if (log.hasFirstSegment() || indexer.hasEntries(queue)) {
            indexer.leaveOut(queue, offset, position);
        } else {
            indexer.restart(queue, offset);
        }
    }

    /** Where the log does not hold what a snapshot was taken after, finds out how much of it is missing. */
    private void checkBefore(LogPoint point, long end) {
        long missing = LogScanner.holds(log, point) ? end : Math.min(end, point.recordPosition());
        for (long position = Math.max(missing, log.minPosition()); position < point.position(); ) {
            long next = Math.min(point.position(), position + log.bytesInSegment(position));
            verifier.check(next - 1, 1);
            position = next;
        }
    }

    private void replay(LogScanner scanner) {
        Optional<LogScanner.Skipped> skipped;
        do {
            while (scanner.next()) {
                forEachItem(
                        scanner,
                        (queue, message) -> {
                            scanner.sawStoreTimestamp(message.storeTimestamp());
                            apply(queue, message);
                        },
                        message -> {},
                        change -> {
                            announced.take(change);
                            applier.stateChange(change.position(), change.bytes());
                        });
            }
            skipped = scanner.skipDamage();
            skipped.ifPresent(this::leaveOutLost);
        } while (skipped.isPresent());
    }

    private void apply(QueueLog queue, MessageView message) {
        long at = message.physicalOffset();
        long offset = message.queueOffset();
        long missing = indexer.missing(queue, offset);
        if (missing > 0 && mayLack(queue, missing)) {
            indexer.leaveOut(queue, offset, at);
        } else if (missing < 0 && log.damage().bytes() > 0) {
            // What gave this number a second time (the end of a topic, say) is among the lost records.
            LOGGER.error(
                    "message left out, its offset is taken position={} queue={} queueOffset={}", at, queue, offset);
            log.markDamaged(at, at + message.totalSize());
            announced.of(at).forEach(place -> leaveOutLost(place.topic(), 0, place.offset(), at));
            return;
        }
        applier.messageAgain(queue, offset, at, message.totalSize(), message.tagsHash(), message.storeTimestamp());
    }

    /** Whether damage explains that a queue lacks so many messages before the next one. */
    private boolean mayLack(QueueLog queue, long missing) {
        return indexer.isEmpty(queue)
                ? !log.hasFirstSegment() || log.damage().bytes() > 0
                : missing <= log.damage().bytes() / MessageLayout.MIN_MESSAGE_BYTES;
    }

    /**
     * Leaves out the numbers of lost messages whose heads can still be read, so that no other message gets them: consumers
     * have seen them. (Damage is mostly a bit in some body.)
     */
    private void leaveOutLost(LogScanner.Skipped lost) {
        for (long position = lost.from(); position < lost.until(); position += log.bytesInSegment(position)) {
            ByteBuffer bytes = log.readable(position, lost.until());
            int last = bytes.limit() - MessageLayout.MIN_MESSAGE_BYTES;
            for (int at = 0; at <= last; at++) {
                if (bytes.getLong(at + MessageLayout.PHYSICAL_OFFSET) == position + at) {
                    leaveOutLost(bytes, at, position + at);
                }
            }
        }
    }

    private void leaveOutLost(ByteBuffer bytes, int at, long position) {
        MessageView view = new MessageView();
        try {
            view.wrap(bytes, at);
        } catch (MalformedMessageException e) {
            LOGGER.debug("head of a lost message is damaged too", e);
            return;
        }
        leaveOutLost(view.topic(), view.queueId(), view.queueOffset(), position);
        ToldPlaces.of(view).forEach(place -> leaveOutLost(place.topic(), 0, place.offset(), position));
    }

    private void leaveOutLost(String topic, int queueId, long offset, long position) {
        long next = offset + 1;
        registry.find(topic, queueId)
                .filter(queue -> indexer.missing(queue, next) > 0 && mayLack(queue, indexer.missing(queue, next)))
                .ifPresent(queue -> indexer.leaveOut(queue, next, position));
    }

    /**
     * Shows the items of the record that the scanner stands on.
     *
     * @param messages told of those of present topics, each with its queue
     * @param allMessages told of each, behind the one before
     */
    private void forEachItem(
            LogScanner scanner,
            BiConsumer<QueueLog, MessageView> messages,
            Consumer<MessageView> allMessages,
            Consumer<RecordItems> stateChanges) {
        items.of(log, scanner);
        while (items.next()) {
            if (items.isStateChange()) {
                stateChanges.accept(items);
            } else {
                MessageView message = items.message();
                String topic = message.topic();
                if (items.position() >= registry.startPosition(topic)) {
                    messages.accept(registry.queue(topic, message.queueId()), message);
                } // else it was dropped before the snapshot whose index is built again
                allMessages.accept(message);
            }
        }
        items.requireSound();
    }

    private void cutTornTail(LogScanner scanner) throws IOException {
        if (!scanner.hasTornTail()) {
            return;
        }
        List<LogScanner.Leftover> leftovers = scanner.leftovers();
        for (LogScanner.Leftover file : leftovers) {
            LOGGER.warn(
                    "file behind the torn tail is taken away, nothing in it was promised file={} bytes={}",
                    log.describe(file.position()),
                    file.bytes());
        }
        LOGGER.warn(
                "torn tail cut file={} position={}",
                log.describe(scanner.point().position()),
                scanner.point().position());
        scanner.cut(leftovers);
    }
}
