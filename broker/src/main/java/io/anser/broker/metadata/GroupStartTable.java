package io.anser.broker.metadata;

import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where groups started in which topics: what was said first. Kept for as long as the group and its offsets, so that queues that
 * are made later are known as such. Changed by the committing thread alone; any thread reads.
 */
public final class GroupStartTable {
    private final ConcurrentHashMap<Key, StartFrom> starts = new ConcurrentHashMap<>();

    private record Key(String group, String topic) {}

    GroupStartTable() {}

    /** Returns where the group started in the topic; empty where it has not said anything yet. */
    public Optional<StartFrom> find(String group, String topic) {
        return Optional.ofNullable(starts.get(new Key(group, topic)));
    }

    /** Returns of how many pairs of group and topic the start is known. */
    public int size() {
        return starts.size();
    }

    /** Says whether a group that starts there tells nothing new. */
    boolean isSettled(String group, String topic, StartFrom from) {
        StartFrom noted = starts.get(new Key(group, topic));
        return noted != null && !from.countsAfter(noted);
    }

    /** Takes a change; false if an earlier one holds. */
    boolean apply(GroupStarted change) {
        if (isSettled(change.group(), change.topic(), change.from())) {
            return false;
        }
        starts.put(new Key(change.group(), change.topic()), change.from());
        return true;
    }

    /** Forgets who started in a topic. */
    void forgetTopic(String topic) {
        starts.keySet().removeIf(key -> key.topic().equals(topic));
    }

    /** Forgets where a group started. */
    void forgetGroup(String group) {
        starts.keySet().removeIf(key -> key.group().equals(group));
    }

    /** Takes hold of it as it is now: copies references, and leaves sorting and encoding for later. */
    HeldState hold() {
        List<GroupStarted> copies = new ArrayList<>(starts.size());
        starts.forEach((key, from) -> copies.add(new GroupStarted(key.group(), key.topic(), from, List.of())));
        return out -> write(copies, out);
    }

    private static void write(List<GroupStarted> starts, DataOutput out) throws IOException {
        List<GroupStarted> sorted = new ArrayList<>(starts);
        sorted.sort(Comparator.comparing(GroupStarted::group).thenComparing(GroupStarted::topic));
        out.writeInt(sorted.size());
        for (GroupStarted start : sorted) {
            SnapshotChange.write(out, start);
        }
    }

    void read(DataInput in) throws IOException {
        starts.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            apply((GroupStarted) SnapshotChange.read(in));
        }
    }
}
