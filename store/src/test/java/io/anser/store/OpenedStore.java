package io.anser.store;

import io.anser.store.file.Storage;
import io.anser.store.key.KeyQuery;
import io.anser.store.log.CommitLog;
import io.anser.store.log.Fence;
import io.anser.store.log.LogPipeline;
import io.anser.store.log.Watermarks;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.retention.RetentionPolicy;
import io.anser.store.state.CommitListener;
import io.anser.store.state.StateMachine;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A recovered store without threads, for tests in other packages: whoever opened it runs its loops. */
public final class OpenedStore {
    final StoreParts parts;

    private OpenedStore(StoreParts parts) {
        this.parts = parts;
    }

    /** Opens and recovers. */
    public static OpenedStore open(
            StoreSettings settings,
            Storage storage,
            int segmentBytes,
            StateMachine state,
            CommitListener commits,
            Clock clock,
            Executor worker,
            FaultHandler faults)
            throws IOException {
        return new OpenedStore(StoreParts.open(new StoreSurroundings(
                settings, storage, Optional.empty(), segmentBytes, state, commits, clock, worker, faults)));
    }

    public CommitLog log() {
        return parts.log();
    }

    public QueueRegistry queues() {
        return parts.queues();
    }

    public Watermarks marks() {
        return parts.marks();
    }

    public Fence fence() {
        return parts.fence();
    }

    public LogPipeline pipeline() {
        return parts.pipeline();
    }

    /** Asks for a snapshot of what is committed. */
    public void requestSnapshot() {
        parts.snapshotter().request();
    }

    /** All messages of a topic with a key, newest first. */
    public List<ByteBuffer> find(String topic, String key) {
        return parts.keys().find(KeyQuery.of(topic, key));
    }

    /** Lets messages expire and removes segments, as far as that can go now. */
    public void retain(long nowMillis, RetentionPolicy policy) {
        parts.retention().retain(nowMillis, policy);
    }

    /** Whether all full pages of the queue index are in their files; on a full device some are in memory. */
    public boolean hasWrittenPages() {
        return !parts.pageFile().lacksRoom();
    }

    /** The end of a clean close: the last snapshot. */
    public void finish() {
        parts.finish();
    }
}
