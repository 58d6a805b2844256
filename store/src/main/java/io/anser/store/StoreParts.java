package io.anser.store;

import io.anser.store.adoption.Adoption;
import io.anser.store.adoption.ApacheStore;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyIndex;
import io.anser.store.log.Applier;
import io.anser.store.log.CommitLog;
import io.anser.store.log.CommitObserver;
import io.anser.store.log.Committer;
import io.anser.store.log.DiskGuard;
import io.anser.store.log.Fence;
import io.anser.store.log.LogFlusher;
import io.anser.store.log.LogPipeline;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogPreparer;
import io.anser.store.log.LogRecord;
import io.anser.store.log.LogVerifier;
import io.anser.store.log.LogWriter;
import io.anser.store.log.MessageReader;
import io.anser.store.log.OlderLog;
import io.anser.store.log.PendingAppends;
import io.anser.store.log.Watermarks;
import io.anser.store.log.WrittenBatches;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueIndexer;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.recovery.IndexRepair;
import io.anser.store.recovery.Recovery;
import io.anser.store.recovery.StoreFormat;
import io.anser.store.retention.Retention;
import io.anser.store.retention.RetentionState;
import io.anser.store.snapshot.SnapshotFolder;
import io.anser.store.snapshot.SnapshotPart;
import io.anser.store.snapshot.Snapshotter;
import io.anser.store.state.CommitListener;
import io.anser.store.state.StateMachine;
import io.anser.store.state.StateSection;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of one opened store, put together and recovered, without threads: {@link MessageStore} starts those, tests run
 * the loops by hand.
 */
record StoreParts(
        Storage storage,
        CommitLog log,
        LogVerifier verifier,
        PageFile pageFile,
        QueueRegistry queues,
        Watermarks marks,
        Fence fence,
        DiskGuard disk,
        Committer committer,
        Snapshotter snapshotter,
        MessageReader messages,
        KeyIndex keys,
        LogPipeline pipeline,
        RetentionState retained,
        Retention retention) {
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreParts.class);

    /** Opens a store that has no other before it. */
    static StoreParts open(
            StoreSettings settings,
            Storage storage,
            int newSegmentBytes,
            StateMachine state,
            CommitListener commits,
            Clock clock,
            Executor worker,
            FaultHandler faults)
            throws IOException {
        return open(settings, storage, Optional.empty(), newSegmentBytes, state, commits, clock, worker, faults);
    }

    /**
     * Opens the files, recovers, and writes the start of a new term.
     *
     * @param storage is closed when that fails, else by {@link #finish()}
     * @param apache the store that is, or was, adopted
     */
    static StoreParts open(
            StoreSettings settings,
            Storage storage,
            Optional<ApacheStore> apache,
            int newSegmentBytes,
            StateMachine state,
            CommitListener commits,
            Clock clock,
            Executor worker,
            FaultHandler faults)
            throws IOException {
        boolean opened = false;
        try {
            StoreParts parts =
                    recover(settings, storage, apache, newSegmentBytes, state, commits, clock, worker, faults);
            opened = true;
            return parts;
        } finally {
            if (!opened) {
                storage.close();
            }
        }
    }

    private static StoreParts recover(
            StoreSettings settings,
            Storage storage,
            Optional<ApacheStore> apache,
            int newSegmentBytes,
            StateMachine state,
            CommitListener commits,
            Clock clock,
            Executor worker,
            FaultHandler faults)
            throws IOException {
        // An adopted store gets its format when its first snapshot is durable: until then every start adopts anew.
        boolean adopting = apache.isPresent() && !StoreFormat.exists(storage);
        if (adopting) {
            ApacheStore.clearUnfinishedAdoption(storage);
        }
        StoreFormat format = adopting
                ? new StoreFormat(StoreFormat.CURRENT, newSegmentBytes)
                : StoreFormat.openOrMake(storage, newSegmentBytes);
        SnapshotFolder folder = new SnapshotFolder(storage);
        if (!adopting && folder.newestPosition() > 0 && !CommitLog.isThere(storage, format.segmentBytes())) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "no segment is left in " + storage.describe("log") + " though there are snapshots up to position="
                            + folder.newestPosition() + "; restore the folder, or remove the store to begin anew");
        }
        CommitLog log = CommitLog.open(
                storage,
                format.segmentBytes(),
                apache.<OlderLog>map(ApacheStore::log).orElse(OlderLog.NONE));
        LogVerifier verifier = new LogVerifier(log);
        PageFile pageFile = PageFile.open(storage, format.segmentBytes(), log.readableFrom());
        QueueRegistry queues = new QueueRegistry(pageFile, verifier::storeTimestamp);
        QueueIndexer indexer = new QueueIndexer(queues, pageFile);
        RetentionState retained = new RetentionState(state, queues.cuts(), format.segmentBytes());
        Applier applier = new Applier(log, indexer, retained);

        List<SnapshotPart> parts = new ArrayList<>(List.of(
                SnapshotPart.held("queues", () -> indexer.hold()::write, indexer::readSnapshot),
                new SnapshotPart(
                        "topic-starts", out -> queues.writeStarts(out, log.readableFrom()), queues::readStarts),
                new SnapshotPart("retention", retained::writeSnapshot, retained::readSnapshot),
                SnapshotPart.held("state", () -> state.hold()::write, state::readSnapshot)));
        for (StateSection section : state.sections()) {
            parts.add(SnapshotPart.held(section.name(), () -> section.source().hold()::write, section.reader()::read));
        }

        Optional<Adoption> adoption = apache.map(left -> new Adoption(left, queues, indexer, state));
        Recovery.Result found =
                new Recovery(log, verifier, folder, queues, indexer, parts, applier, adoption).recover();
        // At durability memory the record of a cut may be lost with the power that the removal of segments survived.
        if (!log.hasFirstSegment()) {
            queues.cuts().show(queues.cuts().now().notBelow(log.minPosition()));
        }

        adoption.ifPresent(older -> older.tellWhetherNeeded(log));
        pageFile.removeBefore(log.readableFrom());
        pageFile.removeStrays();
        Watermarks marks = new Watermarks(found.end().position());
        pageFile.repairWith(new IndexRepair(log, marks, queues, pageFile, adoption, worker));
        Fence fence = new Fence(faults);
        DiskGuard disk = new DiskGuard(storage, settings.disk(), clock);
        Snapshotter snapshotter = new Snapshotter(
                folder,
                log,
                marks,
                fence,
                indexer,
                parts,
                found.snapshotPosition(),
                settings.derived().snapshotBytes(),
                worker,
                faults);
        if (adopting) {
            snapshotter.takeAndWrite(found.end());
            format.write(storage);
        }
        int unitBytesMax =
                Math.min(settings.appends().recordBytesMax(), format.segmentBytes() - 2 * LogRecord.HEADER_BYTES);
        PendingAppends pending = new PendingAppends(settings.appends(), unitBytesMax, fence);
        WrittenBatches batches = new WrittenBatches();
        // Before the writer writes for the first time: whether it allocates is decided here.
        LogPreparer preparer =
                new LogPreparer(log, pageFile, marks, fence, disk, settings.durability() == Durability.DISK);
        LogWriter writer = new LogWriter(log, queues, found.end(), pending, batches, marks, fence, disk, clock);
        LogPoint start = writer.startTerm();
        MessageReader messages = new MessageReader(log, verifier, marks, queues);
        KeyIndex keys = KeyIndex.open(
                storage, log, marks, start, messages, settings.derived().keyMemoryBytes(), clock, worker, faults);
        CommitObserver observer = CommitObserver.both(snapshotter, keys);
        Committer committer = new Committer(start, batches, pending, marks, fence, applier, commits, observer, faults);
        LogFlusher flusher = new LogFlusher(log, marks, fence);
        LogPipeline pipeline = switch (settings.durability()) {
            case DISK -> LogPipeline.committingForced(pending, writer, flusher, committer, preparer, marks, fence);
            case MEMORY -> LogPipeline.committingWritten(pending, writer, flusher, committer, preparer, marks, fence);
        };
        Retention retention = new Retention(
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
                },
                pipeline::append,
                unitBytesMax,
                worker,
                disk::status,
                faults);
        return new StoreParts(
                storage,
                log,
                verifier,
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
                retention);
    }

    /** The last snapshot, and the files' end. The pipeline is closed, no worker runs any more. */
    void finish() {
        try (storage) {
            if (!fence.isClosed()) {
                save();
            }
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "the last snapshot or the closing of files failed", e);
        }
    }

    private void save() throws IOException {
        try {
            snapshotter.takeAndWrite(committer.applied());
        } catch (NoSpaceException e) {
            LOGGER.warn("no room for the last snapshot, the next start reads what is behind the one before", e);
        }
        // The index of keys has its own files: it does not need the snapshot.
        try {
            keys.finish();
        } catch (NoSpaceException e) {
            LOGGER.warn("no room for the last keys, the next start reads them from the log again", e);
        }
    }

    /** The files' end while somebody may still be at work with them, who then fails. What is not saved is replayed. */
    void abandon() {
        try {
            storage.close();
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "the closing of files failed", e);
        }
    }
}
