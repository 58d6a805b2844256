package io.anser.store;

import io.anser.store.adoption.Adoption;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyIndex;
import io.anser.store.key.KeyNotes;
import io.anser.store.log.Applier;
import io.anser.store.log.CommitLog;
import io.anser.store.log.CommitObserver;
import io.anser.store.log.Committer;
import io.anser.store.log.DiskGuard;
import io.anser.store.log.Fence;
import io.anser.store.log.LogFlusher;
import io.anser.store.log.LogPace;
import io.anser.store.log.LogPipeline;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogPreparer;
import io.anser.store.log.LogRecord;
import io.anser.store.log.LogVerifier;
import io.anser.store.log.LogWriter;
import io.anser.store.log.MessageReader;
import io.anser.store.log.OlderLog;
import io.anser.store.log.PendingAppends;
import io.anser.store.log.WarmChunks;
import io.anser.store.log.Watermarks;
import io.anser.store.log.WrittenBatches;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueIndexer;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.recovery.IndexRepair;
import io.anser.store.recovery.KnownDamage;
import io.anser.store.recovery.Recovery;
import io.anser.store.recovery.StoreFormat;
import io.anser.store.retention.Retention;
import io.anser.store.retention.RetentionState;
import io.anser.store.snapshot.SnapshotFolder;
import io.anser.store.snapshot.SnapshotPart;
import io.anser.store.snapshot.Snapshotter;
import io.anser.store.state.StateSection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opening of a store: its files, then what is derived from them, then what writes to them. Used once, by the opening
 * thread.
 */
final class StoreOpening {
    /** By so many bytes a copy of a message may be larger than the message. */
    private static final int COPY_EXTRA_BYTES = 256;

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreOpening.class);

    private final StoreSurroundings around;
    private final Storage storage;

    /** Whether an Apache store is adopted now. It gets a format of ours when its first snapshot is durable. */
    private final boolean adopting;

    private final StoreFormat format;
    private final SnapshotFolder folder;
    private final CommitLog log;
    private final LogVerifier verifier;
    private final PageFile pageFile;
    private final QueueRegistry queues;
    private final QueueIndexer indexer;
    private final RetentionState retained;
    private final Applier applier;
    private final KnownDamage knownDamage;
    private final List<SnapshotPart> sections;
    private final Optional<Adoption> adoption;

    /** Opens the files. */
    StoreOpening(StoreSurroundings around) throws IOException {
        this.around = around;
        storage = around.storage();
        adopting = around.apache().isPresent() && !StoreFormat.exists(storage);
        format = format();
        folder = new SnapshotFolder(storage);
        requireLog();
        log = CommitLog.open(
                storage,
                format.segmentBytes(),
                around.apache().<OlderLog>map(ApacheStore::log).orElse(OlderLog.NONE));
        verifier = new LogVerifier(log);
        pageFile = PageFile.open(storage, format.segmentBytes(), log.readableFrom());
        queues = new QueueRegistry(pageFile, verifier::storeTimestamp);
        indexer = new QueueIndexer(queues, pageFile);
        retained = new RetentionState(around.state(), queues.cuts(), format.segmentBytes());
        applier = new Applier(log, indexer, retained);
        knownDamage = new KnownDamage(log, verifier);
        sections = new ArrayList<>(List.of(
                SnapshotPart.held("queues", () -> indexer.hold()::write, indexer::readSnapshot),
                new SnapshotPart(
                        "topic-starts", out -> queues.writeStarts(out, log.readableFrom()), queues::readStarts),
                new SnapshotPart("retention", retained::writeSnapshot, retained::readSnapshot),
                new SnapshotPart("damage", knownDamage::write, knownDamage::read),
                SnapshotPart.held("state", () -> around.state().hold()::write, around.state()::readSnapshot)));
        for (StateSection section : around.state().sections()) {
            sections.add(
                    SnapshotPart.held(section.name(), () -> section.source().hold()::write, section.reader()::read));
        }
        requireDistinctNames();
        adoption = around.apache().map(left -> new Adoption(left, queues, indexer, around.state()));
    }

    /** Until the first snapshot of an adopted store is durable every start adopts anew. */
    private StoreFormat format() throws IOException {
        if (!adopting) {
            return StoreFormat.openOrMake(storage, around.newSegmentBytes());
        }
        ApacheStore.clearUnfinishedAdoption(storage);
        return new StoreFormat(StoreFormat.CURRENT, around.newSegmentBytes());
    }

    /** Of two sections with one name a snapshot would keep one. */
    private void requireDistinctNames() {
        Set<String> names = new HashSet<>();
        for (SnapshotPart section : sections) {
            if (!names.add(section.name())) {
                throw new IllegalArgumentException("two sections of the state are named " + section.name());
            }
        }
    }

    private void requireLog() throws IOException {
        if (!adopting && folder.newestPosition() > 0 && !CommitLog.isThere(storage, format.segmentBytes())) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "no segment is left in " + storage.describe("log") + " though there are snapshots up to position="
                            + folder.newestPosition() + "; restore the folder, or remove the store to begin anew");
        }
    }

    /** Recovers, writes the start of a new term, and puts the parts together. */
    StoreParts open() throws IOException {
        Recovery.Result found = recover();
        noteFormat();
        Watermarks marks = new Watermarks(found.end().position());
        pageFile.repairWith(new IndexRepair(log, marks, queues, pageFile, adoption, around.worker()));
        Fence fence = new Fence(around.faults());
        DiskGuard disk = new DiskGuard(storage, around.settings().disk(), around.clock());
        Snapshotter snapshotter = snapshotter(found, marks, fence);
        if (adopting) {
            snapshotter.takeAndWrite(found.end());
            format.write(storage);
        }
        boolean forcing = around.settings().durability() == Durability.DISK;
        LogPace pace = new LogPace(around.clock(), forcing);
        PendingAppends pending =
                new PendingAppends(around.settings().appends(), unitBytesMax(), copyBytesMax(), fence, pace);
        WrittenBatches batches = new WrittenBatches();
        // Before the writer writes for the first time: whether it allocates is decided here.
        LogPreparer preparer = new LogPreparer(log, pageFile, marks, fence, disk, forcing);
        LogWriter writer = new LogWriter(
                log, queues, found.end(), pending, batches, marks, fence, disk, new KeyNotes(), around.clock());
        LogPoint start = writer.startTerm();
        MessageReader messages = new MessageReader(log, verifier, marks, queues);
        KeyIndex keys = keyIndex(marks, start, messages);
        Committer committer = new Committer(
                start,
                batches,
                pending,
                marks,
                fence,
                applier,
                around.commits(),
                CommitObserver.both(snapshotter, keys),
                around.faults());
        LogFlusher flusher = new LogFlusher(log, marks, fence);
        LogPipeline pipeline = switch (around.settings().durability()) {
            case DISK ->
                LogPipeline.committingForced(pending, writer, flusher, committer, preparer, marks, fence, pace);
            case MEMORY ->
                LogPipeline.committingWritten(pending, writer, flusher, committer, preparer, marks, fence, pace);
        };
        knownDamage.lookWith(around.worker());
        return new StoreParts(
                storage,
                log,
                verifier,
                new WarmChunks(log, around.clock()),
                knownDamage,
                pageFile,
                queues,
                marks,
                fence,
                disk,
                committer,
                snapshotter,
                messages,
                keys,
                pipeline,
                retained,
                retention(marks, fence, disk, snapshotter, pipeline));
    }

    /** Before anything is written that an older program would lose. */
    private void noteFormat() throws IOException {
        if (!adopting) {
            try {
                format.raise(storage);
            } catch (NoSpaceException e) {
                LOGGER.warn("no room to note the format of the store down, the next start does", e);
            }
        }
    }

    private Recovery.Result recover() throws IOException {
        Recovery.Result found =
                new Recovery(log, verifier, folder, queues, indexer, sections, applier, adoption).recover();
        // At durability memory the record of a cut may be lost with the power that the removal of segments survived.
        if (!log.hasFirstSegment()) {
            queues.cuts().show(queues.cuts().now().notBelow(log.minPosition()));
        }
        adoption.ifPresent(older -> older.tellWhetherNeeded(log));
        pageFile.removeBefore(log.readableFrom());
        pageFile.removeStrays();
        return found;
    }

    private int unitBytesMax() {
        return Math.min(around.settings().appends().recordBytesMax(), copyBytesMax() - COPY_EXTRA_BYTES);
    }

    private int copyBytesMax() {
        return format.segmentBytes() - 2 * LogRecord.HEADER_BYTES;
    }

    private Snapshotter snapshotter(Recovery.Result found, Watermarks marks, Fence fence) {
        return new Snapshotter(
                folder,
                log,
                marks,
                fence,
                indexer,
                sections,
                found.snapshotPosition(),
                around.settings().derived().snapshotBytes(),
                around.worker(),
                around.faults());
    }

    private KeyIndex keyIndex(Watermarks marks, LogPoint start, MessageReader messages) throws IOException {
        return KeyIndex.open(
                storage,
                log,
                marks,
                start,
                messages,
                around.settings().derived().keyMemoryBytes(),
                around.clock(),
                around.worker(),
                around.faults());
    }

    private Retention retention(
            Watermarks marks, Fence fence, DiskGuard disk, Snapshotter snapshotter, LogPipeline pipeline) {
        return new Retention(
                retained,
                queues,
                pageFile,
                log,
                marks,
                fence,
                folder,
                () -> {
                    snapshotter.request();
                    pipeline.wakeCommitter();
                    return !snapshotter.status().stopped();
                },
                pipeline::append,
                unitBytesMax(),
                around.worker(),
                disk::status,
                around.faults());
    }
}
