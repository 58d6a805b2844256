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
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of a consumer group: shows itself to the brokers and finds, in rounds, its share of the queues.
 *
 * <p>Membership belongs to the thread {@code anser-<group>}: timers, network and application threads only ask it to run a
 * step. There it may block, a few seconds at a time. When it has ended, the thread that closes the member is alone with it.
 */
final class GroupMember implements Consumer {
    private static final long ROUND_MILLIS = 20_000;
    private static final long COMMIT_MILLIS = 5_000;
    private static final long LOCK_MILLIS = 20_000;
    private static final long FIRST_AGAIN_MILLIS = 100;
    private static final long LONGEST_AGAIN_MILLIS = 1_000;
    private static final long START_WAIT_MILLIS = 3_000;
    private static final long HANDLER_WAIT_MILLIS = 10_000;
    private static final long ANSWER_WAIT_MILLIS = Remoting.CALL_TIMEOUT_MILLIS + 500;
    private static final int MOST_STEPS_WAITING = 256;

    private static final Logger log = LoggerFactory.getLogger(GroupMember.class);

    private final ConsumerSettings settings;
    private final String clientId;
    private final Scheduler scheduler;
    private final RouteCache routes;
    private final Heartbeats heartbeats;
    private final GroupCalls calls;
    private final FirstOffsets firstOffsets;
    private final MemberQueues queues;
    private final ConsumerData heartbeat;
    private final ExecutorService ownThread;
    private final HandlerThreads handlerThreads;
    private final Runnable whenClosed;

    /** The application's topics, then the group's retry topic. */
    private final Map<String, TagFilter> subscriptions;
    /** Brokers that know of this member; by the own thread only, as the four below. */
    private final Set<String> greeted = new HashSet<>();
    /** Topics with queues still to be found or taken up. */
    private final Set<String> unfinished = new LinkedHashSet<>();
    /** Topics about which there was an answer, if only that they do not exist. */
    private final Set<String> answered = new HashSet<>();

    private int unfinishedRounds;
    private Cancellable againSoon = () -> {};

    private final List<Cancellable> timers = new ArrayList<>();
    private final AtomicBoolean roundAsked = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch settled = new CountDownLatch(1);

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
        this.scheduler = scheduler;
        this.routes = routes;
        this.heartbeats = heartbeats;
        this.whenClosed = whenClosed;
        this.subscriptions = new LinkedHashMap<>(settings.topics());
        if (!settings.broadcasting()) {
            subscriptions.put(Names.retryTopic(settings.group()), TagFilter.all());
        }
        long version = clock.wallMillis();
        String name = "anser-" + settings.group();
        this.heartbeat = heartbeat(settings, subscriptions, version);
        this.ownThread = Threads.workers(name, 1, MOST_STEPS_WAITING, faults);
        this.handlerThreads = new HandlerThreads(name + "-handler", settings.concurrency(), faults);
        this.calls = new GroupCalls(settings, clientId, version, remoting, routes, heartbeats);
        this.firstOffsets = new FirstOffsets(settings, calls, new QueueOffsets(remoting, routes));
        this.queues = new MemberQueues(
                settings, subscriptions, calls, firstOffsets, deliveries(), clock, scheduler, this::onOwnThread);
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
        ConsumeFromWhere from = switch (settings.startFrom().kind()) {
            case START -> ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET;
            case END -> ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET;
            case TIME -> ConsumeFromWhere.CONSUME_FROM_TIMESTAMP;
        };
        MessageModel model = settings.broadcasting() ? MessageModel.BROADCASTING : MessageModel.CLUSTERING;
        return new ConsumerData(settings.group(), ConsumeType.CONSUME_PASSIVELY, model, from, wanted, false);
    }

    /** Joins the group; returns when the first queues are found or known to be missing, or after three seconds. */
    void start() {
        heartbeats.add(this);
        timers.add(scheduler.every(ROUND_MILLIS, this::roundSoon));
        timers.add(scheduler.every(COMMIT_MILLIS, () -> onOwnThread(queues::save)));
        if (settings.takesLocks()) {
            timers.add(scheduler.every(LOCK_MILLIS, () -> onOwnThread(this::renewLocks)));
        }
        roundSoon();
        try {
            if (!settled.await(START_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
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
        return queues.now();
    }

    /** What the client's heartbeats say of this member. */
    ConsumerData heartbeat() {
        return heartbeat;
    }

    /** Shares the queues out anew shortly: members have come or gone, or a route has changed. Any thread. */
    void roundSoon() {
        if (roundAsked.compareAndSet(false, true)) {
            onOwnThread(() -> {
                roundAsked.set(false);
                round(subscriptions.keySet());
            });
        }
    }

    /** A route has changed: a round is due if it is one of ours. Any thread. */
    void routeChanged(String topic) {
        if (subscriptions.containsKey(topic)) {
            roundSoon();
        }
    }

    private void onOwnThread(Runnable step) {
        try {
            ownThread.execute(() -> run(step));
        } catch (RejectedExecutionException e) {
            // Closed, or so many steps wait that the brokers cannot be answering; then the timers ask again.
            roundAsked.set(false);
        }
    }

    private void run(Runnable step) {
        try {
            if (!closed.get()) {
                step.run();
            }
        } catch (AnserException e) {
            log.warn("step not finished group={} reason={}", group(), e.getMessage());
        }
    }

    private void round(Collection<String> topics) {
        for (String topic : List.copyOf(topics)) {
            unfinished.add(topic);
            try {
                if (share(topic)) {
                    unfinished.remove(topic);
                }
            } catch (AnserException e) {
                log.debug("round not finished group={} topic={} reason={}", group(), topic, e.getMessage());
            }
        }
        if (answered.containsAll(settings.topics().keySet())) {
            settled.countDown();
        }
        againSoon.cancel();
        if (unfinished.isEmpty()) {
            unfinishedRounds = 0;
        } else {
            long wait = Math.min(LONGEST_AGAIN_MILLIS, FIRST_AGAIN_MILLIS << Math.min(unfinishedRounds, 10));
            unfinishedRounds++;
            againSoon = scheduler.schedule(wait, () -> onOwnThread(() -> round(unfinished)));
        }
    }

    /** Finds this member's queues of one topic and reads them. Returns false if something is left to do soon. */
    private boolean share(String topic) {
        Route route = route(topic);
        firstOffsets.seen(topic, route.readable());
        greet(route);
        boolean all = queues.change(topic, settings.broadcasting() ? route.readable() : myShare(route));
        answered.add(topic);
        return all;
    }

    private Route route(String topic) {
        try {
            return Remoting.join(routes.find(topic), START_WAIT_MILLIS);
        } catch (AnserException e) {
            if (e.code() == ResponseCode.TOPIC_NOT_EXIST) {
                answered.add(topic);
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

    private void renewLocks() {
        if (!queues.renewLocks()) {
            roundSoon();
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        timers.forEach(Cancellable::cancel);
        queues.stop();
        try {
            ownThread.shutdownNow();
            if (!ownThread.awaitTermination(ANSWER_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                log.warn("own thread still runs group={}", group());
            }
            againSoon.cancel();
            if (!handlerThreads.close(HANDLER_WAIT_MILLIS)) {
                log.warn("handlers still run after {} ms group={}", HANDLER_WAIT_MILLIS, group());
            }
            queues.leave();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (AnserException e) {
            log.warn("offsets not saved at the end group={} reason={}", group(), e.getMessage());
        }
        unregister();
        whenClosed.run();
    }

    /** Last of all: others take over the queues at once, and must find the offsets saved. */
    private void unregister() {
        try {
            Remoting.join(heartbeats.remove(this), ANSWER_WAIT_MILLIS);
        } catch (AnserException e) {
            log.warn("group not left cleanly group={} reason={}", group(), e.getMessage());
        }
    }
}
