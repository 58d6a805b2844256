package io.anser.server.demo;

import io.anser.client.AnserClient;
import io.anser.client.AnserException;
import io.anser.client.Message;
import io.anser.system.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends the events of every order, each only when the one before it of the same order is acknowledged; many orders are
 * under way at a time. A send that fails and may be repeated is repeated.
 */
final class OrderSender {
    static final String SEQUENCE = "sequence";

    /** Enough for any change of the leader: a hundred times the pause. */
    private static final int MAX_ATTEMPTS = 100;

    private static final long PAUSE_MILLIS = 200;
    private static final int LANES = 48;

    private final AnserClient client;
    private final String topic;
    private final List<List<OrderEvent>> orders;
    private final ProgressBar progress;
    private final AtomicInteger nextOrder = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final CountDownLatch half;
    private final Clock clock;
    private final AtomicLong lastAcknowledged = new AtomicLong();
    private final AtomicLong longestPauseNanos = new AtomicLong();
    private final Executor later = CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);

    OrderSender(AnserClient client, String topic, List<List<OrderEvent>> orders, ProgressBar progress, Clock clock) {
        this.client = client;
        this.topic = topic;
        this.orders = orders;
        this.progress = progress;
        this.clock = clock;
        this.half = new CountDownLatch(orders.stream().mapToInt(List::size).sum() / 2);
    }

    /** Starts; the result is there when everything is acknowledged, and fails with the first send that cannot be. */
    CompletableFuture<Void> start() {
        CompletableFuture<?>[] lanes = new CompletableFuture<?>[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            lanes[lane] = sendNextOrder();
        }
        return CompletableFuture.allOf(lanes);
    }

    /** Waits until half of all events are acknowledged, or the time is up. */
    void awaitHalf(long timeoutSeconds) throws InterruptedException {
        if (!half.await(timeoutSeconds, TimeUnit.SECONDS)) {
            throw new DemoFailure("only " + acknowledged + " events were acknowledged within " + timeoutSeconds + " s");
        }
    }

    int acknowledged() {
        return acknowledged.get();
    }

    /** Counts the longest time without an acknowledgement from now on. */
    void measurePause() {
        lastAcknowledged.set(clock.nanos());
        longestPauseNanos.set(0);
    }

    long longestPauseMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longestPauseNanos.get());
    }

    int repeated() {
        return repeated.get();
    }

    private CompletableFuture<Void> sendNextOrder() {
        int index = nextOrder.getAndIncrement();
        if (index >= orders.size()) {
            return CompletableFuture.completedFuture(null);
        }
        return sendFrom(orders.get(index), 0).thenCompose(done -> sendNextOrder());
    }

    private CompletableFuture<Void> sendFrom(List<OrderEvent> events, int index) {
        if (index == events.size()) {
            return CompletableFuture.completedFuture(null);
        }
        return send(events.get(index), 1).thenCompose(done -> sendFrom(events, index + 1));
    }

    private CompletableFuture<Void> send(OrderEvent event, int attempt) {
        Message message = Message.to(topic)
                .key(event.order())
                .tag(event.event())
                .property(SEQUENCE, Integer.toString(event.sequence()))
                .orderKey(event.order())
                .text(event.details());
        return client.sendAsync(message)
                .<Void>thenApply(receipt -> {
                    long now = clock.nanos();
                    long pause = now - lastAcknowledged.getAndSet(now);
                    longestPauseNanos.accumulateAndGet(pause, Math::max);
                    acknowledged.incrementAndGet();
                    progress.step();
                    half.countDown();
                    return null;
                })
                .exceptionallyCompose(failure -> repeat(event, attempt, failure));
    }

    /** An unanswered send may have been stored: readers tell a repeated event by its number, so any may be sent again. */
    private CompletableFuture<Void> repeat(OrderEvent event, int attempt, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (attempt >= MAX_ATTEMPTS || !(cause instanceof AnserException)) {
            return CompletableFuture.failedFuture(new DemoFailure(
                    "event " + event.id() + " was not accepted at attempt " + attempt + ": " + cause.getMessage()));
        }
        repeated.incrementAndGet();
        return CompletableFuture.supplyAsync(() -> null, later).thenCompose(pause -> send(event, attempt + 1));
    }
}
