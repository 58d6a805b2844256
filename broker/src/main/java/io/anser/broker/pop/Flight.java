package io.anser.broker.pop;

import io.anser.broker.metadata.LeaseChange;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueOffsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a look has taken, on its way into the log: it lands or goes back, once, though whoever is told of it may throw. */
final class Flight implements Outcome {
    private final PopTopic topic;
    private final List<Take> takes;
    private final Outcome outcome;
    private final AtomicBoolean ended = new AtomicBoolean();

    private Flight(PopTopic topic, List<Take> takes, Outcome outcome) {
        this.topic = topic;
        this.takes = takes;
        this.outcome = outcome;
    }

    /**
     * Proposes what was taken.
     *
     * @param takes at least one
     * @param outcome told once, also when this throws
     */
    static void begin(Proposals proposals, PopTopic topic, List<Take> takes, Outcome outcome) {
        Flight flight = new Flight(topic, takes, outcome);
        try {
            proposals.propose(flight.changes(), flight::isOvertaken, flight);
        } catch (RuntimeException | Error e) {
            flight.failed(new StoreException(StoreException.Kind.IO, "the pop could not be proposed", e));
            throw e;
        }
    }

    private List<LeaseChange> changes() {
        return takes.stream()
                .<LeaseChange>flatMap(take -> take.changes().stream())
                .toList();
    }

    private boolean isOvertaken() {
        return takes.stream()
                .anyMatch(take -> QueueOffsets.isClosed(take.queue().log()));
    }

    @Override
    public void committed() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        boolean awaited = false;
        for (Take take : takes) {
            take.queue().committed(take);
            awaited |= take.queue().isAwaited();
        }
        try {
            outcome.committed();
        } finally {
            if (awaited) {
                topic.line().signal(); // a pop asked for the same queue while this one was on its way
            }
        }
    }

    @Override
    public void failed(StoreException reason) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        takes.forEach(Take::undo);
        try {
            outcome.failed(reason);
        } finally {
            topic.line().signal();
        }
    }
}
