package io.anser.broker.pop;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.MessageType;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.Topic;
import io.anser.broker.read.ColdReads;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A topic as a group pops it: its queues, those of the group's retry topics for it, and who waits for messages. Any thread.
 */
final class PopTopic {
    /** Every how many pops the retry topics come first: they get their turn, and no more, while the topic has a backlog. */
    private static final int RETRY_TURN = 5;
    /** Most queues that one look takes something of, be it only that a hole is passed over: all of it is one change. */
    private static final int MAX_TAKES = Proposals.MAX_CHANGES / Lease.MAX_MESSAGES;

    private final String group;
    private final BrokerState state;
    private final PopReader reader;
    private final PopLimits limits;
    private final List<Section> sections;
    private final WaitLine line = new WaitLine();
    private final AtomicInteger turns = new AtomicInteger();
    private volatile boolean gone;
    private volatile boolean left;

    PopTopic(String group, String topic, BrokerState state, PopReader reader, PopLimits limits) {
        this.group = group;
        this.state = state;
        this.reader = reader;
        this.limits = limits;
        this.sections = List.of(
                new Section(topic, 0),
                new Section(Names.popRetryTopic(group, topic), 2),
                new Section(Names.oldPopRetryTopic(group, topic), 1));
    }

    /**
     * What a look has taken.
     *
     * @param takes from each queue
     * @param cold whether there are messages that may have to be waited for
     * @param left whether there are messages that only others of the group want
     * @param early whether the look passed over as many messages as one look may, and there are more
     */
    record Taken(List<Take> takes, boolean cold, boolean left, boolean early) {
        boolean isEmpty() {
            return takes.stream().allMatch(take -> take.size() == 0);
        }
    }

    /** The names of the topics that it looks into. */
    List<String> names() {
        return sections.stream().map(section -> section.name).toList();
    }

    String group() {
        return group;
    }

    /** The topic or the group was deleted: whoever still waits is to be refused, for what comes after has another object. */
    void forget() {
        gone = true;
        line.signal();
    }

    boolean isGone() {
        return gone;
    }

    /** The broker's role has changed: whoever waits is to ask again, for what comes after has another object. */
    void leave() {
        left = true;
        line.signal();
    }

    boolean isLeft() {
        return left;
    }

    WaitLine line() {
        return line;
    }

    /** A queue; empty where nobody has looked into it since the process started. */
    Optional<PopQueue> looked(QueueKey key) {
        for (Section section : sections) {
            List<PopQueue> known = section.known(); // in the order of their ids
            if (section.name.equals(key.topic()) && key.queueId() < known.size()) {
                return Optional.of(known.get(key.queueId()));
            }
        }
        return Optional.empty();
    }

    /** The queues in which the group has no place yet. */
    List<PopQueue> notStarted(PopWish wish) {
        List<PopQueue> found = new ArrayList<>();
        for (PopQueue queue : sections.get(0).queues()) {
            if (wish.includes(queue.key().queueId()) && !queue.isStarted()) {
                found.add(queue);
            }
        }
        return found;
    }

    /** Takes what is there for a wish, from as many queues as need be. */
    Taken take(PopWish wish, long nowMillis, boolean mayWait) {
        Look look = new Look(wish, nowMillis, mayWait);
        try {
            look(look, wish);
            if (mayWait) {
                look.takes.forEach(take -> ColdReads.touch(take.messages()));
            }
        } catch (RuntimeException | Error e) {
            look.takes.forEach(Take::undo);
            line.signal();
            throw e;
        }
        if (look.tell) {
            line.signal();
        }
        return new Taken(look.takes, look.cold, look.left, look.early);
    }

    /** Brings into memory what lies behind that which a look has taken. Waits for the device. */
    void readAhead(Taken taken) {
        for (Take take : taken.takes()) {
            try {
                reader.readAhead(take.queue().log(), take.change().until());
            } catch (StoreException expired) {
                // Nobody has asked for it; whoever does is told.
            }
        }
    }

    private void look(Look look, PopWish wish) {
        int turn = turns.getAndIncrement() & Integer.MAX_VALUE;
        boolean retriesFirst = turn % RETRY_TURN == 0;
        if (retriesFirst && !wish.order()) {
            look.into(sections.get(1), turn, false);
            look.into(sections.get(2), turn, false);
        }
        look.into(sections.get(0), turn, true);
        if (!retriesFirst && !wish.order()) {
            look.into(sections.get(1), turn, false);
            look.into(sections.get(2), turn, false);
        }
    }

    /** Whether a look may find something. */
    boolean mayHave(PopWish wish, long nowMillis) {
        for (Section section : sections) {
            for (PopQueue queue : section.queues()) {
                boolean asked = section.mark == 0 ? wish.includes(queue.key().queueId()) : !wish.order();
                if (asked && queue.mayHave(wish, nowMillis)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** About how many messages were not popped yet. */
    long rest() {
        long rest = 0;
        for (Section section : sections) {
            for (PopQueue queue : section.known()) {
                rest += queue.rest();
            }
        }
        return rest;
    }

    /** The queues that were looked into since the process started. */
    List<PopQueue> queues() {
        return sections.stream().flatMap(section -> section.known().stream()).toList();
    }

    /** One look on behalf of one pop. */
    private final class Look {
        private final PopWish wish;
        private final long nowMillis;
        private final Reading reading;
        private final List<Take> takes = new ArrayList<>(2);
        private boolean cold;
        private boolean left;
        private boolean early;
        private boolean tell;

        Look(PopWish wish, long nowMillis, boolean mayWait) {
            this.wish = wish;
            this.nowMillis = nowMillis;
            this.reading = reader.begin(wish, limits.maxBytes(), mayWait);
        }

        void into(Section section, int turn, boolean chosen) {
            List<PopQueue> queues = section.queues();
            for (int i = 0; i < queues.size() && reading.mayTakeMore(); i++) {
                PopQueue queue = queues.get(section.place(turn, i, queues.size()));
                boolean asked = !chosen || wish.includes(queue.key().queueId());
                if (asked && queue.mayHave(wish, nowMillis)) {
                    if (!reading.mayLookOn() || takes.size() == MAX_TAKES) {
                        early = true; // the next look begins at another queue
                        return;
                    }
                    into(queue);
                }
            }
        }

        private void into(PopQueue queue) {
            if (!queue.acquire()) {
                return;
            }
            try {
                Optional<Take> take = queue.take(wish, reading, nowMillis);
                cold |= queue.endedCold();
                left |= queue.endedAtOthers();
                early |= queue.endedEarly();
                take.ifPresent(this::add);
            } finally {
                tell |= queue.release();
            }
        }

        private void add(Take take) {
            takes.add(take);
            early |= take.size() == 0; // it has passed over a hole, and what is behind was not looked at
            reading.took(take.size(), take.messages().readableBytes());
        }
    }

    /** The topic itself, or one of the retry topics, which may not exist. */
    private final class Section {
        private final String name;
        private final int mark;
        private volatile @Nullable Topic known;
        private volatile List<PopQueue> queues = List.of();

        Section(String name, int mark) {
            this.name = name;
            this.mark = mark;
        }

        List<PopQueue> known() {
            return queues;
        }

        /** Which queue comes as the i-th: each is the first in its turn, but where the number of a queue is a priority. */
        int place(int turn, int i, int count) {
            Topic topic = known;
            boolean byPriority = topic != null && topic.messageType() == MessageType.PRIORITY;
            return byPriority ? count - 1 - i : (turn + i) % count;
        }

        List<PopQueue> queues() {
            Topic now = state.topics().find(name).orElse(null);
            return now == known ? queues : follow(now);
        }

        /** One thread makes the queues, so that there is one object for each. */
        private synchronized List<PopQueue> follow(@Nullable Topic now) {
            if (now != known) {
                List<PopQueue> next = new ArrayList<>();
                int count = now == null ? 0 : now.config().readQueueNums();
                for (int id = 0; id < count && now != null; id++) {
                    next.add(queue(now.queue(id)));
                }
                queues = List.copyOf(next);
                known = now;
            }
            return queues;
        }

        private PopQueue queue(QueueLog log) {
            for (PopQueue queue : queues) {
                if (queue.log() == log) {
                    return queue;
                }
            }
            QueueKey key = new QueueKey(group, name, log.queueId());
            return new PopQueue(key, mark, log, state.leases(), state.offsets(), reader, limits);
        }
    }
}
