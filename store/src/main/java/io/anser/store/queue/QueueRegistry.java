package io.anser.store.queue;

import io.anser.store.file.StoreException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All queue handles, by topic and queue id. Thread-safe. A handle is made on first use and stays. */
public final class QueueRegistry {
    private final ConcurrentHashMap<String, @Nullable QueueLog[]> queues = new ConcurrentHashMap<>();
    private final PageFile pageFile;
    private final StoreTimes times;

    /** A registry without queues. */
    public QueueRegistry(PageFile pageFile, StoreTimes times) {
        this.pageFile = pageFile;
        this.times = times;
    }

    /**
     * The handle of a queue.
     *
     * @param topic a valid topic name; the caller has checked it
     * @param queueId from 0 to {@link QueueLog#QUEUE_ID_LIMIT} - 1
     * @throws StoreException REFUSED when the queue id is out of range
     */
    public QueueLog queue(String topic, int queueId) {
        QueueLog known = lookUp(topic, queueId);
        if (known != null) {
            return known;
        }
        if (queueId < 0 || queueId >= QueueLog.QUEUE_ID_LIMIT) {
            throw new StoreException(
                    StoreException.Kind.REFUSED,
                    "queueId=" + queueId + " is not in [0," + QueueLog.QUEUE_ID_LIMIT + ")");
        }
        @Nullable QueueLog[] all = queues.compute(topic, (name, old) -> with(old, name, queueId));
        return Objects.requireNonNull(all[queueId]);
    }

    /** The handle of a queue that was used before. */
    public Optional<QueueLog> find(String topic, int queueId) {
        return Optional.ofNullable(lookUp(topic, queueId));
    }

    private @Nullable QueueLog lookUp(String topic, int queueId) {
        @Nullable QueueLog[] known = queues.get(topic);
        return known != null && queueId >= 0 && queueId < known.length ? known[queueId] : null;
    }

    private @Nullable QueueLog[] with(@Nullable QueueLog @Nullable [] old, String topic, int queueId) {
        if (old != null && queueId < old.length && old[queueId] != null) {
            return old;
        }
        // A new array for every change: readers hold the old one without a lock.
        @Nullable
        QueueLog[] next =
                old == null ? new QueueLog[queueId + 1] : Arrays.copyOf(old, Math.max(old.length, queueId + 1));
        next[queueId] = new QueueLog(topic, queueId, pageFile, times);
        return next;
    }
}
