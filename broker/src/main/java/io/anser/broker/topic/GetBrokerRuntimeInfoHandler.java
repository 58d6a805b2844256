package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.traffic.Traffic;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Tells the broker's figures (code 28), under the names that tools look for. */
final class GetBrokerRuntimeInfoHandler implements Handler<FieldSource> {
    /** The version that tools know this behaviour by. */
    private static final String VERSION = "513";

    /** No request waits in a queue of a thread pool, and no lock guards the page cache. */
    private static final String NONE_EXISTS = "0";

    private final BrokerState state;
    private final StoreFigures store;
    private final Traffic traffic;
    private final Supplier<Map<String, String>> others;
    private final long startedMillis;

    /**
     * Makes the handler.
     *
     * @param others figures of other parts, by name
     */
    GetBrokerRuntimeInfoHandler(
            BrokerState state, StoreFigures store, Traffic traffic, Supplier<Map<String, String>> others, Clock clock) {
        this.state = state;
        this.store = store;
        this.traffic = traffic;
        this.others = others;
        this.startedMillis = clock.wallMillis();
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Map<String, String> figures = new TreeMap<>();
        figures.put("brokerVersion", VERSION);
        figures.put("brokerVersionDesc", "V5_5_0");
        figures.put("bootTimestamp", Long.toString(startedMillis));
        store.put(figures);
        figures.put("topics", Integer.toString(state.topics().size()));
        figures.put("groups", Integer.toString(state.groups().size()));
        figures.put("delayedMessages", Integer.toString(state.timers().size()));
        figures.put("delayedMessagesUnreadable", Long.toString(state.timersUnreadable()));
        figures.put("transactionsOpen", Integer.toString(state.transactions().size()));
        figures.put("transactionsGivenUp", Long.toString(state.transactions().givenUp()));
        figures.put("latestValues", Integer.toString(state.latestValues().size()));
        figures.put("dedupKeys", Integer.toString(state.dedup().size()));
        figures.put("dedupKeysForgotten", Long.toString(state.dedup().forgotten()));
        figures.putAll(others.get());
        putTraffic(figures);
        figures.put("sendThreadPoolQueueSize", NONE_EXISTS);
        figures.put("pullThreadPoolQueueSize", NONE_EXISTS);
        figures.put("pageCacheLockTimeMills", NONE_EXISTS);
        Bodies.answer(call, new KvTable(figures));
    }

    /** Messages since the start of the process and their rates, by the names of tools. */
    private void putTraffic(Map<String, String> figures) {
        String delivered = rates(traffic.deliveredPerSecond());
        figures.put("putTps", rates(traffic.storedPerSecond()));
        figures.put("getTotalTps", delivered);
        figures.put("getTransferredTps", delivered);
        figures.put("msgPutTotalTodayNow", Long.toString(traffic.stored()));
        figures.put("msgPutTotalTodayMorning", Long.toString(traffic.storedThisMorning()));
        figures.put("msgPutTotalYesterdayMorning", Long.toString(traffic.storedLastMorning()));
        figures.put("msgGetTotalTodayNow", Long.toString(traffic.delivered()));
        figures.put("msgGetTotalTodayMorning", Long.toString(traffic.deliveredThisMorning()));
        figures.put("msgGetTotalYesterdayMorning", Long.toString(traffic.deliveredLastMorning()));
    }

    private static String rates(double[] perSecond) {
        return Arrays.stream(perSecond)
                .mapToObj(rate -> String.format(Locale.ROOT, "%.1f", rate))
                .collect(Collectors.joining(" "));
    }
}
