package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One queue as one member reads it: asks the broker for messages (one long poll at a time), hands them to the delivery, and
 * keeps what is not acknowledged yet, which bounds how far it reads ahead.
 *
 * <p>Network, handler and control threads all come here; the fields are guarded by this object, and nothing is called from
 * inside the guard.
 */
final class QueueFeed {
    /** How far reading may run ahead of the oldest message not done, in queue offsets: what comes again after a crash. */
    private static final long MAX_SPAN = 8192;

    private static final long FIRST_RETRY_MILLIS = 200;
    private static final long LONGEST_RETRY_MILLIS = 3000;
    /** An answer "nothing new" that comes sooner was not held back by the broker. */
    private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NOT_HELD_PAUSE_MILLIS = 100;
    private static final long NOT_COMMITTED = -1;

    private static final Logger log = LoggerFactory.getLogger(QueueFeed.class);

    private final MessageQueue queue;
    private final TagFilter filter;
    private final ConsumerSettings settings;
    private final GroupCalls calls;
    private final Delivery delivery;
    private final Clock clock;
    private final Scheduler scheduler;
    /** Told that the broker no longer has the offset asked for, and where to go on. */
    private final BiConsumer<QueueFeed, Long> moved;

    private final AckWindow window;
    private long nextOffset;
    private int bufferedMessages;
    private long bufferedBytes;
    private boolean pulling;
    private boolean full;
    private long askedNanos;
    private int failures;
    private long readerId = Route.MASTER;
    private volatile boolean stopped;
    private volatile long handleUntilNanos;
    private volatile long committed = NOT_COMMITTED;

    QueueFeed(
            MessageQueue queue,
            TagFilter filter,
            long firstOffset,
            ConsumerSettings settings,
            GroupCalls calls,
            Delivery delivery,
            Clock clock,
            Scheduler scheduler,
            BiConsumer<QueueFeed, Long> moved) {
        this.queue = queue;
        this.filter = filter;
        this.settings = settings;
        this.calls = calls;
        this.delivery = delivery;
        this.clock = clock;
        this.scheduler = scheduler;
        this.moved = moved;
        this.window = new AckWindow(firstOffset);
        this.nextOffset = firstOffset;
    }

    MessageQueue queue() {
        return queue;
    }

    /** Begins to pull; does nothing while a pull is under way, the buffer is full, or the feed is stopped. */
    void pull() {
        long from;
        long reader;
        synchronized (this) {
            if (stopped || pulling || isFull()) {
                return;
            }
            pulling = true;
            askedNanos = clock.nanos();
            from = nextOffset;
            reader = readerId;
        }
        calls.pull(queue, from, filter, reader).whenComplete(this::pulled);
    }

    /** Pulls no more. Messages that wait for a handler are left to the queue's next owner. */
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    Delivery delivery() {
        return delivery;
    }

    /** Marks a message as done and reads on if that made room. Any thread. */
    void acknowledge(ReceivedMessage message) {
        boolean room;
        synchronized (this) {
            if (!window.acknowledge(message.queueOffset())) {
                return;
            }
            bufferedMessages--;
            bufferedBytes -= message.storedBytes();
            room = !pulling && !isFull();
        }
        if (room) {
            pull();
        }
    }

    /** The offset to commit: everything below it is done. */
    synchronized long committable() {
        return window.committable();
    }

    /** The offset that the broker, or the offset store, is known to have; -1 if none. */
    long committed() {
        return committed;
    }

    void committed(long offset) {
        committed = offset;
    }

    /** Lets an ordered queue be handled until then: the lock of the broker is good for so long. */
    void handleUntil(long nanos) {
        handleUntilNanos = nanos;
    }

    /** Whether the lock of the broker is still good. Always, for a consumer that takes none. */
    boolean mayHandle() {
        return !settings.takesLocks() || handleUntilNanos - clock.nanos() > 0;
    }

    /** Full from the limit until half of it is free again, so that pulls stay worth their way. Guarded by this. */
    private boolean isFull() {
        int messages = full ? settings.maxBufferedMessages() / 2 : settings.maxBufferedMessages();
        long bytes = full ? settings.maxBufferedBytes() / 2 : settings.maxBufferedBytes();
        boolean any = bufferedMessages > 0;
        full = any && (bufferedMessages >= messages || bufferedBytes >= bytes || window.span() >= MAX_SPAN);
        return full;
    }

    private void pulled(@Nullable PullResult result, @Nullable Throwable failure) {
        if (stopped) {
            return;
        }
        if (result == null || failure != null) {
            retryLater(failure);
            return;
        }
        switch (result.outcome()) {
            case MESSAGES, NOTHING_NEW -> take(result);
            case MOVED -> {
                log.warn(
                        "offset out of range, going on elsewhere group={} topic={} broker={} queue={} from={} to={}",
                        settings.group(),
                        queue.topic(),
                        queue.brokerName(),
                        queue.queueId(),
                        nextOffsetNow(),
                        result.nextOffset());
                moved.accept(this, result.nextOffset());
            }
        }
    }

    private void take(PullResult result) {
        List<ReceivedMessage> wanted = new ArrayList<>(result.messages().size());
        boolean tooSoon;
        synchronized (this) {
            failures = 0;
            readerId = result.suggestedReader();
            for (ReceivedMessage message : result.messages()) {
                if (window.received(message.queueOffset())) {
                    wanted.add(message);
                    bufferedMessages++;
                    bufferedBytes += message.storedBytes();
                }
            }
            window.passedUntil(result.nextOffset());
            nextOffset = result.nextOffset();
            pulling = false;
            tooSoon = result.outcome() == PullResult.Outcome.NOTHING_NEW && clock.nanos() - askedNanos < HELD_NANOS;
        }
        if (!wanted.isEmpty()) {
            delivery.deliver(this, wanted);
        }
        if (tooSoon) {
            // A broker that cannot hold the pull must not be asked in a tight loop.
            pullAfter(NOT_HELD_PAUSE_MILLIS);
        } else {
            pull();
        }
    }

    /** Pulls after a pause that acknowledgements do not cut short. */
    private void pullAfter(long pauseMillis) {
        synchronized (this) {
            if (pulling) {
                return;
            }
            pulling = true;
        }
        scheduler.schedule(pauseMillis, () -> {
            synchronized (this) {
                pulling = false;
            }
            pull();
        });
    }

    private void retryLater(@Nullable Throwable failure) {
        long wait;
        synchronized (this) {
            pulling = false;
            readerId = Route.MASTER;
            wait = Math.min(LONGEST_RETRY_MILLIS, FIRST_RETRY_MILLIS << Math.min(failures, 8));
            failures++;
        }
        log.debug(
                "pull failed group={} topic={} broker={} queue={} again-in-ms={} reason={}",
                settings.group(),
                queue.topic(),
                queue.brokerName(),
                queue.queueId(),
                wait,
                failure == null ? "no answer" : Remoting.failure(failure).getMessage());
        calls.pullFailed(queue, failure);
        pullAfter(wait);
    }

    private synchronized long nextOffsetNow() {
        return nextOffset;
    }
}
