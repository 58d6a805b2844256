package io.anser.broker.flow;

import io.anser.broker.traffic.Traffic;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Counts what consumers are handed, and makes those wait that had more than their quota: their next pull or pop is held for
 * at most {@link FlowSettings#waitMaxMillis} and then answered with nothing, so that they come again. Consumers see no error.
 * Any thread but where it says otherwise.
 */
public final class Deliveries {
    private final Traffic traffic;
    private final ClientQuotas clients;
    private final Clock clock;
    private final Scheduler scheduler;
    private final long waitMaxNanos;

    Deliveries(FlowSettings settings, Traffic traffic, ClientQuotas clients, Clock clock, Scheduler scheduler) {
        this.traffic = traffic;
        this.clients = clients;
        this.clock = clock;
        this.scheduler = scheduler;
        this.waitMaxNanos = TimeUnit.MILLISECONDS.toNanos(settings.waitMaxMillis());
    }

    /** Counts messages that a client is handed, and takes them off its quota. */
    public void delivered(Connection connection, String topic, String group, int messages, int bytes) {
        traffic.delivered(topic, group, messages);
        Throttle throttle = clients.consuming(connection);
        if (throttle != Throttle.NONE) {
            long now = clock.nanos();
            throttle.asked(now, bytes, messages);
            throttle.take(now, bytes, messages);
        }
    }

    /** Whether a client may be handed messages now; if not, its request is to be {@linkplain #hold held}. */
    public boolean allows(Connection connection) {
        Throttle throttle = clients.consuming(connection);
        return throttle == Throttle.NONE || throttle.waitNanos(clock.nanos()) == 0;
    }

    /**
     * Has a request wait that is not allowed yet. It counts as in flight, which bounds how many of a connection wait.
     *
     * @param goOn goes on with the request when it may
     * @param nothing answers with nothing when the wait was in vain, and with this text. Both on the event loop of the
     *     connection, which is where this is called
     */
    public void hold(Call call, Runnable goOn, Consumer<String> nothing) {
        Throttle throttle = clients.consuming(call.connection());
        long now = clock.nanos();
        long nanos = Math.min(throttle.waitNanos(now), waitMaxNanos);
        throttle.delayed(nanos);
        clients.felt(call.connection(), "consume", throttle);
        scheduler.schedule(TimeUnit.NANOSECONDS.toMillis(nanos) + 1, () -> {
            try {
                call.connection().executor().execute(() -> end(call, goOn, nothing));
            } catch (RejectedExecutionException loopHasEnded) {
                answering(call, () -> nothing.accept("the broker stops"));
            } catch (RuntimeException | Error failure) {
                call.fail(failure);
            }
        });
    }

    private void end(Call call, Runnable goOn, Consumer<String> nothing) {
        answering(call, () -> {
            Throttle throttle = clients.consuming(call.connection());
            if (call.connection().isOpen() && throttle.waitNanos(clock.nanos()) == 0) {
                goOn.run();
            } else {
                throttle.refused();
                nothing.accept("over the quota of " + clients.name(call.connection()) + ": "
                        + throttle.describe(clock.nanos()));
            }
        });
    }

    /** The outermost frame of the request's second half: whatever goes wrong is answered. */
    private static void answering(Call call, Runnable secondHalf) {
        try {
            secondHalf.run();
        } catch (RuntimeException | Error failure) {
            call.fail(failure);
        }
    }
}
