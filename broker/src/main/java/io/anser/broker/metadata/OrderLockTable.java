package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.OrderLockMoved;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which client holds the order lock of which queue.
 *
 * <p>Changed by the committing thread alone; any thread reads. Only owners are state: how long ago an owner renewed its
 * lock is known to the feature that lends them and starts anew with the process.
 */
public final class OrderLockTable {
    private final ConcurrentHashMap<QueueKey, String> owners = new ConcurrentHashMap<>();

    OrderLockTable() {}

    /** Returns the client that holds the lock, or empty where nobody does. */
    public Optional<String> owner(QueueKey queue) {
        return Optional.ofNullable(owners.get(queue));
    }

    void apply(OrderLockMoved change) {
        if (change.clientId().isEmpty()) {
            owners.remove(change.queue());
        } else {
            owners.put(change.queue(), change.clientId());
        }
    }

    /** Frees all locks of a topic. */
    void forgetTopic(String topic) {
        owners.keySet().removeIf(queue -> queue.topic().equals(topic));
    }

    /** Frees all locks of a group. */
    void forgetGroup(String group) {
        owners.keySet().removeIf(queue -> queue.group().equals(group));
    }

    void write(DataOutput out) throws IOException {
        TreeMap<QueueKey, String> sorted = new TreeMap<>(owners);
        out.writeInt(sorted.size());
        for (var entry : sorted.entrySet()) {
            SnapshotChange.write(out, new OrderLockMoved(entry.getKey(), entry.getValue()));
        }
    }

    void read(DataInput in) throws IOException {
        owners.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            apply((OrderLockMoved) SnapshotChange.read(in));
        }
    }
}
