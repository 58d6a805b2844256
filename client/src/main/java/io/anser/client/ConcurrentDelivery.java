package io.anser.client;

import io.anser.system.Scheduler;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles messages many at a time, in no order. A failed one goes back to the broker, which delivers it again later through
 * the group's retry topic; in a broadcasting consumer, which has no such topic, it waits here. Shared by all queues of a
 * member.
 */
final class ConcurrentDelivery implements Delivery {
    /** How long a message waits here that could not be sent back. */
    private static final long SEND_BACK_AGAIN_MILLIS = 5000;

    private static final Logger log = LoggerFactory.getLogger(ConcurrentDelivery.class);

    private final ConsumerSettings settings;
    private final GuardedHandler handler;
    private final HandlerThreads threads;
    private final GroupCalls calls;
    private final Scheduler scheduler;

    ConcurrentDelivery(
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
        for (ReceivedMessage message : messages) {
            threads.submit(() -> attempt(feed, message));
        }
    }

    @Override
    public void whenQuiet(Runnable action) {
        // Messages in the handler come again at the queue's next owner; waiting for them would not change that.
        action.run();
    }

    private void attempt(QueueFeed feed, ReceivedMessage message) {
        if (feed.isStopped()) {
            return;
        }
        if (handler.succeeds(message)) {
            feed.acknowledge(message);
        } else if (settings.broadcasting()) {
            tryHere(feed, message);
        } else {
            sendBack(feed, message);
        }
    }

    private void tryHere(QueueFeed feed, ReceivedMessage message) {
        if (message.attempt() >= settings.maxAttempts()) {
            log.error(
                    "message given up after its last attempt, nobody handles it any more group={} {}",
                    settings.group(),
                    message);
            feed.acknowledge(message);
            return;
        }
        // Acknowledged under the same queue offset: the copy differs in the attempt's number only.
        ReceivedMessage next = message.atAttempt(message.attempt() + 1);
        later(settings.localWaitMillis(message.attempt()), feed, next);
    }

    private void sendBack(QueueFeed feed, ReceivedMessage message) {
        int delayLevel = settings.delayLevel(message.attempt());
        calls.sendBack(message, delayLevel).whenComplete((done, failure) -> {
            if (failure == null) {
                feed.acknowledge(message);
            } else {
                log.warn(
                        "failed message not sent back, tried here again group={} {} reason={}",
                        settings.group(),
                        message,
                        Remoting.failure(failure).getMessage());
                later(SEND_BACK_AGAIN_MILLIS, feed, message);
            }
        });
    }

    private void later(long waitMillis, QueueFeed feed, ReceivedMessage message) {
        scheduler.schedule(waitMillis, () -> threads.submit(() -> attempt(feed, message)));
    }
}
