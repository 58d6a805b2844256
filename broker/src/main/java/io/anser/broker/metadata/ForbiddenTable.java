package io.anser.broker.metadata;

import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which groups may not read which topics. Changed by the committing thread alone; any thread reads. */
public final class ForbiddenTable {
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();

    private record Pair(String group, String topic) {}

    ForbiddenTable() {}

    /** Returns whether the group may not read the topic. */
    public boolean forbids(String group, String topic) {
        return !pairs.isEmpty() && pairs.contains(new Pair(group, topic));
    }

    void apply(ReadingForbidden change) {
        Pair pair = new Pair(change.group(), change.topic());
        if (change.forbidden()) {
            pairs.add(pair);
        } else {
            pairs.remove(pair);
        }
    }

    /** Forgets what was said about a topic. */
    void forgetTopic(String topic) {
        pairs.removeIf(pair -> pair.topic().equals(topic));
    }

    /** Forgets what was said to a group. */
    void forgetGroup(String group) {
        pairs.removeIf(pair -> pair.group().equals(group));
    }

    /** Takes hold of it as it is now. */
    HeldState hold() {
        List<ReadingForbidden> all = pairs.stream()
                .map(pair -> new ReadingForbidden(pair.group(), pair.topic(), true))
                .toList();
        return out -> {
            out.writeInt(all.size());
            for (ReadingForbidden each : all) {
                SnapshotChange.write(out, each);
            }
        };
    }

    void read(DataInput in) throws IOException {
        pairs.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            apply((ReadingForbidden) SnapshotChange.read(in));
        }
    }
}
