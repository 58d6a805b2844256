package io.anser.broker.flow;

import io.anser.broker.metadata.TopicTable;
import io.anser.broker.traffic.Traffic;
import io.anser.store.log.LogLoad;
import io.anser.store.log.LogRoom;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The flow control of one broker: what sends and deliveries pass, and its figures. Any thread. */
public final class FlowControl {
    /** Most throttles of each kind that the figures tell of, those with most refusals and delays. */
    private static final int SHOWN_MAX = 10;

    private final LogRoom room;
    private final FlowCounts counts = new FlowCounts();
    private final TopicQuotas topics;
    private final ClientQuotas clients;
    private final SendGate sends;
    private final Deliveries deliveries;
    private final Clock clock;

    private record Felt(String whose, Throttle throttle) {
        String text(long now) {
            return whose + " " + throttle.figures(now);
        }
    }

    /**
     * Makes the flow control of a broker.
     *
     * @param clientIds the id that the client of a connection has told, if it has
     */
    public FlowControl(
            FlowSettings settings,
            LogRoom room,
            TopicTable topics,
            Function<Connection, Optional<String>> clientIds,
            Traffic traffic,
            Clock clock,
            Scheduler scheduler) {
        this.room = room;
        this.clock = clock;
        this.topics = new TopicQuotas(settings, topics, counts, clock);
        this.clients = new ClientQuotas(settings, clientIds, counts, clock);
        this.sends = new SendGate(settings, room, this.topics, clients, counts, clock, scheduler);
        this.deliveries = new Deliveries(settings, traffic, clients, clock, scheduler);
    }

    /** What sends pass. */
    public SendGate sends() {
        return sends;
    }

    /** What messages pass on their way to consumers. */
    public Deliveries deliveries() {
        return deliveries;
    }

    /** Takes note of a connection, before its first request. */
    public void connected(Connection connection) {
        clients.connected(connection);
    }

    /** What waits for the log and how fast it is, and whom quotas have slowed down, by name. */
    public Map<String, String> figures() {
        LogLoad load = room.load();
        Map<String, String> figures = new HashMap<>();
        figures.put("appendsWaiting", Integer.toString(load.waiting()));
        figures.put("appendsWaitingBytes", Long.toString(load.waitingBytes()));
        figures.put("logWriteMillis", Long.toString(load.writeMillis()));
        figures.put("logFlushMillis", Long.toString(load.flushMillis()));
        figures.put("logCommitMillis", Long.toString(load.commitMillis()));
        figures.put("sendsHeld", Long.toString(counts.held.sum()));
        figures.put("sendsRefused", Long.toString(counts.overloads.sum()));
        figures.put("quotaDelays", Long.toString(counts.delays.sum()));
        figures.put("quotaRefusals", Long.toString(counts.refusals.sum()));
        figures.put("quotaTopics", felt(topics::forEach));
        figures.put("quotaClients", felt(clients::forEach));
        return figures;
    }

    private String felt(Consumer<BiConsumer<String, Throttle>> all) {
        List<Felt> felt = new ArrayList<>();
        all.accept((whose, throttle) -> {
            if (throttle.wasFelt()) {
                felt.add(new Felt(whose, throttle));
            }
        });
        long now = clock.nanos();
        return felt.stream()
                .sorted(Comparator.<Felt>comparingLong(each -> each.throttle().refusals())
                        .thenComparingLong(each -> each.throttle().delays())
                        .reversed())
                .limit(SHOWN_MAX)
                .map(each -> each.text(now))
                .collect(Collectors.joining(" | "));
    }
}
