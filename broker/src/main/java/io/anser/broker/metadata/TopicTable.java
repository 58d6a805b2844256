package io.anser.broker.metadata;

import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.Names;
import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All topics of the broker by name.
 *
 * <p>Changed by the committing thread alone; any thread reads. The fixed topics of the system are always there and need
 * no record; a saved topic of the same name takes the place of a fixed one.
 */
public final class TopicTable {
    /** Most light queues of a broker that have messages; Apache's limit. */
    public static final int MAX_LIGHT_QUEUES = 20_000;

    // The values are optionals so that the look-up of every send allocates nothing.
    private final ConcurrentHashMap<String, Optional<Topic>> topics = new ConcurrentHashMap<>();
    private final TreeMap<String, TopicSaved> saved = new TreeMap<>();
    private final LightTopics light;
    private final List<TopicConfig> fixed;
    private final QueueSource source;
    private final AtomicLong version = new AtomicLong();
    private volatile Runnable onChange = () -> {};

    /** Whether any topic was ever one that keeps latest messages: most brokers have none, and need not ask per message. */
    private volatile boolean compactedSeen;

    TopicTable(List<TopicConfig> fixed, QueueSource source) {
        this.fixed = List.copyOf(fixed);
        this.source = source;
        this.light = new LightTopics(source);
        putFixed();
    }

    /** Returns the topic of that name as it is now. A light queue is there when it is named. */
    public Optional<Topic> find(String name) {
        Optional<Topic> found = recorded(name);
        return found.isPresent() ? found : light.find(name);
    }

    /** Returns the same for a message that asks to come in: light queues are not found when the broker has too many. */
    public Optional<Topic> findForSend(String name) {
        Optional<Topic> found = recorded(name);
        return found.isPresent() ? found : light.findForSend(name);
    }

    /** Takes a place for a message that is about to be appended to a light queue; false when the broker has too many. */
    public boolean admitToLightQueue(String name) {
        return light.admit(name);
    }

    /** Gives the place back when that message could not be appended. */
    public void leaveLightQueue(String name) {
        light.leave(name);
    }

    /** Returns the same for a message that was let in before; light queues are always found. */
    public Optional<Topic> findForStored(String name) {
        Optional<Topic> found = recorded(name);
        return found.isPresent() ? found : light.findForStored(name);
    }

    /** Without light queues, which depend on what this process was asked: all that changes of the state may look at. */
    private Optional<Topic> recorded(String name) {
        return topics.getOrDefault(name, Optional.empty());
    }

    /** Says whether there is a topic of that name which is no light queue. */
    boolean isRecorded(String name) {
        return topics.containsKey(name);
    }

    /** Says whether a topic keeps the latest message of each key. Asked for every message that is stored. */
    boolean isCompacted(String name) {
        return compactedSeen && recorded(name).map(Topic::compacted).orElse(false);
    }

    /** Returns all topics in no order, without light queues; the caller's own list. */
    public List<Topic> all() {
        return topics.values().stream().flatMap(Optional::stream).toList();
    }

    /** Returns the topics that were created, by name, without the fixed ones; while nobody changes the table. */
    public SortedMap<String, TopicConfig> created() {
        TreeMap<String, TopicConfig> created = new TreeMap<>();
        saved.forEach((name, change) -> created.put(name, change.config()));
        return created;
    }

    /** Returns how many topics there are; light queues do not count. */
    public int size() {
        return topics.size();
    }

    /** Returns the number of changes since the log began; grows with every change. */
    public long version() {
        return version.get();
    }

    /** Has somebody told of each change, on the committing thread; must not block. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** Says whether the broker has the topic for itself: it cannot be deleted. */
    public boolean isKeptByBroker(String name) {
        return Names.isSystemTopic(name)
                || fixed.stream().anyMatch(config -> config.topicName().equals(name));
    }

    /**
     * Takes a change.
     *
     * @param position of the change in the log, 0 before the store is open
     */
    void apply(TopicSaved change, long position) {
        put(
                change,
                recorded(change.config().topicName())
                        .map(Topic::createdPosition)
                        .orElse(position));
        version.incrementAndGet();
        onChange.run();
    }

    void apply(TopicDeleted change) {
        saved.remove(change.topic());
        topics.remove(change.topic());
        light.forget(change.topic());
        fixed.stream()
                .filter(config -> config.topicName().equals(change.topic()))
                .forEach(this::putFixed);
        version.incrementAndGet();
        onChange.run();
    }

    /** Takes hold of the topics as they are now: encoding thousands of them takes its time. */
    HeldState hold() {
        long now = version.get();
        List<TopicSaved> changes = List.copyOf(saved.values());
        return out -> {
            out.writeLong(now);
            out.writeInt(changes.size());
            for (TopicSaved change : changes) {
                SnapshotChange.write(out, change);
            }
        };
    }

    void read(DataInput in) throws IOException {
        topics.clear();
        saved.clear();
        putFixed();
        version.set(in.readLong());
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            put((TopicSaved) SnapshotChange.read(in), 0);
        }
        onChange.run(); // a follower may take over a snapshot while it runs
    }

    private void putFixed() {
        fixed.forEach(this::putFixed);
    }

    private void putFixed(TopicConfig config) {
        topics.put(config.topicName(), Optional.of(new Topic(config, 0, 0, source)));
    }

    private void put(TopicSaved change, long createdPosition) {
        String name = change.config().topicName();
        saved.put(name, change);
        compactedSeen |= CompactionAttribute.isCompacted(change.config().attributes());
        topics.put(name, Optional.of(new Topic(change.config(), change.createdMillis(), createdPosition, source)));
    }
}
