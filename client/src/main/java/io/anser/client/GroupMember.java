package io.anser.client;

import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.ConsumeType;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.Names;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.Scheduler;
import io.anser.system.Threads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of a consumer group: finds its share of the queues, feeds them to the handler, commits what is done.
 *
 * <p>Membership belongs to the thread {@code anser-<group>}: timers, network and application threads only ask it to run a
 * step. There it may block, a few seconds at a time.
 */
final class GroupMember implements Consumer {
    static final long ROUND_MILLIS = 20_000;
    static final long COMMIT_MILLIS = 5_000;
    static final long LOCK_MILLIS = 20_000;
    /** The broker keeps a lock for 60 seconds; we trust it a little less long, counted from before we asked. */
    static final long LOCK_TRUST_NANOS = TimeUnit.SECONDS.toNanos(50);

    private static final long UNFINISHED_ROUND_MILLIS = 1_000;
    private static final long START_WAIT_MILLIS = 3_000;
    private static final long HANDLER_WAIT_MILLIS = 10_000;
    private static final long CLOSE_WAIT_MILLIS = 20_000;
    private static final long ANSWER_WAIT_MILLIS = Remoting.CALL_TIMEOUT_MILLIS + 500;
    private static final int MOST_STEPS_WAITING = 256;

    private static final Logger log = LoggerFactory.getLogger(GroupMember.class);

    private final ConsumerSettings settings;
    private final String clientId;
    private final Clock clock;
    private final Scheduler scheduler;
    private final RouteCache routes;
    private final Heartbeats heartbeats;
    private final GroupCalls calls;
    private final FirstOffsets firstOffsets;
    private final ConsumerData heartbeat;
    private final ExecutorService ownThread;
    private final HandlerThreads handlerThreads;
    private final Supplier<Delivery> deliveries;
    private final Runnable whenClosed;

    private final Map<String, TagFilter> subscriptions;
    /** Written by the own thread only. */
    private final Map<MessageQueue, QueueFeed> feeds = new ConcurrentHashMap<>();
    /** Given up, but a handler still works on one of its messages; by the own thread only. */
    private final Set<MessageQueue> leaving = new HashSet<>();
    /** Brokers that know of this member, by the own thread only. */
    private final Set<String> greeted = new HashSet<>();

    private final List<Cancellable> timers = new ArrayList<>();
    private final AtomicBoolean roundAsked = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch firstRound = new CountDownLatch(1);
    private Cancellable nextRound = () -> {};

    GroupMember(
            ConsumerSettings settings,
            String clientId,
            Remoting remoting,
            RouteCache routes,
            Heartbeats heartbeats,
            Clock clock,
            Scheduler scheduler,
            FaultHandler faults,
            Runnable whenClosed) {
        this.settings = settings;
        this.clientId = clientId;
        this.clock = clock;
        this.scheduler = scheduler;
        this.routes = routes;
        this.heartbeats = heartbeats;
        this.whenClosed = whenClosed;
        this.subscriptions = new TreeMap<>(settings.topics());
        if (!settings.broadcasting()) {
            subscriptions.put(Names.retryTopic(settings.group()), TagFilter.all());
        }
        long version = clock.wallMillis();
        this.heartbeat = heartbeat(settings, subscriptions, version);
        this.calls = new GroupCalls(settings, clientId, version, remoting, routes, heartbeats);
        this.firstOffsets = new FirstOffsets(settings, calls, new QueueOffsets(remoting, routes));
        this.ownThread = Threads.workers("anser-" + settings.group(), 1, MOST_STEPS_WAITING, faults);
        this.handlerThreads =
                new HandlerThreads("anser-" + settings.group() + "-handler", settings.concurrency(), faults);
        this.deliveries = deliveries();
    }

    private Supplier<Delivery> deliveries() {
        GuardedHandler handler = new GuardedHandler(settings.group(), settings.handler());
        if (settings.orderly()) {
            return () -> new OrderedDelivery(settings, handler, handlerThreads, calls, scheduler);
        }
        Delivery shared = new ConcurrentDelivery(settings, handler, handlerThreads, calls, scheduler);
        return () -> shared;
    }

    private static ConsumerData heartbeat(
            ConsumerSettings settings, Map<String, TagFilter> subscriptions, long version) {
        List<SubscriptionData> wanted = new ArrayList<>();
        subscriptions.forEach(
                (topic, filter) -> wanted.add(SubscriptionData.ofTags(topic, filter.expression(), version)));
        return new ConsumerData(
                settings.group(),
                ConsumeType.CONSUME_PASSIVELY,
                settings.broadcasting() ? MessageModel.BROADCASTING : MessageModel.CLUSTERING,
                switch (settings.startFrom().kind()) {
                    case START -> ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET;
                    case END -> ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET;
                    case TIME -> ConsumeFromWhere.CONSUME_FROM_TIMESTAMP;
                },
                wanted,
                false);
    }

    /** Joins the group; returns when the first queues are found, or after three seconds. */
    void start() {
        heartbeats.add(this);
        timers.add(scheduler.every(COMMIT_MILLIS, () -> onOwnThread(this::commit)));
        if (settings.takesLocks()) {
            timers.add(scheduler.every(LOCK_MILLIS, () -> onOwnThread(this::renewLocks)));
        }
        roundSoon();
        try {
            if (!firstRound.await(START_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                log.warn("consumer started without queues yet group={} topics={}", group(), settings.topics());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String group() {
        return settings.group();
    }

    @Override
    public Set<MessageQueue> queues() {
        return new TreeSet<>(feeds.keySet());
    }

    /** What the client's heartbeats say of this member. */
    ConsumerData heartbeat() {
        return heartbeat;
    }

    /** Shares the queues out anew shortly: members have come or gone, or a route has changed. Any thread. */
    void roundSoon() {
        if (roundAsked.compareAndSet(false, true)) {
            onOwnThread(this::round);
        }
    }

    /** A route has changed: a round is due if it is one of ours. Any thread. */
    void routeChanged(String topic) {
        if (subscriptions.containsKey(topic)) {
            roundSoon();
        }
    }

    private void onOwnThread(Runnable step) {
        if (closed.get()) {
            return;
        }
        try {
            ownThread.execute(step);
        } catch (RejectedExecutionException e) {
            // So many steps wait that the brokers cannot be answering; the timers ask again.
            roundAsked.set(false);
        }
    }

    private void round() {
        roundAsked.set(false);
        boolean complete = true;
        for (String topic : subscriptions.keySet()) {
            try {
                complete &= share(topic);
            } catch (AnserException e) {
                log.debug("round not finished group={} topic={} reason={}", group(), topic, e.getMessage());
                complete = false;
            }
        }
        if (complete) {
            firstRound.countDown();
        }
        nextRound.cancel();
        nextRound = scheduler.schedule(complete ? ROUND_MILLIS : UNFINISHED_ROUND_MILLIS, this::roundSoon);
    }

    /** Takes up and gives up queues of one topic. Returns false if something is left to do soon. */
    private boolean share(String topic) {
        Route route = route(topic);
        firstOffsets.seen(topic, route.readable());
        greet(route);
        Set<MessageQueue> mine = new TreeSet<>(settings.broadcasting() ? route.readable() : myShare(route));
        for (QueueFeed feed : List.copyOf(feeds.values())) {
            if (feed.queue().topic().equals(topic) && !mine.contains(feed.queue())) {
                giveUp(feed);
            }
        }
        mine.removeAll(feeds.keySet());
        return takeUp(topic, mine);
    }

    private Route route(String topic) {
        try {
            return Remoting.join(routes.find(topic), START_WAIT_MILLIS);
        } catch (AnserException e) {
            if (e.code() == ResponseCode.TOPIC_NOT_EXIST) {
                firstOffsets.seen(topic, List.of());
            }
            throw e;
        }
    }

    /** Tells brokers of this member before it asks them for anything. */
    private void greet(Route route) {
        Set<String> addresses = new HashSet<>();
        route.brokers().values().forEach(ids -> addresses.addAll(ids.values()));
        if (!greeted.containsAll(addresses)) {
            Remoting.join(heartbeats.beat(), ANSWER_WAIT_MILLIS);
            greeted.addAll(addresses);
        }
    }

    private List<MessageQueue> myShare(Route route) {
        List<String> members = calls.members(route);
        if (!members.contains(clientId)) {
            // The broker has lost sight of us, so others have our queues: show ourselves before we believe it.
            Remoting.join(heartbeats.beat(), ANSWER_WAIT_MILLIS);
            members = calls.members(route);
        }
        return AverageShare.of(route.readable(), members, clientId);
    }

    private boolean takeUp(String topic, Set<MessageQueue> queues) {
        queues.removeAll(leaving);
        long askedNanos = clock.nanos();
        Set<MessageQueue> ready = settings.takesLocks() && !queues.isEmpty() ? calls.lock(queues) : queues;
        for (MessageQueue queue : ready) {
            OptionalLong saved = firstOffsets.saved(queue);
            long from = saved.isPresent() ? saved.getAsLong() : firstOffsets.initial(queue);
            QueueFeed feed = open(queue, from, askedNanos);
            if (saved.isPresent()) {
                feed.committed(from);
            } else {
                // Saved at once: a restart must not begin elsewhere because nothing was handled in between.
                save(List.of(feed));
            }
        }
        return feeds.keySet().containsAll(queues)
                && leaving.stream().noneMatch(q -> q.topic().equals(topic));
    }

    private QueueFeed open(MessageQueue queue, long from, long lockAskedNanos) {
        TagFilter filter = subscriptions.getOrDefault(queue.topic(), TagFilter.all());
        QueueFeed feed =
                new QueueFeed(queue, filter, from, settings, calls, deliveries.get(), clock, scheduler, this::moved);
        feed.handleUntil(lockAskedNanos + LOCK_TRUST_NANOS);
        feeds.put(queue, feed);
        log.info(
                "queue taken up group={} topic={} broker={} queue={} offset={}",
                group(),
                queue.topic(),
                queue.brokerName(),
                queue.queueId(),
                from);
        feed.pull();
        return feed;
    }

    /** Stops a queue that another member takes over; its lock is given back when no handler works on it any more. */
    private void giveUp(QueueFeed feed) {
        MessageQueue queue = feed.queue();
        feed.stop();
        feeds.remove(queue);
        leaving.add(queue);
        log.info(
                "queue given up group={} topic={} broker={} queue={}",
                group(),
                queue.topic(),
                queue.brokerName(),
                queue.queueId());
        feed.delivery()
                .whenQuiet(() -> onOwnThread(() -> {
                    save(List.of(feed));
                    unlock(List.of(queue));
                    leaving.remove(queue);
                }));
    }

    /** The broker no longer has the offset: begin anew where it says. Network thread. */
    private void moved(QueueFeed feed, long offset) {
        onOwnThread(() -> {
            if (feeds.get(feed.queue()) == feed) {
                feed.stop();
                save(List.of(open(feed.queue(), offset, clock.nanos())));
            }
        });
    }

    private void renewLocks() {
        if (feeds.isEmpty()) {
            return;
        }
        long askedNanos = clock.nanos();
        Set<MessageQueue> locked = calls.lock(feeds.keySet());
        for (QueueFeed feed : List.copyOf(feeds.values())) {
            if (locked.contains(feed.queue())) {
                feed.handleUntil(askedNanos + LOCK_TRUST_NANOS);
            } else if (!feed.mayHandle()) {
                // Another member may have had the queue meanwhile: what we hold of it is out of date.
                giveUp(feed);
                roundSoon();
            }
        }
    }

    private void unlock(List<MessageQueue> queues) {
        if (settings.takesLocks()) {
            calls.unlock(queues);
        }
    }

    private void commit() {
        save(List.copyOf(feeds.values()));
    }

    /** Saves the offsets that have moved since they were last saved; waits for the brokers' answers. */
    private void save(List<QueueFeed> some) {
        Map<MessageQueue, Long> kept = new HashMap<>();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (QueueFeed feed : some) {
            long offset = feed.committable();
            if (offset == feed.committed()) {
                continue;
            }
            if (settings.broadcasting()) {
                kept.put(feed.queue(), offset);
                feed.committed(offset);
            } else {
                answers.add(calls.commit(feed.queue(), offset).handle((reply, failure) -> {
                    if (failure == null) {
                        feed.committed(offset);
                    } else {
                        log.warn("offset not committed group={} reason={}", group(), failure.getMessage());
                    }
                    return reply;
                }));
            }
        }
        if (!kept.isEmpty()) {
            settings.offsetStore().save(kept);
        }
        if (!answers.isEmpty()) {
            Remoting.join(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)), ANSWER_WAIT_MILLIS);
        }
    }

    @Override
    public void close() {
        CompletableFuture<Void> left = new CompletableFuture<>();
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        timers.forEach(Cancellable::cancel);
        feeds.values().forEach(QueueFeed::stop);
        ownThread.execute(() -> {
            leave();
            left.complete(null);
        });
        ownThread.shutdown();
        try {
            Remoting.join(left, CLOSE_WAIT_MILLIS);
        } catch (AnserException e) {
            log.warn("consumer closed before all was told to the brokers group={} reason={}", group(), e.getMessage());
        }
        whenClosed.run();
    }

    private void leave() {
        nextRound.cancel();
        feeds.values().forEach(QueueFeed::stop);
        try {
            if (!handlerThreads.close(HANDLER_WAIT_MILLIS)) {
                log.warn("handlers still run after {} ms group={}", HANDLER_WAIT_MILLIS, group());
            }
            save(List.copyOf(feeds.values()));
            unlock(List.copyOf(feeds.keySet()));
            Remoting.join(heartbeats.remove(this), ANSWER_WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (AnserException e) {
            log.warn("group not left cleanly group={} reason={}", group(), e.getMessage());
        }
        feeds.clear();
    }
}
