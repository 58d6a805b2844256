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
 * <p>Those with messages are always found, however many there are. Names that somebody only asked for take no place from
 * senders; beyond {@link #MAX_ASKED} of them a name is answered with an empty queue that is not kept, so that nobody's names
 * are in the way of others'.
 */
final class LightTopics {
    /** Most names without messages whose queues are kept for those who ask for them. */
    static final int MAX_ASKED = 20_000;

    /** Those with messages, and those that messages are on their way to. */
    private final ConcurrentHashMap<String, Optional<Topic>> used = new ConcurrentHashMap<>();

    private final ConcurrentHashMap<String, Optional<Topic>> asked = new ConcurrentHashMap<>();
    private final QueueSource source;

    LightTopics(QueueSource source) {
        this.source = source;
    }

    /** Returns the topic of a light queue; empty for another name and one that is no name. */
    Optional<Topic> find(String name) {
        if (!Names.isLightQueue(name)) {
            return Optional.empty();
        }
        Optional<Topic> known = known(name);
        if (known.isPresent() || Names.checkTopic(name).isPresent()) {
            return known;
        }
        // Two threads may each make the last one: a few more than the limit do no harm. Here and below.
        return asked.size() < MAX_ASKED
                ? asked.computeIfAbsent(name, this::made)
                : Optional.of(made(name, source::usedOrEmpty));
    }

    /** The same for a message that asks to come in; empty when all places are taken, of which it takes none yet. */
    Optional<Topic> findForSend(String name) {
        if (!Names.isLightQueue(name)) {
            return Optional.empty();
        }
        Optional<Topic> known = used.get(name);
        if (known != null) {
            return known;
        }
        return used.size() >= TopicTable.MAX_LIGHT_QUEUES
                        || Names.checkTopic(name).isPresent()
                ? Optional.empty()
                : askedOrMade(name);
    }

    /** Takes a place for a message that is about to be appended, where its queue has none; false if all are taken. */
    boolean admit(String name) {
        return used.containsKey(name)
                || (used.size() < TopicTable.MAX_LIGHT_QUEUES
                        && findForStored(name).isPresent());
    }

    /** Gives the place back that an append took which failed, if no message has come meanwhile. */
    void leave(String name) {
        // One that becomes visible just now is counted again when its queue is sent to the next time.
        used.computeIfPresent(
                name,
                (same, topic) ->
                        topic.filter(kept -> kept.queue(0).maxOffset() > 0).isPresent() ? topic : null);
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
        return Optional.of(made(name, source));
    }

    private static Topic made(String name, QueueSource queues) {
        TopicConfig config = new TopicConfig(name, 1, 1, Perm.READ | Perm.WRITE);
        // No record made it, so the queue of that name is its own whatever was dropped before.
        return new Topic(config, 0, Long.MAX_VALUE, queues);
    }

    /** Forgets a topic that was deleted. */
    void forget(String name) {
        used.remove(name);
        asked.remove(name);
    }
}
