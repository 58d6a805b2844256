package io.anser.broker.flow;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.frame.ResponseCode;
import io.anser.store.log.LogRoom;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Decides for each send whether it goes on at once, waits, or is refused: by the room of the log, the quota of its topic and
 * that of its client. A send that a quota allows within {@link FlowSettings#waitMaxMillis} has its place there and waits for
 * it; one that finds the log full waits for room; each gets its answer later, which slows its sender down. What cannot go on by
 * then is refused, and the answer says what there was too much of. A refusal waits as well, because stock producers send again
 * at once; it does not keep the message. A connection with too many requests waiting is not read on.
 *
 * <p>Called on the event loop of the connection. Without quotas and with room in the log it costs a few reads.
 */
public final class SendGate {
    /** Most bytes of sends that wait, of all connections; beyond, they are refused after their wait. */
    static final long HELD_BYTES_MAX = 32L << 20;

    private final LogRoom room;
    private final TopicQuotas topics;
    private final ClientQuotas clients;
    private final FlowCounts counts;
    private final Clock clock;
    private final Scheduler scheduler;
    private final long waitMaxNanos;
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicLong heldBytes = new AtomicLong();

    SendGate(
            FlowSettings settings,
            LogRoom room,
            TopicQuotas topics,
            ClientQuotas clients,
            FlowCounts counts,
            Clock clock,
            Scheduler scheduler) {
        this.room = room;
        this.topics = topics;
        this.clients = clients;
        this.counts = counts;
        this.clock = clock;
        this.scheduler = scheduler;
        this.waitMaxNanos = TimeUnit.MILLISECONDS.toNanos(settings.waitMaxMillis());
    }

    /** Whether it matters how many messages are in a send. */
    public boolean countsMessages(Connection connection, Topic topic) {
        return topics.of(topic).limitsMessages()
                || clients.producing(connection).limitsMessages();
    }

    /**
     * Takes a send in if it may go on at once; if not, it is to be {@linkplain #hold held}.
     *
     * @param bytes of the request's body
     * @param messages in it; does not matter unless {@link #countsMessages}
     */
    public boolean admits(Connection connection, Topic topic, int bytes, int messages) {
        if (!room.hasRoom(bytes) || mustWaitInLine(connection, topic)) {
            return false;
        }
        Throttle ofTopic = topics.of(topic);
        Throttle ofClient = clients.producing(connection);
        if (ofTopic == Throttle.NONE && ofClient == Throttle.NONE) {
            return true;
        }
        long now = clock.nanos();
        if (Math.max(ofTopic.waitNanos(now), ofClient.waitNanos(now)) > 0) {
            return false;
        }
        take(now, ofTopic, ofClient, bytes, messages);
        return true;
    }

    private boolean mustWaitInLine(Connection connection, Topic topic) {
        return held.get() > 0
                && connection
                        .attachment(SendLine.class)
                        .filter(line -> line.holds(topic))
                        .isPresent();
    }

    private static void take(long now, Throttle ofTopic, Throttle ofClient, int bytes, int messages) {
        ofTopic.asked(now, bytes, messages);
        ofClient.asked(now, bytes, messages);
        ofTopic.take(now, bytes, messages);
        ofClient.take(now, bytes, messages);
    }

    /**
     * Has a send wait that was not admitted: until it may go on, or until it is refused.
     *
     * @param body of the request; retained as long as it is needed
     * @param bytes as they were not admitted
     * @param messages as they were not admitted
     * @param goOn goes on with the send when it may, on the event loop of the connection
     */
    public void hold(Call call, Topic topic, ByteBuf body, int bytes, int messages, Runnable goOn) {
        SendLine line = SendLine.of(this, call.connection(), scheduler);
        Throttle ofTopic = topics.of(topic);
        Throttle ofClient = clients.producing(call.connection());
        Throttle cause = cause(ofTopic, ofClient);
        boolean hasRoom = room.hasRoom(bytes);
        long now = clock.nanos();
        long wait = Math.max(ofTopic.waitNanos(now), ofClient.waitNanos(now));
        if (wait > waitMaxNanos || !reserve(bytes)) {
            ofTopic.asked(now, bytes, messages);
            ofClient.asked(now, bytes, messages);
            // Without a quota it waits behind others, for which there was no room.
            boolean byQuota = cause != Throttle.NONE && (wait > 0 || hasRoom);
            String whose = cause == ofClient ? "" : "topic=" + topic.name();
            line.doom(new DoomedSend(call, byQuota ? overQuota(call, cause, whose) : at -> overload(), now));
            return;
        }
        take(now, ofTopic, ofClient, bytes, messages);
        held.incrementAndGet();
        line.hold(new HeldSend(call, topic, body.retain(), bytes, goOn, now, now + wait));
        if (wait > 0) {
            cause.delayed(wait);
            if (cause == ofClient) {
                clients.felt(call.connection(), "produce", ofClient);
            }
        } else if (!hasRoom) {
            counts.held.increment();
        }
    }

    private boolean reserve(int bytes) {
        boolean fits = heldBytes.addAndGet(bytes) <= HELD_BYTES_MAX;
        if (!fits) {
            heldBytes.addAndGet(-bytes);
        }
        return fits;
    }

    private Throttle cause(Throttle ofTopic, Throttle ofClient) {
        long now = clock.nanos();
        boolean client = ofTopic == Throttle.NONE || ofClient.waitNanos(now) > ofTopic.waitNanos(now);
        return client ? ofClient : ofTopic;
    }

    long now() {
        return clock.nanos();
    }

    /** When a send that came then has waited long enough. */
    long deadlineNanos(long sinceNanos) {
        return sinceNanos + waitMaxNanos;
    }

    boolean hasRoom(HeldSend send) {
        return room.hasRoom(send.bytes());
    }

    /** Ends a wait. The outermost frame of the request's second half: whatever goes wrong is answered. */
    void ended(HeldSend send, boolean mayGoOn) {
        held.decrementAndGet();
        heldBytes.addAndGet(-send.bytes());
        try {
            if (mayGoOn) {
                send.goOn().run();
            } else if (send.call().connection().isOpen()) {
                refuse(send.call(), overload(), send.sinceNanos());
            } else {
                send.call().respond(ResponseCode.SYSTEM_BUSY, "the client has gone");
            }
        } catch (RuntimeException | Error failure) {
            send.call().fail(failure);
        } finally {
            send.body().release();
        }
    }

    /** Refuses a send that was not kept. Outermost frame, too. */
    void refuse(DoomedSend send) {
        try {
            refuse(send.call(), send.reason().apply(clock.nanos()), send.sinceNanos());
        } catch (RuntimeException | Error failure) {
            send.call().fail(failure);
        }
    }

    /** Ends a wait that something went wrong with. */
    void broken(HeldSend send, Throwable failure) {
        held.decrementAndGet();
        heldBytes.addAndGet(-send.bytes());
        try {
            send.call().fail(failure);
        } finally {
            send.body().release();
        }
    }

    /** Producers of Apache's from version 5 on send again after this code, elsewhere if they can. */
    private void refuse(Call call, String text, long sinceNanos) {
        long waitedMillis = TimeUnit.NANOSECONDS.toMillis(clock.nanos() - sinceNanos);
        new Refusal(ResponseCode.SYSTEM_BUSY, text + "; waited " + waitedMillis + " ms").answer(call);
    }

    private String overload() {
        counts.overloads.increment();
        return room.overload();
    }

    /**
     * Counts and words a refusal for want of a quota.
     *
     * @param topic in words; empty where the quota is the client's
     */
    private LongFunction<String> overQuota(Call call, Throttle cause, String topic) {
        return refusedAt -> {
            cause.refused();
            if (topic.isEmpty()) {
                clients.felt(call.connection(), "produce", cause);
            }
            String whose = topic.isEmpty() ? clients.name(call.connection()) : topic;
            return "over the quota of " + whose + ": " + cause.describe(refusedAt);
        };
    }
}
