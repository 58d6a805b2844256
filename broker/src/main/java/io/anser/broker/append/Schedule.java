package io.anser.broker.append;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;

/** The waiting room for messages that are put off. It is bounded, because what waits is kept in memory. Any thread. */
public final class Schedule {
    private final BrokerState state;
    private final int maxWaiting;

    /**
     * Makes the waiting room.
     *
     * @param maxWaiting most messages that may wait
     */
    public Schedule(BrokerState state, int maxWaiting) {
        this.state = state;
        this.maxWaiting = maxWaiting;
    }

    /**
     * Returns the message to store instead of one that is put off.
     *
     * @param real the message as it is to be delivered
     * @throws StoreException BUSY if too many messages wait, DROPPED if the topic is being deleted
     */
    public NewMessage postponed(Postponement until, NewMessage real) {
        int waiting = state.timers().size();
        if (waiting >= maxWaiting) {
            throw new StoreException(
                    StoreException.Kind.BUSY, "delayed messages waiting=" + waiting + " limit=" + maxWaiting);
        }
        Topic schedule = state.topics().find(Names.SCHEDULE_TOPIC).orElseThrow();
        return until.of(schedule, real);
    }
}
