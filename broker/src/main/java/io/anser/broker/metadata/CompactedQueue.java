package io.anser.broker.metadata;

import io.anser.store.queue.RetainedMessages;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The latest message of each key of one queue. Changed by the committing thread alone; any thread reads, and finds at every
 * moment the latest message of each key, or one behind it.
 */
final class CompactedQueue implements RetainedMessages {
    private final ConcurrentHashMap<ValueKey, LatestValue> byKey = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Long, LatestValue> byOffset = new ConcurrentSkipListMap<>();

    /** Takes the place of the value before; answers by how many there are more now. */
    int put(LatestValue value) {
        byOffset.put(value.queueOffset(), value);
        LatestValue before = byKey.put(value.key(), value);
        if (before == null) {
            return 1;
        }
        if (before.queueOffset() != value.queueOffset()) {
            byOffset.remove(before.queueOffset());
        }
        return 0;
    }

    /** Forgets a key; answers by how many values there are more now. */
    int remove(ValueKey key) {
        LatestValue before = byKey.remove(key);
        if (before == null) {
            return 0;
        }
        byOffset.remove(before.queueOffset());
        return -1;
    }

    /** A value lies somewhere else, if it is still the latest of its key and lay where it was copied from. */
    void move(long queueOffset, long source, long position) {
        LatestValue value = byOffset.get(queueOffset);
        if (value != null && value.position() == source) {
            put(value.at(position));
        }
    }

    boolean contains(ValueKey key) {
        return byKey.containsKey(key);
    }

    int size() {
        return byKey.size();
    }

    /** By queue offset; a live view. */
    Map<Long, LatestValue> all() {
        return byOffset;
    }

    @Override
    public long firstFrom(long offset) {
        Long found = byOffset.ceilingKey(offset);
        return found == null ? NONE_LEFT : found;
    }

    @Override
    public boolean read(long offset, long[] entry) {
        LatestValue value = byOffset.get(offset);
        if (value == null) {
            return false;
        }
        entry[0] = value.position();
        entry[1] = ((long) value.bytes() << Integer.SIZE) | Integer.toUnsignedLong(value.tagsHash());
        return true;
    }

    static void write(List<LatestValue> values, DataOutput out) throws IOException {
        out.writeInt(values.size());
        for (LatestValue value : values) {
            out.writeLong(value.key().high());
            out.writeLong(value.key().low());
            out.writeLong(value.queueOffset());
            out.writeLong(value.position());
            out.writeInt(value.bytes());
            out.writeInt(value.tagsHash());
        }
    }

    static CompactedQueue read(DataInput in) throws IOException {
        CompactedQueue queue = new CompactedQueue();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            ValueKey key = new ValueKey(in.readLong(), in.readLong());
            queue.put(new LatestValue(key, in.readLong(), in.readLong(), in.readInt(), in.readInt()));
        }
        return queue;
    }
}
