package io.anser.broker;

import io.anser.broker.group.ProducerGroups;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.role.RoleListener;
import io.anser.broker.timer.TimerDelivery;
import io.anser.broker.transaction.Producers;
import io.anser.broker.transaction.Transactions;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.CheckTransactionState;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.RecallMessage;
import io.anser.protocol.operation.ResumeCheckHalfMessage;
import io.anser.store.MessageStore;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.CarryOver;
import io.anser.store.state.CommitListener;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Messages that nobody may read yet: puts together those that wait for their time and those of open transactions. */
final class Postponed implements CommitListener, RoleListener, AutoCloseable {
    /** What of the log's end is taken to be in memory. */
    private static final long WARM_LOG_BYTES = 64L << 20;

    private final MessageStore store;
    private final ProducerGroups producers;
    private final Executor workers;
    private final String brokerName;
    private final TimerDelivery timers;
    private final Transactions transactions;

    /**
     * Makes it; nothing is delivered and nobody asked before the broker {@linkplain #leads leads}.
     *
     * @param settings as they were at the start
     * @param live as they are now
     */
    Postponed(
            BrokerSettings settings,
            LiveSettings live,
            BrokerState state,
            MessageStore store,
            ProducerGroups producers,
            Clock clock,
            Scheduler scheduler,
            Executor workers) {
        this.store = store;
        this.producers = producers;
        this.workers = workers;
        this.brokerName = settings.name();
        this.timers = new TimerDelivery(
                state,
                store::message,
                store::committedPosition,
                store::startPosition,
                store::append,
                clock,
                scheduler,
                workers);
        this.transactions = new Transactions(
                settings.transactions(),
                () -> live.broker().transactions().checksMax(),
                state,
                store::message,
                store::readableMessage,
                store::startPosition,
                this::isWarm,
                store::append,
                this::producer,
                clock,
                scheduler,
                workers);
    }

    /** Whether a message can be read on an event loop: it was stored lately, by this process. */
    private boolean isWarm(long position) {
        return position >= store.committedPosition() - WARM_LOG_BYTES && store.isChecked(position, Integer.BYTES);
    }

    private Optional<Producers.Producer> producer(String group, int turn) {
        return producers
                .any(group, turn)
                .map(channel -> (question, body) -> channel.sendOneWay(CheckTransactionState.CODE, question, body));
    }

    void registerHandlers(HandlerTable table) {
        table.register(
                RecallMessage.CODE,
                Lane.WORKER,
                RecallMessage.Request::decode,
                timers.recallHandler(brokerName, store::find));
        table.register(EndTransaction.CODE, Lane.NET, EndTransaction.Request::decode, transactions.handler());
        table.register(
                ResumeCheckHalfMessage.CODE,
                Lane.WORKER,
                ResumeCheckHalfMessage.Request::decode,
                transactions.resumeHandler());
    }

    /** What the broker's status tells of them. */
    Map<String, String> figures() {
        return Map.of(
                "delayedMessagesGivenUp", Long.toString(timers.givenUp()),
                "delayedMessagesCarriedOver", Long.toString(timers.carriedOver()),
                "transactionsCarriedOver", Long.toString(transactions.carriedOver()));
    }

    /** The transactions, for those who look after them. */
    Transactions transactions() {
        return transactions;
    }

    /** Begins, or goes on: delivers first what fell due meanwhile. */
    @Override
    public void leads() {
        timers.leads();
        transactions.leads();
    }

    @Override
    public void follows() {
        timers.follows();
        transactions.follows();
    }

    /** What appends the messages again before their segments go. */
    CarryOver carryOver() {
        return CarryOver.both(timers.carryOver(), transactions.carryOver(), workers);
    }

    @Override
    public void arrived(QueueLog queue, long fromQueueOffset, long untilQueueOffset) {
        if (queue.topic().equals(Names.SCHEDULE_TOPIC)) {
            timers.committed();
        }
    }

    @Override
    public void close() {
        timers.close();
        transactions.close();
    }
}
