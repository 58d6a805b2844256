package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.OffsetCommitted;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * How far each group has consumed each queue.
 *
 * <p>Changed by the committing thread alone; any thread reads, without allocating.
 */
public final class OffsetTable {
    /** What {@link #committed} answers where the group has committed nothing. */
    public static final long NONE = -1;

    private final ConcurrentHashMap<String, ConcurrentHashMap<String, AtomicLongArray>> groups =
            new ConcurrentHashMap<>();

    // Owned by the committing thread: so that a new topic, which has none, need not be looked for in every group.
    private final Set<String> topicsWithOffsets = new HashSet<>();

    OffsetTable() {}

    /**
     * Returns the queue offset of the next message that the group has yet to consume, or {@link #NONE}.
     *
     * @param queueId any number; one that the topic never had answers {@link #NONE}
     */
    public long committed(String group, String topic, int queueId) {
        ConcurrentHashMap<String, AtomicLongArray> topics = groups.get(group);
        if (topics == null) {
            return NONE;
        }
        AtomicLongArray offsets = topics.get(topic);
        return offsets == null || queueId < 0 || queueId >= offsets.length() ? NONE : offsets.get(queueId);
    }

    /** Returns the groups that have committed an offset in the topic; the caller's own list. */
    public List<String> groups(String topic) {
        List<String> found = new ArrayList<>();
        groups.forEach((group, topics) -> {
            if (topics.containsKey(topic)) {
                found.add(group);
            }
        });
        return found;
    }

    /** Returns the topics in which a group has committed an offset; the caller's own set. */
    public Set<String> topics(String group) {
        ConcurrentHashMap<String, AtomicLongArray> topics = groups.get(group);
        return topics == null ? Set.of() : new HashSet<>(topics.keySet());
    }

    void apply(OffsetCommitted change) {
        QueueKey key = change.queue();
        ConcurrentHashMap<String, AtomicLongArray> topics =
                groups.computeIfAbsent(key.group(), group -> new ConcurrentHashMap<>());
        AtomicLongArray offsets = topics.get(key.topic());
        if (offsets == null || key.queueId() >= offsets.length()) {
            offsets = grown(offsets, key.queueId());
            topics.put(key.topic(), offsets);
            topicsWithOffsets.add(key.topic());
        }
        offsets.set(key.queueId(), change.offset());
    }

    private static AtomicLongArray grown(@Nullable AtomicLongArray old, int queueId) {
        int used = old == null ? 0 : old.length();
        long[] wider = new long[Math.max(queueId + 1, used)];
        Arrays.fill(wider, NONE);
        for (int i = 0; i < used && old != null; i++) {
            wider[i] = old.get(i);
        }
        return new AtomicLongArray(wider);
    }

    /** Forgets the offsets of all groups in a topic. */
    void forgetTopic(String topic) {
        if (topicsWithOffsets.remove(topic)) {
            groups.values().forEach(topics -> topics.remove(topic));
        }
    }

    /** Forgets the offsets of a group in all topics. */
    void forgetGroup(String group) {
        groups.remove(group);
    }

    /** Returns all committed offsets, in order; the caller's own map. */
    public SortedMap<QueueKey, Long> all() {
        TreeMap<QueueKey, Long> sorted = new TreeMap<>();
        groups.forEach((group, topics) -> topics.forEach((topic, offsets) -> {
            for (int queueId = 0; queueId < offsets.length(); queueId++) {
                if (offsets.get(queueId) != NONE) {
                    sorted.put(new QueueKey(group, topic, queueId), offsets.get(queueId));
                }
            }
        }));
        return sorted;
    }

    /** One group's offsets in one topic, by queue id. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record TopicOffsets(String group, String topic, long[] offsets) {}

    /** Takes hold of the offsets as they are now: copies numbers, and leaves sorting and encoding for later. */
    HeldState hold() {
        List<TopicOffsets> copies = new ArrayList<>();
        groups.forEach((group, topics) -> topics.forEach((topic, offsets) -> {
            long[] copy = new long[offsets.length()];
            Arrays.setAll(copy, offsets::get);
            copies.add(new TopicOffsets(group, topic, copy));
        }));
        return out -> write(copies, out);
    }

    private static void write(List<TopicOffsets> copies, DataOutput out) throws IOException {
        TreeMap<QueueKey, Long> sorted = new TreeMap<>();
        for (TopicOffsets copy : copies) {
            for (int queueId = 0; queueId < copy.offsets.length; queueId++) {
                if (copy.offsets[queueId] != NONE) {
                    sorted.put(new QueueKey(copy.group, copy.topic, queueId), copy.offsets[queueId]);
                }
            }
        }
        out.writeInt(sorted.size());
        for (var entry : sorted.entrySet()) {
            SnapshotChange.write(out, new OffsetCommitted(entry.getKey(), entry.getValue()));
        }
    }

    void read(DataInput in) throws IOException {
        groups.clear();
        topicsWithOffsets.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            apply((OffsetCommitted) SnapshotChange.read(in));
        }
    }
}
