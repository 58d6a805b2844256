package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.UniqueId;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Reply;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends messages: takes a place in the window, then lets {@link SendAttempts} find a broker. Thread-safe.
 *
 * <p>When the window is full a sender waits, up to its deadline: that is how a slow broker slows its producers. A network
 * thread must not wait (it would wait for itself), so there the send fails at once.
 */
final class Sender {
    /** How long other brokers are preferred over one that did not answer. */
    private static final long AVOID_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Remoting remoting;
    private final RouteCache routes;
    private final ClientSettings settings;
    private final Clock clock;
    private final Scheduler scheduler;
    private final UniqueId ids;
    private final SendWindow window;
    private final AtomicInteger turn = new AtomicInteger();
    /** Brokers that gave no answer lately, and until when to prefer others. */
    private final Map<String, Long> avoidedUntilNanos = new ConcurrentHashMap<>();

    /** Parcels between two attempts, which only the timer would wake. */
    private final Set<SendAttempts> pausing = ConcurrentHashMap.newKeySet();

    private volatile boolean used;
    private volatile boolean closed;

    Sender(
            Remoting remoting,
            RouteCache routes,
            ClientSettings settings,
            Clock clock,
            Scheduler scheduler,
            UniqueId ids) {
        this.remoting = remoting;
        this.routes = routes;
        this.settings = settings;
        this.clock = clock;
        this.scheduler = scheduler;
        this.ids = ids;
        this.window = new SendWindow(settings.maxInFlightMessages(), settings.maxInFlightBytes());
    }

    CompletableFuture<SendReceipt> send(Message message) {
        return deliver(Parcel.of(message, ids.next(), clock.wallMillis(), settings.compressAboveBytes()))
                .thenApply(receipts -> receipts.get(0));
    }

    CompletableFuture<List<SendReceipt>> sendBatch(List<Message> messages) {
        return deliver(Parcel.ofBatch(messages, ids::next, clock.wallMillis()));
    }

    /** Sends without waiting for an answer, once; returns when the request was handed to the network. */
    void sendOneWay(Message message) {
        Parcel parcel = Parcel.of(message, ids.next(), clock.wallMillis(), settings.compressAboveBytes());
        enter(parcel);
        routes.findForSending(parcel.topic())
                .thenCompose(route -> handOver(parcel, route))
                .whenComplete((done, failure) -> window.leave(parcel.bytes()));
        used = true;
    }

    private CompletableFuture<Void> handOver(Parcel parcel, Route route) {
        Optional<MessageQueue> queue =
                parcel.orderKey().isPresent() && !route.writable().isEmpty()
                        ? Optional.of(QueueChoice.forOrderKey(
                                route.writable(), parcel.orderKey().get()))
                        : choose(route, Set.of());
        Optional<String> address = queue.flatMap(chosen -> route.master(chosen.brokerName()));
        if (queue.isEmpty() || address.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return remoting.oneWay(address.get(), parcel.code(), header(parcel, queue.get()), parcel.body());
    }

    private CompletableFuture<List<SendReceipt>> deliver(Parcel parcel) {
        long deadline = deadlineNanos();
        enter(parcel);
        used = true;
        CompletableFuture<List<SendReceipt>> sent = new SendAttempts(this, parcel, deadline).start();
        // The place is free before the application's own stages run, so that one of those may send again.
        return sent.whenComplete((receipts, failure) -> window.leave(parcel.bytes()));
    }

    private void enter(Parcel parcel) {
        if (closed) {
            throw new AnserException(AnserException.CLOSED, true, parcel + " not sent: the client is closed");
        }
        if (window.tryEnter(parcel.bytes())) {
            return;
        }
        boolean mayWait = !(Thread.currentThread() instanceof FastThreadLocalThread);
        if (!mayWait || !await(parcel)) {
            throw new AnserException(
                    AnserException.WINDOW_FULL,
                    true,
                    parcel + " not sent: " + settings.maxInFlightMessages() + " messages or "
                            + settings.maxInFlightBytes() + " bytes wait for an answer already");
        }
    }

    private boolean await(Parcel parcel) {
        try {
            return window.enter(parcel.bytes(), settings.sendTimeout().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AnserException(
                    AnserException.WINDOW_FULL, true, parcel + " not sent: interrupted while waiting", e);
        }
    }

    /** The next queue in turn, at a broker that neither failed this message nor was silent lately if there is one. */
    Optional<MessageQueue> choose(Route route, Set<String> failedBrokers) {
        if (route.writable().isEmpty()) {
            return Optional.empty();
        }
        int number = turn.getAndIncrement();
        if (failedBrokers.isEmpty() && avoidedUntilNanos.isEmpty()) {
            return QueueChoice.inTurn(route.writable(), number, Set.of());
        }
        Set<String> avoided = new HashSet<>(failedBrokers);
        long now = nanos();
        avoidedUntilNanos.values().removeIf(until -> until - now <= 0);
        avoided.addAll(avoidedUntilNanos.keySet());
        return QueueChoice.inTurn(route.writable(), number, avoided)
                .or(() -> QueueChoice.inTurn(route.writable(), number, failedBrokers))
                .or(() -> QueueChoice.inTurn(route.writable(), number, Set.of()));
    }

    CompletableFuture<Reply> call(Parcel parcel, MessageQueue queue, String address, long remainingMillis) {
        long timeout = Math.min(remainingMillis, settings.attemptTimeout().toMillis());
        return remoting.call(address, parcel.code(), header(parcel, queue), parcel.body(), timeout);
    }

    private FieldSource header(Parcel parcel, MessageQueue queue) {
        return parcel.header(settings.producerGroup(), queue.queueId(), settings.queuesOfNewTopics());
    }

    void brokerFailed(String brokerName) {
        avoidedUntilNanos.put(brokerName, nanos() + AVOID_NANOS);
    }

    RouteCache routes() {
        return routes;
    }

    int maxAttempts() {
        return settings.maxSendAttempts();
    }

    /** Lets a parcel go on after a wait, or ends it at once if the client closes meanwhile. */
    void goOnAfter(long delayMillis, SendAttempts attempts) {
        pausing.add(attempts);
        scheduler.schedule(delayMillis, () -> {
            if (pausing.remove(attempts)) {
                attempts.goOn();
            }
        });
        if (closed) {
            endPauses();
        }
    }

    private void endPauses() {
        for (SendAttempts attempts : List.copyOf(pausing)) {
            if (pausing.remove(attempts)) {
                attempts.endByClosing();
            }
        }
    }

    long nanos() {
        return clock.nanos();
    }

    private long deadlineNanos() {
        return clock.nanos() + settings.sendTimeout().toNanos();
    }

    /** Whether anything was ever sent: brokers are told of a producer only then. */
    boolean isUsed() {
        return used;
    }

    boolean isClosed() {
        return closed;
    }

    /** Refuses further sends; those under way end with their present attempt, those between two attempts now. */
    void close() {
        closed = true;
        endPauses();
    }
}
