package io.anser.transport;

import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection that wait for a reply, by opaque. One alarm is set for the nearest deadline of all, so
 * calls that are answered in time cost the timer nothing. Owned by the connection's event loop.
 */
final class PendingCalls {
    private final LoopState loop;
    private final Clock clock;
    private final Scheduler scheduler;
    private final int most;
    private final IntObjectHashMap<OutgoingCall> byOpaque = new IntObjectHashMap<>(8);
    private @Nullable Cancellable alarm;
    private long alarmNanos;

    PendingCalls(LoopState loop, Clock clock, Scheduler scheduler, int most) {
        this.loop = loop;
        this.clock = clock;
        this.scheduler = scheduler;
        this.most = most;
    }

    boolean isFull() {
        return byOpaque.size() >= most;
    }

    void add(int opaque, OutgoingCall call) {
        byOpaque.put(opaque, call);
        setAlarm(call.deadlineNanos());
    }

    /** Takes out the call that a reply belongs to; null if nobody waits for it. */
    @Nullable
    OutgoingCall take(int opaque) {
        return byOpaque.remove(opaque);
    }

    /** Ends all calls because the connection has ended. */
    void failAll(String reason) {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        List<OutgoingCall> lost = new ArrayList<>(byOpaque.values());
        byOpaque.clear();
        lost.forEach(call -> call.fail(TransportException.unanswered(TransportException.Kind.CLOSED, reason)));
    }

    private void setAlarm(long deadlineNanos) {
        if (alarm != null) {
            if (alarmNanos - deadlineNanos <= 0) {
                return;
            }
            alarm.cancel();
        }
        alarmNanos = deadlineNanos;
        long delayNanos = Math.max(0, deadlineNanos - clock.nanos());
        // One millisecond more than the truncated delay: an alarm that rings early would have to ring again.
        alarm = scheduler.schedule(TimeUnit.NANOSECONDS.toMillis(delayNanos + 999_999), this::ring);
    }

    private void ring() {
        try {
            loop.loop().execute(this::expire);
        } catch (RejectedExecutionException loopHasEnded) {
            // The loop closed its connections, and with them these calls.
        }
    }

    private void expire() {
        alarm = null;
        long now = clock.nanos();
        long nearestNanos = Long.MAX_VALUE;
        List<Integer> late = new ArrayList<>();
        for (IntObjectMap.PrimitiveEntry<OutgoingCall> entry : byOpaque.entries()) {
            long leftNanos = entry.value().deadlineNanos() - now;
            if (leftNanos <= 0) {
                late.add(entry.key());
            } else {
                nearestNanos = Math.min(nearestNanos, leftNanos);
            }
        }
        for (int opaque : late) {
            expire(byOpaque.remove(opaque));
        }
        if (nearestNanos != Long.MAX_VALUE) {
            setAlarm(now + nearestNanos);
        }
    }

    private static void expire(OutgoingCall call) {
        call.fail(TransportException.unanswered(
                TransportException.Kind.TIMEOUT, "no answer from " + call.connection() + " to code " + call.code()));
    }
}
