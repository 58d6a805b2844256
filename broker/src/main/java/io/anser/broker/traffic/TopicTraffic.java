package io.anser.broker.traffic;

import io.anser.broker.traffic.SpanCount.Counted;
import io.anser.protocol.body.BrokerStatsData;
import io.anser.system.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Messages stored in each topic, and delivered from each topic to each group, since the broker started. Counted by any
 * thread, sampled by the timer.
 */
public final class TopicTraffic {
    /** Most topics, and pairs of topic and group, that are counted, about 1 KiB of memory each; others have no figures. */
    static final int MAX_COUNTERS = 20_000;

    private final Clock clock;
    private final AtomicInteger counters = new AtomicInteger();
    private final Map<String, SpanCount> stored = new ConcurrentHashMap<>();
    private final Map<String, Map<String, SpanCount>> delivered = new ConcurrentHashMap<>();

    TopicTraffic(Clock clock) {
        this.clock = clock;
    }

    void stored(String topic, long messages) {
        add(stored, topic, messages);
    }

    void delivered(String topic, String group, long messages) {
        Map<String, SpanCount> byGroup = delivered.get(topic);
        if (byGroup == null) {
            byGroup = delivered.computeIfAbsent(topic, name -> new ConcurrentHashMap<>());
        }
        add(byGroup, group, messages);
    }

    private void add(Map<String, SpanCount> counts, String name, long messages) {
        SpanCount known = counts.get(name);
        if (known == null && counters.get() < MAX_COUNTERS) {
            known = counts.computeIfAbsent(name, any -> make());
        }
        if (known != null) {
            known.add(messages);
        }
    }

    private SpanCount make() {
        counters.incrementAndGet();
        return new SpanCount(clock.nanos());
    }

    void sample() {
        long now = clock.nanos();
        stored.values().forEach(count -> count.sample(now));
        delivered.values().forEach(byGroup -> byGroup.values().forEach(count -> count.sample(now)));
    }

    /** Forgets a topic that is gone. */
    public void forgetTopic(String topic) {
        if (stored.remove(topic) != null) {
            counters.decrementAndGet();
        }
        Map<String, SpanCount> gone = delivered.remove(topic);
        if (gone != null) {
            counters.addAndGet(-gone.size());
        }
    }

    /** Returns messages per second that were stored in a topic over the last minute. */
    public double storedPerSecond(String topic) {
        return perSecond(stored.get(topic));
    }

    /** Returns messages per second that a group got of a topic over the last minute. */
    public double deliveredPerSecond(String topic, String group) {
        return perSecond(delivered.getOrDefault(topic, Map.of()).get(group));
    }

    private double perSecond(@Nullable SpanCount count) {
        return count == null ? 0 : count.lastMinute(clock.nanos()).perSecond();
    }

    /** Returns what was stored in a topic; empty where nothing was, or too many topics are counted. */
    public Optional<BrokerStatsData> storedOf(String topic) {
        return Optional.ofNullable(stored.get(topic)).map(this::figures);
    }

    /** Returns what a group got of a topic; empty where it got nothing, or too many pairs are counted. */
    public Optional<BrokerStatsData> deliveredOf(String topic, String group) {
        return Optional.ofNullable(delivered.getOrDefault(topic, Map.of()).get(group))
                .map(this::figures);
    }

    private BrokerStatsData figures(SpanCount count) {
        long now = clock.nanos();
        return new BrokerStatsData(item(count.lastMinute(now)), item(count.lastHour(now)), item(count.lastDay(now)));
    }

    private static BrokerStatsData.Item item(Counted counted) {
        return new BrokerStatsData.Item(counted.sum(), counted.perSecond(), counted.perTime());
    }
}
