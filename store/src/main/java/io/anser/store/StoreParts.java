package io.anser.store;

import io.anser.store.file.NoSpaceException;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyIndex;
import io.anser.store.log.CommitLog;
import io.anser.store.log.DiskGuard;
import io.anser.store.log.Fence;
import io.anser.store.log.LogCopy;
import io.anser.store.log.LogFeed;
import io.anser.store.log.LogPipeline;
import io.anser.store.log.LogPoint;
import io.anser.store.log.LogVerifier;
import io.anser.store.log.MessageReader;
import io.anser.store.log.WarmChunks;
import io.anser.store.log.Watermarks;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.recovery.KnownDamage;
import io.anser.store.retention.Retention;
import io.anser.store.retention.RetentionState;
import io.anser.store.snapshot.SnapshotStatus;
import io.anser.store.snapshot.Snapshotter;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of one opened store, put together and recovered, without threads: {@link MessageStore} starts those, tests run
 * the loops by hand.
 *
 * @param applied up to where everything is applied, for whoever has taken the committing thread's place
 * @param replica what the engine of a replicated group works with; empty for others
 * @param copy what fills a copy of another log; empty for others
 * @param feed what a store of its own does for replicas; empty for others
 */
record StoreParts(
        Storage storage,
        CommitLog log,
        LogVerifier verifier,
        WarmChunks warm,
        KnownDamage knownDamage,
        PageFile pageFile,
        QueueRegistry queues,
        Watermarks marks,
        Fence fence,
        DiskGuard disk,
        Supplier<LogPoint> applied,
        Snapshotter snapshotter,
        MessageReader messages,
        KeyIndex keys,
        LogPipeline pipeline,
        RetentionState retained,
        Retention retention,
        Optional<Replica> replica,
        Optional<LogCopy> copy,
        Optional<LogFeed> feed) {
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreParts.class);

    /**
     * Opens the files, recovers, and writes the start of a new term.
     *
     * @param around its storage is closed when that fails, else by {@link #finish()}
     */
    static StoreParts open(StoreSurroundings around) throws IOException {
        boolean opened = false;
        try {
            StoreParts parts = new StoreOpening(around).open();
            opened = true;
            return parts;
        } finally {
            if (!opened) {
                around.storage().close();
            }
        }
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
            saveSnapshot();
        } finally {
            saveKeys(); // they have files of their own and do not need the snapshot
        }
    }

    private void saveSnapshot() throws IOException {
        SnapshotStatus status = snapshotter.status();
        if (status.stopped()) {
            LOGGER.warn(
                    "no last snapshot, the next start reads what is behind position={} reason={}",
                    status.position(),
                    status.problem());
            return;
        }
        try {
            snapshotter.takeAndWrite(applied.get());
        } catch (NoSpaceException e) {
            LOGGER.warn("no room for the last snapshot, the next start reads what is behind the one before", e);
        }
    }

    private void saveKeys() throws IOException {
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
