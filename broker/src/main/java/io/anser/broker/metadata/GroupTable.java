package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.GroupDeleted;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All consumer groups of the broker by name.
 *
 * <p>Changed by the committing thread alone; any thread reads.
 */
public final class GroupTable {
    private final ConcurrentHashMap<String, Optional<SubscriptionGroupConfig>> groups = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong();

    GroupTable() {}

    /** Returns the configuration of the group as it is now. */
    public Optional<SubscriptionGroupConfig> find(String name) {
        return groups.getOrDefault(name, Optional.empty());
    }

    /** Returns all groups in no order; the caller's own list. */
    public List<SubscriptionGroupConfig> all() {
        return groups.values().stream().flatMap(Optional::stream).toList();
    }

    /** Returns how many groups there are. */
    public int size() {
        return groups.size();
    }

    /** Returns the number of changes since the log began; grows with every change. */
    public long version() {
        return version.get();
    }

    void apply(GroupSaved change) {
        put(change);
        version.incrementAndGet();
    }

    void apply(GroupDeleted change) {
        if (groups.remove(change.group()) != null) {
            version.incrementAndGet();
        }
    }

    /** Takes hold of the groups as they are now. */
    HeldState hold() {
        long now = version.get();
        List<SubscriptionGroupConfig> configs = all();
        return out -> {
            TreeMap<String, SubscriptionGroupConfig> sorted = new TreeMap<>();
            configs.forEach(config -> sorted.put(config.groupName(), config));
            out.writeLong(now);
            out.writeInt(sorted.size());
            for (SubscriptionGroupConfig config : sorted.values()) {
                SnapshotChange.write(out, new GroupSaved(config));
            }
        };
    }

    void read(DataInput in) throws IOException {
        groups.clear();
        version.set(in.readLong());
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            put((GroupSaved) SnapshotChange.read(in));
        }
    }

    private void put(GroupSaved change) {
        groups.put(change.config().groupName(), Optional.of(change.config()));
    }
}
