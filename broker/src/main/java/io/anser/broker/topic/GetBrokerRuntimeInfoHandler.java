package io.anser.broker.topic;

import io.anser.broker.metadata.BrokerState;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** Tells the broker's figures (code 28), under the names that tools look for. */
public final class GetBrokerRuntimeInfoHandler implements Handler<FieldSource> {
    /** The version that tools know this behaviour by. */
    private static final String VERSION = "513";

    private static final String NO_RATE = "0.0 0.0 0.0";

    private final BrokerState state;
    private final LongSupplier minPosition;
    private final LongSupplier committedPosition;
    private final LongSupplier timersGivenUp;
    private final long startedMillis;

    /**
     * Makes the handler.
     *
     * @param minPosition log position of the first record that is kept
     * @param committedPosition log position up to which everything is committed
     * @param timersGivenUp delayed messages that could not be delivered
     */
    public GetBrokerRuntimeInfoHandler(
            BrokerState state,
            LongSupplier minPosition,
            LongSupplier committedPosition,
            LongSupplier timersGivenUp,
            Clock clock) {
        this.state = state;
        this.minPosition = minPosition;
        this.committedPosition = committedPosition;
        this.timersGivenUp = timersGivenUp;
        this.startedMillis = clock.wallMillis();
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Map<String, String> figures = new TreeMap<>();
        figures.put("brokerVersion", VERSION);
        figures.put("brokerVersionDesc", "V5_5_0");
        figures.put("bootTimestamp", Long.toString(startedMillis));
        figures.put("commitLogMinOffset", Long.toString(minPosition.getAsLong()));
        figures.put("commitLogMaxOffset", Long.toString(committedPosition.getAsLong()));
        figures.put("topics", Integer.toString(state.topics().size()));
        figures.put("groups", Integer.toString(state.groups().size()));
        figures.put("delayedMessages", Integer.toString(state.timers().size()));
        figures.put("delayedMessagesUnreadable", Long.toString(state.timersUnreadable()));
        figures.put("delayedMessagesGivenUp", Long.toString(timersGivenUp.getAsLong()));
        figures.put("putTps", NO_RATE);
        figures.put("getTotalTps", NO_RATE);
        figures.put("getTransferredTps", NO_RATE);
        for (String counter : COUNTERS) {
            figures.put(counter, "0");
        }
        Bodies.answer(call, new KvTable(figures));
    }

    /** Counters that tools parse without asking whether they are there. */
    private static final String[] COUNTERS = {
        "msgPutTotalTodayNow",
        "msgGetTotalTodayNow",
        "msgPutTotalTodayMorning",
        "msgGetTotalTodayMorning",
        "msgPutTotalYesterdayMorning",
        "msgGetTotalYesterdayMorning",
        "sendThreadPoolQueueSize",
        "pullThreadPoolQueueSize",
        "pageCacheLockTimeMills",
        "earliestMessageTimeStamp",
        "timerReadBehind"
    };
}
