package io.anser.client;

import io.anser.system.Scheduler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the messages of one queue one after the other. A failed one is tried again in its place, after a wait, before
 * those behind it; after its last attempt it goes to the dead-letter queue and the next one follows.
 */
final class OrderedDelivery implements Delivery {
    /** Messages in a row before the thread turns to another queue. */
    private static final int TURN_MESSAGES = 32;

    private static final long LOCK_RECHECK_MILLIS = 100;

    private static final Logger log = LoggerFactory.getLogger(OrderedDelivery.class);

    private final ConsumerSettings settings;
    private final GuardedHandler handler;
    private final HandlerThreads threads;
    private final GroupCalls calls;
    private final Scheduler scheduler;

    /** Guarded by this, as the three fields below. */
    private final Deque<ReceivedMessage> waiting = new ArrayDeque<>();
    /** Whether somebody will come back to this queue: a task, a timer, or an answer under way. */
    private boolean busy;

    private boolean inHandler;
    private Optional<Runnable> whenQuiet = Optional.empty();

    OrderedDelivery(
            ConsumerSettings settings,
            GuardedHandler handler,
            HandlerThreads threads,
            GroupCalls calls,
            Scheduler scheduler) {
        this.settings = settings;
        this.handler = handler;
        this.threads = threads;
        this.calls = calls;
        this.scheduler = scheduler;
    }

    @Override
    public void deliver(QueueFeed feed, List<ReceivedMessage> messages) {
        synchronized (this) {
            waiting.addAll(messages);
            if (busy) {
                return;
            }
            busy = true;
        }
        threads.submit(() -> takeTurn(feed));
    }

    @Override
    public void whenQuiet(Runnable action) {
        synchronized (this) {
            if (inHandler) {
                whenQuiet = Optional.of(action);
                return;
            }
        }
        action.run();
    }

    private void takeTurn(QueueFeed feed) {
        for (int i = 0; i < TURN_MESSAGES; i++) {
            Optional<ReceivedMessage> next = begin(feed);
            if (next.isEmpty()) {
                return;
            }
            ReceivedMessage message = next.get();
            boolean done = handler.succeeds(message);
            end();
            if (!done) {
                failed(feed, message);
                return;
            }
            finish(feed, message);
        }
        threads.submit(() -> takeTurn(feed));
    }

    /** The message to handle now, if there is one and this member still has the queue to itself. */
    private Optional<ReceivedMessage> begin(QueueFeed feed) {
        synchronized (this) {
            ReceivedMessage next = waiting.peek();
            if (next == null || feed.isStopped()) {
                busy = false;
                return Optional.empty();
            }
            if (feed.mayHandle()) {
                inHandler = true;
                return Optional.of(next);
            }
        }
        comeBack(LOCK_RECHECK_MILLIS, feed);
        return Optional.empty();
    }

    private void end() {
        Optional<Runnable> action;
        synchronized (this) {
            inHandler = false;
            action = whenQuiet;
            whenQuiet = Optional.empty();
        }
        action.ifPresent(Runnable::run);
    }

    private void finish(QueueFeed feed, ReceivedMessage message) {
        synchronized (this) {
            waiting.poll();
        }
        feed.acknowledge(message);
    }

    private void failed(QueueFeed feed, ReceivedMessage message) {
        if (message.attempt() < settings.maxAttempts()) {
            synchronized (this) {
                waiting.poll();
                waiting.addFirst(message.atAttempt(message.attempt() + 1));
            }
            comeBack(settings.localWaitMillis(message.attempt()), feed);
        } else if (settings.broadcasting()) {
            log.error(
                    "message given up after its last attempt, nobody handles it any more group={} {}",
                    settings.group(),
                    message);
            finish(feed, message);
            comeBack(0, feed);
        } else {
            toDeadLetters(feed, message);
        }
    }

    private void toDeadLetters(QueueFeed feed, ReceivedMessage message) {
        calls.sendBack(message, GroupCalls.TO_DEAD_LETTERS).whenComplete((done, failure) -> {
            if (failure == null) {
                finish(feed, message);
                comeBack(0, feed);
            } else {
                log.warn(
                        "message not sent to the dead letters, tried here again group={} {} reason={}",
                        settings.group(),
                        message,
                        Remoting.failure(failure).getMessage());
                comeBack(settings.localWaitMillis(message.attempt()), feed);
            }
        });
    }

    private void comeBack(long waitMillis, QueueFeed feed) {
        if (waitMillis == 0) {
            threads.submit(() -> takeTurn(feed));
        } else {
            scheduler.schedule(waitMillis, () -> threads.submit(() -> takeTurn(feed)));
        }
    }
}
