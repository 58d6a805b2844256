package io.anser.broker.metadata;

import io.anser.protocol.body.RequestMode;
import io.anser.store.state.HeldState;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** How groups consume topics, where somebody has said so. Changed by the committing thread alone; any thread reads. */
public final class RequestModeTable {
    private final ConcurrentHashMap<Key, RequestMode> modes = new ConcurrentHashMap<>();

    private record Key(String group, String topic) {}

    RequestModeTable() {}

    /** Returns what was said; empty where nobody has said anything. */
    public Optional<RequestMode> find(String group, String topic) {
        return Optional.ofNullable(modes.get(new Key(group, topic)));
    }

    /** Returns of how many pairs of group and topic something was said. */
    public int size() {
        return modes.size();
    }

    /** Returns all that was said, in no order; the caller's own list. */
    public List<RequestMode> all() {
        return List.copyOf(modes.values());
    }

    void apply(RequestModeSaved change) {
        RequestMode mode = change.mode();
        modes.put(new Key(mode.consumerGroup(), mode.topic()), mode);
    }

    /** Forgets what was said about a topic. */
    void forgetTopic(String topic) {
        modes.keySet().removeIf(key -> key.topic().equals(topic));
    }

    /** Forgets what was said to a group. */
    void forgetGroup(String group) {
        modes.keySet().removeIf(key -> key.group().equals(group));
    }

    /** Takes hold of it as it is now: encoded at once, as it is small. */
    HeldState hold() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(new DataOutputStream(bytes));
        return out -> out.write(bytes.toByteArray());
    }

    private void write(DataOutput out) throws IOException {
        List<RequestMode> sorted = new ArrayList<>(modes.values());
        sorted.sort(Comparator.comparing(RequestMode::consumerGroup).thenComparing(RequestMode::topic));
        out.writeInt(sorted.size());
        for (RequestMode mode : sorted) {
            SnapshotChange.write(out, new RequestModeSaved(mode));
        }
    }

    void read(DataInput in) throws IOException {
        modes.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            apply((RequestModeSaved) SnapshotChange.read(in));
        }
    }
}
