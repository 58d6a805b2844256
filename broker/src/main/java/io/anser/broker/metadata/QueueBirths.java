package io.anser.broker.metadata;

import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * When the first message of each queue was stored: state, because nobody who must not wait for the device could read it from the
 * message. Queues that are older than this table are unknown to it. Changed by the committing thread alone; any thread reads.
 */
public final class QueueBirths {
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final ConcurrentHashMap<String, AtomicLongArray> topics = new ConcurrentHashMap<>();

    QueueBirths() {}

    /** Returns the store time of the first message that the queue ever had, if it is known. */
    public OptionalLong find(String topic, int queueId) {
        AtomicLongArray births = topics.get(topic);
        long millis = births == null || queueId >= births.length() ? UNKNOWN : births.get(queueId);
        return millis == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    void born(String topic, int queueId, long storeTimestamp) {
        AtomicLongArray births = topics.get(topic);
        if (births == null || queueId >= births.length()) {
            births = grown(births, queueId);
            topics.put(topic, births);
        }
        births.set(queueId, storeTimestamp);
    }

    private static AtomicLongArray grown(@Nullable AtomicLongArray old, int queueId) {
        int used = old == null ? 0 : old.length();
        long[] wider = new long[Math.max(queueId + 1, used)];
        Arrays.fill(wider, UNKNOWN);
        for (int i = 0; i < used && old != null; i++) {
            wider[i] = old.get(i);
        }
        return new AtomicLongArray(wider);
    }

    void forgetTopic(String topic) {
        topics.remove(topic);
    }

    /** Takes hold of it as it is now: {@code int topics}, of each {@code UTF name | int queues | long millis} as often. */
    HeldState hold() {
        TreeMap<String, long[]> copies = new TreeMap<>();
        topics.forEach((topic, births) -> {
            long[] copy = new long[births.length()];
            Arrays.setAll(copy, births::get);
            copies.put(topic, copy);
        });
        return out -> write(copies, out);
    }

    private static void write(SortedMap<String, long[]> copies, DataOutput out) throws IOException {
        out.writeInt(copies.size());
        for (var entry : copies.entrySet()) {
            out.writeUTF(entry.getKey());
            out.writeInt(entry.getValue().length);
            for (long millis : entry.getValue()) {
                out.writeLong(millis);
            }
        }
    }

    void read(DataInput in) throws IOException {
        topics.clear();
        for (int left = in.readInt(); left > 0; left--) {
            String topic = in.readUTF();
            long[] births = new long[in.readInt()];
            for (int i = 0; i < births.length; i++) {
                births[i] = in.readLong();
            }
            topics.put(topic, new AtomicLongArray(births));
        }
    }
}
