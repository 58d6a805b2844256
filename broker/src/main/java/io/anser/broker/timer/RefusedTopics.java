package io.anser.broker.timer;

import io.anser.broker.metadata.PendingTimer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The topics whose messages the log has no room for. One timer of each asks again from time to time, the others wait until it
 * gets through: so a topic costs one attempt at a time, however many of its timers are due. Any thread.
 */
final class RefusedTopics {
    /** Most waiting timers that are remembered, of all topics together. */
    static final int WAITING_MAX = 65_536;

    private final Map<String, Waiting> topics = new HashMap<>();
    private final Map<PendingTimer, String> askers = new HashMap<>();
    private int remembered;
    private volatile boolean empty = true;

    /** The timers of one topic. */
    private static final class Waiting {
        private final PendingTimer asker;
        private final Set<PendingTimer> others = new HashSet<>();
        private boolean moreThanRemembered;

        Waiting(PendingTimer asker) {
            this.asker = asker;
        }
    }

    /**
     * Timers to be tried now.
     *
     * @param timers those that are remembered
     * @param andMore whether there are others, which only a look at all due timers finds
     */
    record Released(Set<PendingTimer> timers, boolean andMore) {}

    RefusedTopics() {}

    /** Whether every topic has room, as far as is known. */
    boolean isEmpty() {
        return empty;
    }

    /**
     * Takes note that the message of a timer was refused.
     *
     * @return whether this is the timer that asks again for its topic
     */
    synchronized boolean add(String topic, PendingTimer timer) {
        if (!topics.containsKey(topic)) {
            topics.put(topic, new Waiting(timer));
            askers.put(timer, topic);
            empty = false;
        }
        return !holdsBack(topic, timer);
    }

    /** Whether a timer has to wait until another one of its topic gets through; it is remembered then. */
    synchronized boolean holdsBack(String topic, PendingTimer timer) {
        Waiting waiting = topics.get(topic);
        if (waiting == null || waiting.asker.equals(timer)) {
            return false;
        }
        if (remembered == WAITING_MAX) {
            waiting.moreThanRemembered |= !waiting.others.contains(timer);
        } else if (waiting.others.add(timer)) {
            remembered++;
        }
        return true;
    }

    /**
     * Takes note that a timer has got through, or asks no more.
     *
     * @return the other timers of its topic, if it was the one that asked for them
     */
    Optional<Released> release(PendingTimer timer) {
        return empty ? Optional.empty() : releaseOne(timer);
    }

    private synchronized Optional<Released> releaseOne(PendingTimer timer) {
        String topic = askers.remove(timer);
        if (topic == null) {
            return Optional.empty();
        }
        Waiting waiting = topics.remove(topic);
        empty = topics.isEmpty();
        if (waiting == null) {
            return Optional.empty();
        }
        remembered -= waiting.others.size();
        return Optional.of(new Released(waiting.others, waiting.moreThanRemembered));
    }
}
