package io.anser.broker.pop;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.QueueKey;
import io.anser.protocol.message.Names;
import io.anser.store.queue.QueueLog;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All topics that groups pop in this process, and who has to be told of messages. What is there belongs to a topic and a group
 * that exist, as {@link #clean()} is called from time to time. Any thread.
 */
public final class PopTopics {
    private final BrokerState state;
    private final PopReader reader;
    private final PopLimits limits;
    private final ConcurrentHashMap<Key, PopTopic> topics = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Set<PopTopic>> byName = new ConcurrentHashMap<>();

    private record Key(String group, String topic) {}

    PopTopics(BrokerState state, PopReader reader, PopLimits limits) {
        this.state = state;
        this.reader = reader;
        this.limits = limits;
    }

    /** The topic as the group pops it; made when it is first asked for. */
    PopTopic of(String group, String topic) {
        Key key = new Key(group, topic);
        PopTopic known = topics.get(key);
        return known != null ? known : topics.computeIfAbsent(key, this::make);
    }

    private PopTopic make(Key key) {
        PopTopic made = new PopTopic(key.group, key.topic, state, reader, limits);
        // Added under the map's lock: a set that is empty meanwhile is taken out, and nobody would look into it any
        // more.
        made.names()
                .forEach(name -> byName.compute(name, (same, told) -> {
                    Set<PopTopic> all = told == null ? ConcurrentHashMap.newKeySet(2) : told;
                    all.add(made);
                    return all;
                }));
        return made;
    }

    /** The topic as the group pops it; empty where it has not in this process. */
    Optional<PopTopic> known(String group, String topic) {
        return Optional.ofNullable(topics.get(new Key(group, topic)));
    }

    /** The topic of a queue, which may be one of a retry topic; empty where nobody has popped it in this process. */
    Optional<PopTopic> find(QueueKey queue) {
        return known(queue.group(), realTopic(queue.group(), queue.topic()));
    }

    /** The topic that a group's messages of a topic belong to: another one if they are left from an earlier pop of that. */
    static String realTopic(String group, String topic) {
        String retry = Names.popRetryTopic(group, "");
        String older = Names.oldPopRetryTopic(group, "");
        if (topic.startsWith(retry)) {
            return topic.substring(retry.length());
        }
        return topic.startsWith(older) ? topic.substring(older.length()) : topic;
    }

    /** The topic that holds a message with this mark in its handle. */
    static String storedTopic(String group, String topic, int mark) {
        if (mark == 0 || Names.isRetryTopic(topic)) {
            return topic;
        }
        return mark == 1 ? Names.oldPopRetryTopic(group, topic) : Names.popRetryTopic(group, topic);
    }

    Collection<PopTopic> all() {
        return topics.values();
    }

    /** Wakes who waits for messages of this queue. Called on the committing thread once new ones are readable. */
    public void arrived(QueueLog queue) {
        Set<PopTopic> told = byName.get(queue.topic());
        if (told != null) {
            told.forEach(topic -> topic.line().signal());
        }
    }

    /** Answers who waits for this queue: its topic was deleted. Called on the committing thread. */
    public void dropped(QueueLog queue) {
        arrived(queue); // whoever wakes finds the topic gone
    }

    /** Fewer messages of a queue are out: whoever waits for that is woken. Any thread; never fails. */
    void settled(QueueKey queue) {
        find(queue)
                .ifPresent(topic -> topic.looked(queue)
                        .filter(PopQueue::isAwaited)
                        .ifPresent(awaited -> topic.line().signal()));
    }

    /** Forgets a group that was deleted. */
    public void forgetGroup(String group) {
        topics.forEach((key, topic) -> {
            if (key.group.equals(group)) {
                forget(key, topic);
            }
        });
    }

    /**
     * Forgets what was taken and read: the broker is about to lead, or leads no more. Who waits is answered; what is on its way
     * ends without anybody looking at it. Any thread.
     */
    void leaveAll() {
        topics.forEach((key, topic) -> {
            takeOut(key, topic);
            topic.leave();
        });
    }

    /** Forgets what belongs to a topic or a group that was deleted. */
    void clean() {
        topics.forEach((key, topic) -> {
            if (state.topics().find(key.topic).isEmpty()
                    || state.groups().find(key.group).isEmpty()) {
                forget(key, topic);
            }
        });
    }

    private void forget(Key key, PopTopic topic) {
        takeOut(key, topic);
        topic.forget();
    }

    private void takeOut(Key key, PopTopic topic) {
        topics.remove(key, topic);
        topic.names()
                .forEach(name -> byName.computeIfPresent(name, (same, told) -> {
                    told.remove(topic);
                    return told.isEmpty() ? null : told;
                }));
    }

    /** How many sets of those to be told there are; none of a topic that was forgotten. */
    int told() {
        return byName.size();
    }
}
