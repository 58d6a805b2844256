package io.anser.store.queue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The queues of one topic and what they share, from the first use of the topic until it is dropped: one incarnation. A
 * topic that is used again after its drop has new ones. Any thread reads; the flags have an owner each.
 */
final class TopicQueues {
    final String name;

    /** The name in UTF-8, not to be changed. */
    final byte[] nameBytes;

    /** Log position of the drop that made room for this incarnation, 0 when none did since the store was opened. */
    final long sincePosition;

    final PageFile pageFile;
    final StoreTimes times;
    final CurrentCuts cuts;

    /** Written by the thread that appends to the log: no message may be placed any more, the drop is in the log. */
    volatile boolean closed;

    /** In a replicated group: how many drops were proposed here and have no outcome yet. */
    final AtomicInteger proposedDrops = new AtomicInteger();

    // A new array for every change: readers hold the old one without a lock.
    private volatile @Nullable QueueLog[] queues = {};
    private volatile boolean dropped;

    TopicQueues(String name, long sincePosition, PageFile pageFile, StoreTimes times, CurrentCuts cuts) {
        this.name = name;
        this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
        this.sincePosition = sincePosition;
        this.pageFile = pageFile;
        this.times = times;
        this.cuts = cuts;
    }

    @Nullable
    QueueLog find(int queueId) {
        @Nullable QueueLog[] known = queues;
        return queueId >= 0 && queueId < known.length ? known[queueId] : null;
    }

    synchronized QueueLog findOrMake(int queueId) {
        QueueLog known = find(queueId);
        if (known != null) {
            return known;
        }
        QueueLog made = new QueueLog(this, queueId);
        @Nullable QueueLog[] next = Arrays.copyOf(queues, Math.max(queues.length, queueId + 1));
        next[queueId] = made;
        queues = next;
        return made;
    }

    List<QueueLog> all() {
        return Arrays.stream(queues).filter(Objects::nonNull).toList();
    }

    /** Whether the drop is committed: nothing of these queues may be read any more. */
    boolean isDropped() {
        return dropped;
    }

    /** Called by the committing thread. */
    void drop() {
        dropped = true;
    }
}
