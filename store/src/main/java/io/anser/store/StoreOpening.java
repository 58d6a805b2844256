package io.anser.store;

import io.anser.store.adoption.Adoption;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.install.InstallSource;
import io.anser.store.install.Installation;
import io.anser.store.install.InstalledFiles;
import io.anser.store.key.KeyIndex;
import io.anser.store.key.KeyNotes;
import io.anser.store.log.Applier;
import io.anser.store.log.CommitLog;
import io.anser.store.log.CommitObservers;
import io.anser.store.log.Committer;
import io.anser.store.log.CopiedLog;
import io.anser.store.log.DiskGuard;
import io.anser.store.log.EntryCommitter;
import io.anser.store.log.EntryFormer;
import io.anser.store.log.EntryLog;
import io.anser.store.log.Fence;
import io.anser.store.log.LastControl;
import io.anser.store.log.LogCopy;
import io.anser.store.log.LogFeed;
import io.anser.store.log.LogFlusher;
import io.anser.store.log.LogPace;
import io.anser.store.log.LogPipeline;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogPrefix;
import io.anser.store.log.LogPreparer;
import io.anser.store.log.LogRecord;
import io.anser.store.log.LogVerifier;
import io.anser.store.log.LogWriter;
import io.anser.store.log.MessageReader;
import io.anser.store.log.OlderLog;
import io.anser.store.log.Outcomes;
import io.anser.store.log.PendingAppends;
import io.anser.store.log.RecoveredEntries;
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
import java.util.function.Supplier;
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
    private final LastControl control = new LastControl();
    private final List<SnapshotPart> sections;
    private final Optional<Adoption> adoption;

    /** Opens the files. */
    StoreOpening(StoreSurroundings around) throws IOException {
        this.around = around;
        storage = around.storage();
        InstalledFiles.settle(storage);
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
        if (around.replicated()) {
            sections.add(new SnapshotPart(LastControl.SECTION, control::write, control::read));
        }
        requireDistinctNames();
        adoption = around.apache().map(left -> new Adoption(left, queues, indexer, around.state()));
    }

    /** Until the first snapshot of an adopted store is durable every start adopts anew. */
    private StoreFormat format() throws IOException {
        if (adopting) {
            requireAlone();
            ApacheStore.clearUnfinishedAdoption(storage);
            return new StoreFormat(StoreFormat.CURRENT, around.newSegmentBytes());
        }
        StoreFormat found = StoreFormat.openOrMake(storage, around.newSegmentBytes());
        if (found.isReplicated()) {
            if (!around.replicated()) {
                throw refusal("it belongs to a replicated group; start it with --replication raft and its members");
            }
            return found;
        }
        if (!around.replicated()) {
            return found;
        }
        if (CommitLog.isThere(storage, found.segmentBytes())) {
            requireAlone();
        }
        // Before the log has its first byte: what a group writes there is not for programs that do not know of groups.
        StoreFormat replicated = new StoreFormat(StoreFormat.REPLICATED, found.segmentBytes());
        replicated.write(storage);
        return replicated;
    }

    private void requireAlone() {
        if (around.replicated()) {
            throw refusal("it was made without a group, and not made that of a new group's first member since;"
                    + " start with an empty folder");
        }
    }

    private StoreException refusal(String why) {
        return new StoreException(
                StoreException.Kind.IO, "cannot open the store in " + storage.describe("") + ": " + why);
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

    /** Recovers, and puts the parts together. */
    StoreParts open() throws IOException {
        return switch (around.kind()) {
            case OWN -> openAlone();
            case GROUP -> openReplica();
            case COPY -> openCopy();
        };
    }

    /** What every store has, made between its recovery and its writer. */
    private record Shared(
            Watermarks marks,
            Fence fence,
            DiskGuard disk,
            Snapshotter snapshotter,
            LogPace pace,
            PendingAppends pending,
            LogPreparer preparer,
            LogFlusher flusher,
            MessageReader messages) {}

    private Shared shared(Watermarks marks, long snapshotPosition) {
        pageFile.repairWith(new IndexRepair(log, marks, queues, pageFile, adoption, around.worker()));
        Fence fence = new Fence(around.faults());
        DiskGuard disk = new DiskGuard(storage, around.settings().disk(), around.clock());
        LogPace pace = new LogPace(around.clock(), isForcing());
        return new Shared(
                marks,
                fence,
                disk,
                snapshotter(snapshotPosition, marks, fence),
                pace,
                new PendingAppends(around.settings().appends(), unitBytesMax(), copyBytesMax(), fence, pace),
                // Before the writer writes for the first time: whether it allocates is decided here.
                new LogPreparer(log, pageFile, marks, fence, disk, isForcing()),
                new LogFlusher(log, marks, fence),
                new MessageReader(log, verifier, marks, queues));
    }

    private boolean isForcing() {
        return around.settings().durability() == Durability.DISK;
    }

    /** Writes the start of a new term. */
    private StoreParts openAlone() throws IOException {
        Recovery.Result found = recover();
        noteFormat();
        Shared shared = shared(new Watermarks(found.end().position()), found.snapshotPosition());
        if (adopting) {
            shared.snapshotter().takeAndWrite(found.end());
            format.write(storage);
        }
        WrittenBatches batches = new WrittenBatches();
        LogWriter writer = new LogWriter(
                log,
                queues,
                found.end(),
                shared.pending(),
                batches,
                shared.marks(),
                shared.fence(),
                shared.disk(),
                new KeyNotes(),
                around.clock());
        LogPoint start = writer.startTerm();
        KeyIndex keys = keyIndex(shared.marks(), start, shared.messages());
        LogFeed feed = new LogFeed(log, shared.marks(), isForcing());
        Committer committer = new Committer(
                start,
                batches,
                shared.pending(),
                shared.marks(),
                shared.fence(),
                applier,
                around.commits(),
                new CommitObservers(keys, shared.snapshotter()),
                around.faults(),
                feed);
        LogPipeline pipeline = pipeline(shared, writer, committer);
        pipeline.feed(feed);
        return parts(shared, keys, pipeline, committer::applied, Optional.empty(), Optional.empty(), Optional.of(feed));
    }

    private LogPipeline pipeline(Shared shared, LogWriter writer, Committer committer) {
        return switch (around.settings().durability()) {
            case DISK ->
                LogPipeline.committingForced(
                        shared.pending(),
                        writer,
                        shared.flusher(),
                        committer,
                        shared.preparer(),
                        shared.marks(),
                        shared.fence(),
                        shared.pace());
            case MEMORY ->
                LogPipeline.committingWritten(
                        shared.pending(),
                        writer,
                        shared.flusher(),
                        committer,
                        shared.preparer(),
                        shared.marks(),
                        shared.fence(),
                        shared.pace());
        };
    }

    /** Leaves what is behind the snapshot to the group, which knows what of it is committed. */
    private StoreParts openReplica() throws IOException {
        RecoveredEntries found = recovery().recoverEntries();
        tidy();
        LogPoint applied = found.applied();
        Shared shared = shared(new Watermarks(applied.position(), found.end().position()), applied.position());
        EntryLog entries =
                new EntryLog(log, queues, found, shared.marks(), shared.fence(), shared.disk(), around.clock());
        KeyIndex keys = keyIndex(shared.marks(), applied, shared.messages());
        Outcomes outcomes = new Outcomes(around.commits(), around.faults());
        EntryFormer former = new EntryFormer(
                shared.pending(), queues, unitBytesMax(), shared.fence(), shared.disk(), around.clock(), outcomes);
        EntryCommitter committer = new EntryCommitter(
                log,
                entries::awaitWritten,
                queues,
                applied,
                shared.marks(),
                shared.fence(),
                applier,
                outcomes,
                new CommitObservers(keys, shared.snapshotter()),
                new KeyNotes(),
                control);
        LogPipeline pipeline = LogPipeline.proposing(
                shared.pending(),
                former,
                shared.flusher(),
                isForcing(),
                shared.preparer(),
                shared.fence(),
                shared.pace());
        entries.onWritten(pipeline::wakeBehindWriter);
        Replica replica = new Replica(
                entries,
                former,
                committer,
                new LogPrefix(entries),
                new InstallSource(log, folder),
                new Installation(storage, format.segmentBytes()));
        return parts(
                shared, keys, pipeline, committer::applied, Optional.of(replica), Optional.empty(), Optional.empty());
    }

    /** Leaves what is behind the snapshot to the primary, which knows what of it is committed. */
    private StoreParts openCopy() throws IOException {
        Recovery.Copied found = recovery().recoverCopy();
        tidy();
        noteFormat();
        LogPoint applied = found.applied();
        Shared shared = shared(new Watermarks(applied.position(), found.lastRecordEnd()), applied.position());
        KeyIndex keys = keyIndex(shared.marks(), applied, shared.messages());
        EntryCommitter committer = new EntryCommitter(
                log,
                index -> {}, // nothing is committed here before it is written here
                queues,
                applied,
                shared.marks(),
                shared.fence(),
                applier,
                new Outcomes(around.commits(), around.faults()),
                new CommitObservers(keys, shared.snapshotter()),
                new KeyNotes(),
                control);
        CopiedLog copy =
                new CopiedLog(log, found.end(), shared.marks(), shared.fence(), shared.disk(), committer, isForcing());
        LogPipeline pipeline = LogPipeline.copying(
                shared.pending(),
                copy,
                shared.flusher(),
                isForcing(),
                shared.preparer(),
                shared.fence(),
                shared.pace());
        return parts(shared, keys, pipeline, committer::applied, Optional.empty(), Optional.of(copy), Optional.empty());
    }

    private StoreParts parts(
            Shared shared,
            KeyIndex keys,
            LogPipeline pipeline,
            Supplier<LogPoint> applied,
            Optional<Replica> replica,
            Optional<LogCopy> copy,
            Optional<LogFeed> feed) {
        knownDamage.lookWith(around.worker());
        return new StoreParts(
                storage,
                log,
                verifier,
                new WarmChunks(log, around.clock()),
                knownDamage,
                pageFile,
                queues,
                shared.marks(),
                shared.fence(),
                shared.disk(),
                applied,
                shared.snapshotter(),
                shared.messages(),
                keys,
                pipeline,
                retained,
                retention(shared, pipeline, replica.map(Replica::prefix)),
                replica,
                copy,
                feed);
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

    private Recovery recovery() {
        return new Recovery(log, verifier, folder, queues, indexer, sections, applier, adoption);
    }

    private Recovery.Result recover() throws IOException {
        Recovery.Result found = recovery().recover();
        tidy();
        return found;
    }

    private void tidy() throws IOException {
        // At durability memory the record of a cut may be lost with the power that the removal of segments survived.
        if (!log.hasFirstSegment()) {
            queues.cuts().show(queues.cuts().now().notBelow(log.minPosition()));
        }
        adoption.ifPresent(older -> older.tellWhetherNeeded(log));
        pageFile.removeBefore(log.readableFrom());
        pageFile.removeStrays();
    }

    private int unitBytesMax() {
        return Math.min(around.settings().appends().recordBytesMax(), copyBytesMax() - COPY_EXTRA_BYTES);
    }

    private int copyBytesMax() {
        int segment = format.segmentBytes() - 2 * LogRecord.HEADER_BYTES;
        return around.replicated() ? Math.min(segment, Replica.UNIT_BYTES_MAX) : segment;
    }

    private Snapshotter snapshotter(long snapshotPosition, Watermarks marks, Fence fence) {
        return new Snapshotter(
                folder,
                log,
                marks,
                fence,
                indexer,
                sections,
                snapshotPosition,
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

    private Retention retention(Shared shared, LogPipeline pipeline, Optional<LogPrefix> prefix) {
        Snapshotter snapshotter = shared.snapshotter();
        Retention retention = new Retention(
                retained,
                queues,
                pageFile,
                log,
                shared.marks(),
                shared.fence(),
                folder,
                () -> {
                    snapshotter.request();
                    pipeline.wakeCommitter();
                    return !snapshotter.status().stopped();
                },
                pipeline::append,
                unitBytesMax(),
                around.worker(),
                shared.disk()::status,
                prefix,
                around.faults());
        if (prefix.isPresent()) {
            retained.onFreed(retention::followSoon);
            snapshotter.onWritten(retention::followSoon);
        }
        return retention;
    }
}
