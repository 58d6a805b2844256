package io.anser.broker;

import io.anser.broker.compaction.ValueCarryOver;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.retention.ExpireNowHandler;
import io.anser.broker.retention.RetentionRuns;
import io.anser.broker.role.RoleListener;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CleanExpiredConsumeQueue;
import io.anser.protocol.operation.DeleteExpiredCommitLog;
import io.anser.store.MessageStore;
import io.anser.store.retention.CarryOver;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.Map;
import java.util.concurrent.Executor;

/** What goes of the log with time, and what of it stays: puts together retention and the latest messages of keys. */
final class Upkeep implements RoleListener, AutoCloseable {
    private final MessageStore store;
    private final Executor workers;
    private final RetentionRuns retention;
    private final ValueCarryOver values;

    /** Makes it; nothing goes before the broker {@linkplain #leads leads}. */
    Upkeep(
            LiveSettings live,
            BrokerState state,
            MessageStore store,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.store = store;
        this.workers = workers;
        this.retention = new RetentionRuns(state.topics(), live::retention, store, clock, scheduler, workers);
        this.values = new ValueCarryOver(state.latestValues()::before, store::message, store::append, workers);
    }

    void registerHandlers(HandlerTable table) {
        ExpireNowHandler expire = new ExpireNowHandler(retention);
        table.register(CleanExpiredConsumeQueue.CODE, Lane.WORKER, header -> FieldSource.NONE, expire);
        table.register(DeleteExpiredCommitLog.CODE, Lane.WORKER, header -> FieldSource.NONE, expire);
    }

    /** What the broker's status tells of it. */
    Map<String, String> figures() {
        return Map.of("latestValuesCarriedOver", Long.toString(values.carried()));
    }

    /** Has the rest that must outlive its segment appended again beside the values. Once, before the first run. */
    void carriesOver(CarryOver others) {
        store.carryOver(CarryOver.both(values, others, workers));
    }

    /** Begins to let messages expire, or goes on. */
    @Override
    public void leads() {
        retention.leads();
    }

    @Override
    public void follows() {
        retention.follows();
    }

    @Override
    public void close() {
        retention.close();
    }
}
