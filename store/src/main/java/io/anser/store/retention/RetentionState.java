package io.anser.store.retention;

import io.anser.store.queue.CurrentCuts;
import io.anser.store.queue.ExpiryCuts;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.StateChange;
import io.anser.store.state.StateMachine;
import io.anser.store.state.TopicDrop;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The state that retention derives from the log: the cuts, when what was stored, and the topics' sizes. Stands in front of
 * the owner's state and takes from the stream of changes what is its own. Owned by the committing thread; during recovery by
 * the recovering thread.
 */
public final class RetentionState implements StateMachine {
    /** Marks for each segment at the least, so that a cut is never far from where it should be. */
    private static final int MARKS_PER_SEGMENT = 16;

    private static final int MARK_BYTES_MAX = 1 << 20;

    private final StateMachine owner;
    private final CurrentCuts cuts;
    private final int segmentBytes;
    private final LogTimes times;
    private final TopicSizes sizes;
    private volatile Runnable rolled = () -> {};
    private volatile Runnable freed = () -> {};
    private volatile long freedPosition;
    private long segment;

    /**
     * The state in front of the owner's.
     *
     * @param cuts moved as the log says
     */
    public RetentionState(StateMachine owner, CurrentCuts cuts, int segmentBytes) {
        this.owner = owner;
        this.cuts = cuts;
        this.segmentBytes = segmentBytes;
        int markBytes = Math.min(MARK_BYTES_MAX, segmentBytes / MARKS_PER_SEGMENT);
        this.times = new LogTimes(markBytes);
        this.sizes = new TopicSizes(markBytes);
    }

    /** Has somebody told, on the committing thread, when the first message of a new segment is applied. */
    public void onSegmentRolled(Runnable listener) {
        rolled = listener;
    }

    /** Has somebody told, on the committing thread, when the group has let the beginning of its log go, and now and then later. */
    public void onFreed(Runnable listener) {
        freed = listener;
    }

    /** The log position before which the group has let everything go, as far as this process has heard. Any thread. */
    long freedPosition() {
        return freedPosition;
    }

    LogTimes times() {
        return times;
    }

    TopicSizes sizes() {
        return sizes;
    }

    ExpiryCuts cuts() {
        return cuts.now();
    }

    void forgetBefore(long position) {
        times.forgetBefore(position);
        sizes.forgetBefore(position);
    }

    @Override
    public void applyState(short kind, ByteBuffer payload, long position) {
        if (kind == StateChange.CUTS_MOVED) {
            // A cut lies at or before what was committed when it was decided, so before the batch that is being
            // applied.
            cuts.show(CutsMoved.after(cuts.now(), payload));
        } else if (kind == StateChange.PREFIX_FREED) {
            freedPosition = Math.max(freedPosition, payload.getLong());
            freed.run();
        } else if (kind == TopicDrop.KIND) {
            sizes.forget(TopicDrop.topic(payload));
        } else {
            owner.applyState(kind, payload, position);
        }
    }

    @Override
    public void applyMessage(
            QueueLog queue,
            long queueOffset,
            long position,
            int bytes,
            int tagsHash,
            long storeTimestamp,
            ByteBuffer message) {
        times.stored(position, bytes, storeTimestamp);
        sizes.stored(queue.topic(), position, bytes);
        long now = position / segmentBytes;
        if (now != segment) {
            segment = now;
            rolled.run();
            if (freedPosition > 0) {
                freed.run(); // what could not go when it was let go may go now
            }
        }
        owner.applyMessage(queue, queueOffset, position, bytes, tagsHash, storeTimestamp, message);
    }

    @Override
    public void applyListed(String topic, long queueOffset, long storeTimestamp) {
        owner.applyListed(topic, queueOffset, storeTimestamp);
    }

    /** Writes what is retention's own; the owner has a part of its own in every snapshot. */
    @Override
    public void writeSnapshot(DataOutput out) throws IOException {
        CutsMoved.write(out, cuts.now().common(), cuts.now().own());
        times.write(out);
        sizes.write(out);
    }

    @Override
    public void readSnapshot(DataInput in) throws IOException {
        cuts.show(CutsMoved.after(ExpiryCuts.NONE, in));
        times.read(in);
        sizes.read(in);
    }
}
