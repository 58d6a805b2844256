package io.anser.store.log;

import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One atomic unit for the log: one or more items (messages and state changes) that are stored, committed and recovered
 * together or not at all, next to one another in one log record.
 *
 * <p>The caller makes it, hands it to {@code MessageStore.append} once, and then only reads its results, in {@link
 * #committed()}. {@link #items()}, {@link #queue} and {@link #bytes} must not change their answers; the caller's thread and
 * the log writer ask them. Exactly one of {@link #committed()} and {@link #failed} is called, on the committing thread, in
 * log order; it must not block.
 */
public abstract class Append {
    // Filled by the log writer, read by the committing thread after the batch was handed over.
    private long position;
    private long queueOffset;
    private int tagsHash;
    private long storeTimestamp;
    private long @Nullable [] moreQueueOffsets;
    private int @Nullable [] moreTagsHashes;
    private int totalBytes;
    private List<FurtherQueue> furtherQueues = List.of();
    private int lead;
    private @Nullable StoreException failure;

    /** A place of the unit's message in a further queue. */
    record FurtherQueue(QueueLog queue, long offset) {}

    /** A unit that has not been handed to a store yet. */
    protected Append() {}

    /** How many items there are, at least 1. */
    public abstract int items();

    /** The queue of an item that is a message; null for a state change. */
    public abstract @Nullable QueueLog queue(int item);

    /** Exact size of an item in bytes: a whole wire message, or {@link io.anser.store.state.StateChange#bytes}. */
    public abstract int bytes(int item);

    /**
     * Writes an item: exactly {@link #bytes} bytes from the target's position on, no more fit. A message carries the
     * queue's topic and queue id; its queue offset, physical offset and store time are placeholders that the writer fills in.
     * A unit whose message is for further queues has a {@link io.anser.store.state.FurtherQueues} as its first item and the
     * message as its second. Called once for each item, on the log-writer thread; whatever it throws fails this unit only. A
     * unit of state changes alone, or one that {@linkplain #makesRoom() makes room}, may be asked again, when the device had no room for the batch.
     */
    public abstract void encode(int item, ByteBuffer target);

    /**
     * Whether refusing the unit would keep a full device full: it lets segments go. Such a unit is let in beyond the limit and
     * the margin, as long as room is left for state changes.
     */
    public boolean makesRoom() {
        return false;
    }

    /** The unit is committed: acknowledged if you like, readable, durable as the store promises. */
    public abstract void committed();

    /** The unit was not stored, or it is not known whether it was (kinds IO and FENCED). */
    public abstract void failed(StoreException reason);

    /** Log position of an item's first byte: the physical offset of a message. */
    public final long position(int item) {
        long at = position;
        for (int before = 0; before < item; before++) {
            at += bytes(before);
        }
        return at;
    }

    /** Queue offset of an item that is a message. */
    public final long queueOffset(int item) {
        return moreQueueOffsets == null ? queueOffset : moreQueueOffsets[item];
    }

    /** When the unit was stored: milliseconds since 1970, never less than for the unit before it. */
    public final long storeTimestamp() {
        return storeTimestamp;
    }

    /** In which further queues the message behind the first item lies. */
    List<FurtherQueue> furtherQueues() {
        return furtherQueues;
    }

    void listedIn(List<FurtherQueue> queues) {
        furtherQueues = queues;
    }

    int tagsHash(int item) {
        return moreTagsHashes == null ? tagsHash : moreTagsHashes[item];
    }

    int totalBytes() {
        return totalBytes;
    }

    /** Adds up the sizes; Integer.MAX_VALUE when they are beyond counting. Called by the thread that hands the unit over. */
    int measure() {
        long sum = 0;
        int items = items();
        for (int item = 0; item < items; item++) {
            sum += bytes(item);
        }
        totalBytes = (int) Math.min(sum, Integer.MAX_VALUE);
        return totalBytes;
    }

    void handedOverIn(int presentLead) {
        lead = presentLead;
    }

    int handedOverIn() {
        return lead;
    }

    @Nullable
    StoreException failure() {
        return failure;
    }

    void failWith(StoreException reason) {
        failure = reason;
    }

    void placed(long firstPosition, long timestamp) {
        position = firstPosition;
        storeTimestamp = timestamp;
        int items = items();
        if (items > 1) {
            moreQueueOffsets = new long[items];
            moreTagsHashes = new int[items];
        }
    }

    void stored(long timestamp) {
        storeTimestamp = timestamp;
    }

    void tagged(int item, int hash) {
        if (moreTagsHashes == null) {
            tagsHash = hash;
        } else {
            moreTagsHashes[item] = hash;
        }
    }

    void numbered(int item, long offset) {
        if (moreQueueOffsets == null) {
            queueOffset = offset;
        } else {
            moreQueueOffsets[item] = offset;
        }
    }
}
