package io.anser.broker.metadata;

import io.anser.broker.adoption.OpenHalf;
import io.anser.broker.adoption.PoppedQueue;
import io.anser.broker.adoption.TakeOver;

/** Puts what an Apache broker had not finished into the state, as if it had been stored here. Used once. */
final class ApacheTakeOver implements TakeOver {
    private final TopicTable topics;
    private final OffsetTable offsets;
    private final TimerTable timers;
    private final TransactionTable transactions;
    private final LeaseTable leases;

    ApacheTakeOver(
            TopicTable topics,
            OffsetTable offsets,
            TimerTable timers,
            TransactionTable transactions,
            LeaseTable leases) {
        this.topics = topics;
        this.offsets = offsets;
        this.timers = timers;
        this.transactions = transactions;
        this.leases = leases;
    }

    @Override
    public boolean hasTopic(String topic) {
        return topics.find(topic).isPresent();
    }

    @Override
    public long committed(String group, String topic, int queueId) {
        return offsets.committed(group, topic, queueId);
    }

    @Override
    public void waits(long dueMillis, long position) {
        timers.add(new PendingTimer(dueMillis, position));
    }

    @Override
    public void opens(OpenHalf half) {
        transactions.add(new OpenTransaction(
                half.id(),
                half.queueOffset(),
                half.position(),
                half.position(),
                half.storedMillis(),
                OpenTransaction.seconds(half.immunity()),
                half.checks(),
                half.checkedMillis()));
    }

    @Override
    public void popped(PoppedQueue queue) {
        leases.adopt(queue);
    }
}
