package io.anser.broker.metadata;

import io.anser.store.queue.RetainedMessages;
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
    private final HeldElements<LatestValue> held;

    /**
     * A queue without values.
     *
     * @param held has the values of all queues, for snapshots
     */
    CompactedQueue(HeldElements<LatestValue> held) {
        this.held = held;
    }

    /** Takes the place of the value before; answers by how many there are more now. */
    int put(LatestValue value) {
        byOffset.put(value.queueOffset(), value);
        held.add(value);
        LatestValue before = byKey.put(value.key(), value);
        if (before == null) {
            return 1;
        }
        held.remove(before);
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
        held.remove(before);
        byOffset.remove(before.queueOffset());
        return -1;
    }

    /** Forgets that there are values, for whoever takes hold from now on; readers who are here go on. */
    void release() {
        byKey.values().forEach(held::remove);
    }

    /** A value lies somewhere else, if it is still the latest of its key and lay where it was copied from. */
    void move(long queueOffset, long source, long position) {
        LatestValue value = byOffset.get(queueOffset);
        if (value != null && value.position() == source) {
            put(value.at(position));
        }
    }

    /** Forgets a value, if it is still the latest of its key and lies there; answers by how many values there are more now. */
    int lose(long queueOffset, long position) {
        LatestValue value = byOffset.get(queueOffset);
        return value != null && value.position() == position ? remove(value.key()) : 0;
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
}
