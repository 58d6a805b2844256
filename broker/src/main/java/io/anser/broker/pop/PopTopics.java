package io.anser.broker.pop;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.QueueKey;
import io.anser.protocol.message.Names;
import io.anser.store.queue.QueueLog;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All topics that groups pop in this process, and who has to be told of messages. Any thread. */
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
        made.names()
                .forEach(name -> byName.computeIfAbsent(name, any -> ConcurrentHashMap.newKeySet(2))
                        .add(made));
        return made;
    }

    /** The topic of a queue, which may be one of a retry topic; empty where nobody has popped it in this process. */
    Optional<PopTopic> find(QueueKey queue) {
        return byName.getOrDefault(queue.topic(), Set.of()).stream()
                .filter(topic -> topic.group().equals(queue.group()))
                .findFirst();
    }

    /** The topic that a message of a queue belongs to, whether it is in a retry topic or not. */
    static String realTopic(QueueKey queue) {
        String retry = Names.popRetryTopic(queue.group(), "");
        String older = Names.oldPopRetryTopic(queue.group(), "");
        if (queue.topic().startsWith(retry)) {
            return queue.topic().substring(retry.length());
        }
        return queue.topic().startsWith(older) ? queue.topic().substring(older.length()) : queue.topic();
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

    /** Forgets a group that was deleted. */
    public void forgetGroup(String group) {
        topics.forEach((key, topic) -> {
            if (key.group.equals(group)) {
                topics.remove(key, topic);
                topic.names()
                        .forEach(name -> byName.computeIfPresent(name, (same, told) -> {
                            told.remove(topic);
                            return told.isEmpty() ? null : told;
                        }));
                topic.forget();
            }
        });
    }
}
