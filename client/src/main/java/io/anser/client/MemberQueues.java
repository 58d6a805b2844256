package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues that one member reads: takes them up at the right offset, with the broker's lock where messages are handled in
 * order, and gives them up with everything saved. Belongs to the member's own thread, except where a method says otherwise.
 */
final class MemberQueues {
    /** The broker keeps a lock for 60 seconds; we trust it a little less long, counted from before we asked. */
    private static final long LOCK_TRUST_NANOS = TimeUnit.SECONDS.toNanos(50);

    /** Two calls, one after the other. */
    private static final long OFFSET_WAIT_MILLIS = 2 * Remoting.CALL_TIMEOUT_MILLIS + 500;

    private static final Logger log = LoggerFactory.getLogger(MemberQueues.class);

    private final ConsumerSettings settings;
    private final Map<String, TagFilter> subscriptions;
    private final GroupCalls calls;
    private final FirstOffsets firstOffsets;
    private final OffsetSaver saver;
    private final Supplier<Delivery> deliveries;
    private final Clock clock;
    private final Scheduler scheduler;
    /** Runs a step on the member's own thread. */
    private final Executor ownThread;

    private final Map<MessageQueue, QueueFeed> feeds = new ConcurrentHashMap<>();
    /** Given up, but a handler may still work on one of its messages. */
    private final Map<MessageQueue, QueueFeed> leaving = new HashMap<>();

    /** Those of them that no handler works on any more. Added to by any thread; each feed is in it once at most. */
    private final Queue<QueueFeed> quiet = new ConcurrentLinkedQueue<>();

    /** Queues to go on elsewhere. Added to by any thread; each feed is in it once at most. */
    private final Queue<Move> moves = new ConcurrentLinkedQueue<>();

    private record Move(QueueFeed feed, long offset) {}

    MemberQueues(
            ConsumerSettings settings,
            Map<String, TagFilter> subscriptions,
            GroupCalls calls,
            FirstOffsets firstOffsets,
            Supplier<Delivery> deliveries,
            Clock clock,
            Scheduler scheduler,
            Executor ownThread) {
        this.settings = settings;
        this.subscriptions = subscriptions;
        this.calls = calls;
        this.firstOffsets = firstOffsets;
        this.saver = new OffsetSaver(settings, calls);
        this.deliveries = deliveries;
        this.clock = clock;
        this.scheduler = scheduler;
        this.ownThread = ownThread;
    }

    /** The queues as they are now. Any thread. */
    Set<MessageQueue> now() {
        return new TreeSet<>(feeds.keySet());
    }

    /**
     * Reads exactly these queues of a topic from now on.
     *
     * @return false if some have to wait: for another member's lock, or for a handler of ours that is still at them
     */
    boolean change(String topic, Collection<MessageQueue> mine) {
        giveUp(feeds.values().stream()
                .filter(feed -> feed.queue().topic().equals(topic) && !mine.contains(feed.queue()))
                .toList());
        // Not only as steps of their own: steps are dropped when too many wait.
        finishLeaving();
        finishMoves();
        Set<MessageQueue> fresh = new TreeSet<>(mine);
        fresh.removeAll(feeds.keySet());
        return takeUp(fresh);
    }

    private boolean takeUp(Set<MessageQueue> fresh) {
        Set<MessageQueue> free = new TreeSet<>(fresh);
        free.removeAll(leaving.keySet());
        long askedNanos = clock.nanos();
        Set<MessageQueue> ready =
                settings.takesLocks() && !free.isEmpty() ? calls.lock(free).granted() : free;
        return openAll(ready, askedNanos) && ready.size() == fresh.size();
    }

    /** Asks for all the offsets at a time: a member may have a thousand queues. Returns false if some are not known yet. */
    private boolean openAll(Set<MessageQueue> ready, long lockAskedNanos) {
        Map<MessageQueue, CompletableFuture<FirstOffsets.FirstOffset>> asked = new LinkedHashMap<>();
        ready.forEach(queue -> asked.put(queue, firstOffsets.find(queue)));
        List<QueueFeed> unsaved = new ArrayList<>();
        boolean all = true;
        for (Map.Entry<MessageQueue, CompletableFuture<FirstOffsets.FirstOffset>> each : asked.entrySet()) {
            try {
                FirstOffsets.FirstOffset first = Remoting.join(each.getValue(), OFFSET_WAIT_MILLIS);
                QueueFeed feed = open(each.getKey(), first.offset(), lockAskedNanos);
                if (first.saved()) {
                    feed.committed(first.offset());
                } else {
                    unsaved.add(feed);
                }
            } catch (AnserException e) {
                log.debug("first offset not known group={} reason={}", settings.group(), e.getMessage());
                all = false;
            }
        }
        // Saved at once: a restart must not begin elsewhere because nothing was handled in between.
        saver.save(unsaved);
        return all;
    }

    private QueueFeed open(MessageQueue queue, long from, long lockAskedNanos) {
        TagFilter filter = subscriptions.getOrDefault(queue.topic(), TagFilter.all());
        QueueFeed feed =
                new QueueFeed(queue, filter, from, settings, calls, deliveries.get(), clock, scheduler, this::moved);
        feed.handleUntil(lockAskedNanos + LOCK_TRUST_NANOS);
        feeds.put(queue, feed);
        log.info(
                "queue taken up group={} topic={} broker={} queue={} offset={}",
                settings.group(),
                queue.topic(),
                queue.brokerName(),
                queue.queueId(),
                from);
        feed.pull();
        return feed;
    }

    /** Stops queues that other members take over; a lock is given back when no handler works on its queue any more. */
    private void giveUp(List<QueueFeed> lost) {
        for (QueueFeed feed : lost) {
            MessageQueue queue = feed.queue();
            feed.stop();
            feeds.remove(queue);
            leaving.put(queue, feed);
            log.info(
                    "queue given up group={} topic={} broker={} queue={}",
                    settings.group(),
                    queue.topic(),
                    queue.brokerName(),
                    queue.queueId());
            feed.delivery().whenQuiet(() -> {
                quiet.add(feed);
                ownThread.execute(this::finishLeaving);
            });
        }
        // Before their next owners ask for them: what is done by now must not be done twice.
        saver.save(lost);
    }

    private void finishLeaving() {
        List<QueueFeed> left = new ArrayList<>();
        for (QueueFeed feed = quiet.poll(); feed != null; feed = quiet.poll()) {
            leaving.remove(feed.queue());
            left.add(feed);
        }
        saver.save(left);
        unlock(left.stream().map(QueueFeed::queue).toList());
    }

    /** The broker no longer has the offset: begin anew where it says. Network thread. */
    private void moved(QueueFeed feed, long offset) {
        moves.add(new Move(feed, offset));
        ownThread.execute(this::finishMoves);
    }

    private void finishMoves() {
        for (Move move = moves.poll(); move != null; move = moves.poll()) {
            QueueFeed feed = move.feed();
            if (feeds.get(feed.queue()) == feed) {
                feed.stop();
                saver.save(List.of(open(feed.queue(), move.offset(), clock.nanos())));
            }
        }
    }

    /**
     * Renews the locks of all queues.
     *
     * @return false if one was lost: another member may have had the queue meanwhile, so what we held of it is given up
     */
    boolean renewLocks() {
        if (feeds.isEmpty()) {
            return true;
        }
        long askedNanos = clock.nanos();
        GroupCalls.Locks locks = calls.lock(feeds.keySet());
        List<QueueFeed> lost = new ArrayList<>();
        for (QueueFeed feed : List.copyOf(feeds.values())) {
            if (locks.granted().contains(feed.queue())) {
                feed.handleUntil(askedNanos + LOCK_TRUST_NANOS);
            } else if (locks.refused().contains(feed.queue()) || !feed.mayHandle()) {
                lost.add(feed);
            }
        }
        giveUp(lost);
        return lost.isEmpty();
    }

    private void unlock(List<MessageQueue> queues) {
        if (settings.takesLocks()) {
            calls.unlock(queues);
        }
    }

    /** Saves the offsets of all queues. */
    void save() {
        saver.save(feeds.values());
    }

    /** Pulls no more from any queue. Any thread. */
    void stop() {
        feeds.values().forEach(QueueFeed::stop);
    }

    /** Saves and unlocks everything, for good. No handler may run any more. */
    void leave() {
        stop();
        List<QueueFeed> all = new ArrayList<>(feeds.values());
        all.addAll(leaving.values());
        feeds.clear();
        leaving.clear();
        saver.save(all);
        unlock(all.stream().map(QueueFeed::queue).toList());
    }
}
