package io.anser.store.queue;

import io.anser.store.file.StoreException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All queue handles, by topic and queue id. Thread-safe. A handle is made on first use and stays until its topic is dropped;
 * from then on the same name gives new handles, which count from 0.
 *
 * <p>A drop has two halves. When it is placed by the thread that writes the log (the log writer; in a group the engine's
 * appending thread, beside the log writer, which only proposes), the old handles take no more messages and new ones can be had;
 * when it is committed, the old handles show no messages any more.
 */
public final class QueueRegistry {
    private static final long NO_DROP = 0;

    /** Each further look needs a drop that was taken back during the one before. */
    private static final int LOOKS_MAX = 1_000;

    private final ConcurrentHashMap<String, TopicQueues> topics = new ConcurrentHashMap<>();
    private final PageFile pageFile;
    private final StoreTimes times;
    private final CurrentCuts cuts = new CurrentCuts();

    /** By topic, the log position of the last drop that was placed since the store was opened. */
    private final ConcurrentHashMap<String, Long> placedDrops = new ConcurrentHashMap<>();

    /** By log position of the drop, what a drop that is placed and not committed has closed. */
    private final ConcurrentHashMap<Long, Leaving> leaving = new ConcurrentHashMap<>();

    /** By topic, the log position of the last committed drop. Written by the committing thread. */
    private final ConcurrentHashMap<String, Long> starts = new ConcurrentHashMap<>();

    /**
     * What a placed drop has closed.
     *
     * @param queues of the topic; empty where it had none
     * @param earlierDrop log position of the drop of the topic that was placed before; {@link #NO_DROP} where none was
     */
    private record Leaving(Optional<TopicQueues> queues, long earlierDrop) {}

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
        TopicQueues queues = topics.get(topic);
        QueueLog known = queues == null ? null : queues.find(queueId);
        if (known != null) {
            return known;
        }
        if (queueId < 0 || queueId >= QueueLog.QUEUE_ID_LIMIT) {
            throw new StoreException(
                    StoreException.Kind.REFUSED,
                    "queueId=" + queueId + " is not in [0," + QueueLog.QUEUE_ID_LIMIT + ")");
        }
        return topics.computeIfAbsent(topic, this::made).findOrMake(queueId);
    }

    /** The handle of a queue, or of none of this registry where it was never used: that one stays empty. */
    public QueueLog usedOrEmpty(String topic, int queueId) {
        return find(topic, queueId)
                .orElseGet(() -> new TopicQueues(topic, 0, pageFile, times, cuts).findOrMake(queueId));
    }

    private TopicQueues made(String topic) {
        return new TopicQueues(topic, placedDrops.getOrDefault(topic, NO_DROP), pageFile, times, cuts);
    }

    /** Up to where the messages of these queues have expired. */
    public CurrentCuts cuts() {
        return cuts;
    }

    /** The names of all topics with a handle; a live view, weakly consistent. */
    public Set<String> topics() {
        return Collections.unmodifiableSet(topics.keySet());
    }

    /** The handles of a topic's queues. */
    public List<QueueLog> queues(String topic) {
        TopicQueues known = topics.get(topic);
        return known == null ? List.of() : known.all();
    }

    /** The handle of a queue that was used before. */
    public Optional<QueueLog> find(String topic, int queueId) {
        TopicQueues queues = topics.get(topic);
        return Optional.ofNullable(queues == null ? null : queues.find(queueId));
    }

    /**
     * Where the present life of a topic begins: the log position of its last committed drop, 0 when it never had one. A
     * message of the topic before that position is a ghost that nobody may see. Any thread.
     */
    public long startPosition(String topic) {
        return starts.getOrDefault(topic, 0L);
    }

    /** Closes the present queues of a topic for messages: the drop has its place in the log. Called by the thread that writes it. */
    public void placeDrop(String topic, long position) {
        // In one step for those who ask for a handle meanwhile: they get an old one, or a new one that knows its drop.
        topics.compute(topic, (name, queues) -> {
            Long earlier = placedDrops.put(name, position);
            leaving.put(position, new Leaving(Optional.ofNullable(queues), earlier == null ? NO_DROP : earlier));
            if (queues != null) {
                queues.closed = true;
            }
            return null;
        });
    }

    /**
     * Closes the present queues of a topic for what is decided on them from now on: a drop of the topic was proposed to a
     * replicated group. Called by the log writer.
     *
     * @return to be run when the proposal has its outcome; any thread
     */
    public Runnable proposeDrop(String topic) {
        TopicQueues leaving = topics.computeIfAbsent(topic, this::made);
        leaving.proposedDrops.incrementAndGet();
        return leaving.proposedDrops::decrementAndGet;
    }

    /**
     * The handle of the queue that a message of the log belongs to, when drops of its topic may have been placed behind it.
     * Called by the committing thread, while another one may place drops and take them back.
     *
     * @throws StoreException IO when no life of the topic has the message
     */
    public QueueLog queueAt(String topic, int queueId, long position) {
        for (int look = 0; look < LOOKS_MAX; look++) {
            TopicQueues queues = lifeAt(topic, position);
            if (queues.sincePosition <= position) {
                return queues.findOrMake(queueId);
            }
        }
        throw new StoreException(
                StoreException.Kind.IO,
                "message at position=" + position + " belongs to no life of topic=" + topic + " that is known");
    }

    private TopicQueues lifeAt(String topic, long position) {
        // The present queues before the leaving ones: those that a drop closes are named as leaving before they are not
        // present any more, and those that come back are present before they are not leaving any more.
        TopicQueues present = topics.get(topic);
        if (present != null && present.sincePosition <= position) {
            return present;
        }
        return leaving.entrySet().stream()
                .filter(drop -> drop.getKey() > position)
                .sorted(Map.Entry.comparingByKey())
                .flatMap(drop -> drop.getValue().queues().stream())
                .filter(queues -> queues.name.equals(topic))
                .findFirst()
                .orElseGet(() -> topics.computeIfAbsent(topic, this::made));
    }

    /**
     * Takes a placed drop back, which was cut off the log before it was committed, and all messages behind it with it. The
     * latest one first, where there are several. Called by the thread that writes the log.
     */
    public void takeBackDrop(String topic, long position) {
        Leaving closed = leaving.get(position);
        if (closed == null) {
            return;
        }
        topics.compute(topic, (name, newer) -> {
            if (newer != null) {
                newer.drop(); // who holds one of its handles has to ask again
            }
            if (closed.earlierDrop() == NO_DROP) {
                placedDrops.remove(name);
            } else {
                placedDrops.put(name, closed.earlierDrop());
            }
            closed.queues().ifPresent(back -> back.closed = false);
            return closed.queues().orElse(null);
        });
        leaving.remove(position);
    }

    /** Ends the queues that a placed drop has closed, or, where the log is replayed, the present ones; returns them. */
    List<QueueLog> commitDrop(String topic, long position) {
        starts.put(topic, position);
        Leaving placed = leaving.remove(position);
        TopicQueues ended =
                placed == null ? topics.remove(topic) : placed.queues().orElse(null);
        if (ended == null) {
            return List.of();
        }
        ended.drop();
        return ended.all();
    }

    /**
     * Writes where topics that were dropped begin, in the order of their names.
     *
     * @param minPosition first position that the log still has: a drop before it has no ghosts any more and is forgotten
     */
    public void writeStarts(DataOutput out, long minPosition) throws IOException {
        starts.values().removeIf(position -> position < minPosition);
        placedDrops.entrySet().removeIf(drop -> drop.getValue() < minPosition);
        Map<String, Long> sorted = new TreeMap<>(starts);
        out.writeInt(sorted.size());
        for (Map.Entry<String, Long> start : sorted.entrySet()) {
            out.writeUTF(start.getKey());
            out.writeLong(start.getValue());
        }
    }

    /** Reads what {@link #writeStarts} wrote. */
    public void readStarts(DataInput in) throws IOException {
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            starts.put(in.readUTF(), in.readLong());
        }
    }
}
