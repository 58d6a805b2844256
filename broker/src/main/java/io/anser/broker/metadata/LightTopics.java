package io.anser.broker.metadata;

import io.anser.protocol.body.Perm;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.message.Names;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The topics behind light queues: each has one queue and is there as soon as somebody names it, without a record and unknown
 * to name servers. Messages of other topics are listed in them. Any thread.
 *
 * <p>Those with messages are always found, however many there are. Names that somebody only asked for are counted apart, so
 * that readers of names without messages take no place from senders.
 */
final class LightTopics {
    /** Most light queues of a broker; Apache's limit. As many more names without messages can be asked for. */
    static final int MAX_TOPICS = 20_000;

    /** Those with messages, and those that senders were let in to. */
    private final ConcurrentHashMap<String, Optional<Topic>> used = new ConcurrentHashMap<>();

    private final ConcurrentHashMap<String, Optional<Topic>> asked = new ConcurrentHashMap<>();
    private final QueueSource source;

    LightTopics(QueueSource source) {
        this.source = source;
    }

    /** Returns the topic of a light queue; empty for another name, one that is no name, and one too many without messages. */
    Optional<Topic> find(String name) {
        if (!Names.isLightQueue(name)) {
            return Optional.empty();
        }
        Optional<Topic> known = known(name);
        if (known.isPresent()) {
            return known;
        }
        // Two threads may each make the last one: a few more than the limit do no harm. Here and below.
        return asked.size() >= MAX_TOPICS || Names.checkTopic(name).isPresent()
                ? Optional.empty()
                : asked.computeIfAbsent(name, this::made);
    }

    /** The same for a message that asks to come in, which takes a place; empty when all are taken. */
    Optional<Topic> findForSend(String name) {
        if (!Names.isLightQueue(name)) {
            return Optional.empty();
        }
        Optional<Topic> known = used.get(name);
        if (known != null) {
            return known;
        }
        return used.size() >= MAX_TOPICS ? Optional.empty() : findForStored(name);
    }

    /** The same for a message that was let in before, which is never one too many. */
    Optional<Topic> findForStored(String name) {
        if (!Names.isLightQueue(name) || Names.checkTopic(name).isPresent()) {
            return Optional.empty();
        }
        Optional<Topic> found = used.computeIfAbsent(name, this::askedOrMade);
        asked.remove(name);
        return found;
    }

    private Optional<Topic> known(String name) {
        Optional<Topic> known = used.get(name);
        return known != null ? known : asked.getOrDefault(name, Optional.empty());
    }

    private Optional<Topic> askedOrMade(String name) {
        Optional<Topic> known = asked.get(name);
        return known != null ? known : made(name);
    }

    private Optional<Topic> made(String name) {
        TopicConfig config = new TopicConfig(name, 1, 1, Perm.READ | Perm.WRITE);
        // No record made it, so the queue of that name is its own whatever was dropped before.
        return Optional.of(new Topic(config, 0, Long.MAX_VALUE, source));
    }

    /** Forgets a topic that was deleted. */
    void forget(String name) {
        used.remove(name);
        asked.remove(name);
    }
}
