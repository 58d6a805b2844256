package io.anser.broker.topic;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.traffic.Traffic;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.GetBrokerHaStatus;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.ViewBrokerStatsData;
import io.anser.store.MessageStore;
import io.anser.system.Clock;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.Map;
import java.util.function.Supplier;

/** How one broker is: the handlers that tell its figures. */
public final class StatusHandlers {
    private final BrokerState state;
    private final MessageStore store;
    private final Traffic traffic;
    private final Supplier<Map<String, String>> others;
    private final Clock clock;

    /**
     * Puts the handlers together.
     *
     * @param others figures of other parts, by name
     */
    public StatusHandlers(
            BrokerState state, MessageStore store, Traffic traffic, Supplier<Map<String, String>> others, Clock clock) {
        this.state = state;
        this.store = store;
        this.traffic = traffic;
        this.others = others;
        this.clock = clock;
    }

    /** Adds the handlers to the table. */
    public void registerHandlers(HandlerTable table) {
        table.register(
                GetBrokerRuntimeInfo.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetBrokerRuntimeInfoHandler(state, new StoreFigures(store), traffic, others, clock));
        table.register(
                GetBrokerHaStatus.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetBrokerHaStatusHandler(store::committedPosition));
        table.register(
                ViewBrokerStatsData.CODE,
                Lane.WORKER,
                ViewBrokerStatsData.Request::decode,
                new ViewBrokerStatsDataHandler(traffic.topics()));
    }
}
