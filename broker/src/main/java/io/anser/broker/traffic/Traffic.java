package io.anser.broker.traffic;

import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Messages stored and delivered since the broker started, and their rates. Stored ones are counted by the committing
 * thread, delivered ones by any; anybody reads. Both are sampled every ten seconds.
 */
public final class Traffic implements AutoCloseable {
    static final long SAMPLE_MILLIS = 10_000;

    private final AtomicLong stored = new AtomicLong();
    private final LongAdder delivered = new LongAdder();
    private final TopicTraffic topics;
    private final RateWindow storedRates;
    private final RateWindow deliveredRates;
    private final DailyCount storedDaily;
    private final DailyCount deliveredDaily;
    private final Cancellable sampling;

    /** Starts to count, from zero. */
    public Traffic(Clock clock, Scheduler scheduler) {
        topics = new TopicTraffic(clock);
        storedRates = new RateWindow(clock.nanos());
        deliveredRates = new RateWindow(clock.nanos());
        storedDaily = new DailyCount(clock.wallMillis());
        deliveredDaily = new DailyCount(clock.wallMillis());
        sampling = scheduler.every(SAMPLE_MILLIS, () -> sample(clock));
    }

    private void sample(Clock clock) {
        storedRates.sample(clock.nanos(), stored());
        deliveredRates.sample(clock.nanos(), delivered());
        storedDaily.sample(clock.wallMillis(), stored());
        deliveredDaily.sample(clock.wallMillis(), delivered());
        topics.sample();
    }

    /** The same counts for each topic and group. */
    public TopicTraffic topics() {
        return topics;
    }

    /** Counts messages of a topic that were committed. Committing thread only. */
    public void stored(String topic, long messages) {
        stored(messages);
        topics.stored(topic, messages);
    }

    /** Counts messages of a topic that were sent to a consumer of a group. */
    public void delivered(String topic, String group, long messages) {
        delivered(messages);
        topics.delivered(topic, group, messages);
    }

    /** Counts messages that were committed. Committing thread only. */
    public void stored(long messages) {
        stored.lazySet(stored.getPlain() + messages); // one writer: no need for an atomic addition
    }

    /** Counts messages that were sent to a consumer. */
    public void delivered(long messages) {
        delivered.add(messages);
    }

    /** Messages committed since the start. */
    public long stored() {
        return stored.get();
    }

    /** Messages sent to consumers since the start. */
    public long delivered() {
        return delivered.sum();
    }

    /** What {@link #stored} was when this day began, in UTC; 0 if the broker did not run then. */
    public long storedThisMorning() {
        return storedDaily.thisMorning();
    }

    /** What {@link #stored} was when the day before began. */
    public long storedLastMorning() {
        return storedDaily.lastMorning();
    }

    /** What {@link #delivered} was when this day began, in UTC; 0 if the broker did not run then. */
    public long deliveredThisMorning() {
        return deliveredDaily.thisMorning();
    }

    /** What {@link #delivered} was when the day before began. */
    public long deliveredLastMorning() {
        return deliveredDaily.lastMorning();
    }

    /** Messages committed per second over the last 10 seconds, minute and ten minutes, or since the start if that is less. */
    public double[] storedPerSecond() {
        return storedRates.perSecond();
    }

    /** The same of messages sent to consumers. */
    public double[] deliveredPerSecond() {
        return deliveredRates.perSecond();
    }

    @Override
    public void close() {
        sampling.cancel();
    }
}
