package io.anser.broker.append;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.message.Names;
import io.anser.store.file.StoreException;
import java.util.function.IntSupplier;

/** The waiting room for messages that are put off. It is bounded, because what waits is kept in memory. Any thread. */
public final class Schedule {
    private final BrokerState state;
    private final IntSupplier maxWaiting;

    /**
     * Makes the waiting room.
     *
     * @param maxWaiting most messages that may wait, asked for each
     */
    public Schedule(BrokerState state, IntSupplier maxWaiting) {
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
        int limit = maxWaiting.getAsInt();
        if (waiting >= limit) {
            throw new StoreException(
                    StoreException.Kind.BUSY, "delayed messages waiting=" + waiting + " limit=" + limit);
        }
        Topic schedule = state.topics().find(Names.SCHEDULE_TOPIC).orElseThrow();
        return until.of(schedule, real);
    }
}
