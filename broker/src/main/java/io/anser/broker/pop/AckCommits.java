package io.anser.broker.pop;

import io.anser.broker.metadata.LeaseChange.Settled;
import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.store.file.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Acknowledgements on their way into the log, merged: one proposal is on its way at a time, and those that come meanwhile are
 * the next one, of which all of a lease are one change. Each is told when it is committed. Any thread.
 */
final class AckCommits {
    /** Most acknowledgements in one proposal. */
    static final int MAX_ACKS = 4096;

    private final Proposals proposals;
    // Each belongs to a call that is not answered yet; the transport bounds how many of those there are.
    private final Queue<Ack> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean flying = new AtomicBoolean();
    private final AtomicBoolean flightAsked = new AtomicBoolean();

    AckCommits(Proposals proposals) {
        this.proposals = proposals;
    }

    /**
     * Messages of a lease that are done with; they are marked as such.
     *
     * @param queue the queue as the group sees it
     * @param leases its leases
     * @param lease which lease
     * @param mask bits of the messages
     * @param outcome told once; if it has failed, after the marks were taken away
     */
    record Ack(QueueKey queue, QueueLeases leases, LeaseId lease, int mask, Outcome outcome) implements Outcome {
        @Override
        public void committed() {
            outcome.committed();
        }

        @Override
        public void failed(StoreException reason) {
            leases.releaseAck(lease, mask);
            outcome.failed(reason);
        }
    }

    /** What an acknowledgement is about. */
    private record Subject(QueueKey queue, LeaseId lease) {}

    /**
     * Takes one on its way.
     *
     * @param loop the event loop that brought it: what it reads in the same turn goes along
     */
    void add(Ack ack, Executor loop) {
        waiting.add(ack);
        if (!flying.get() && flightAsked.compareAndSet(false, true)) {
            try {
                loop.execute(this::flyNow);
            } catch (RejectedExecutionException ended) {
                flyNow(); // the process stops
            }
        }
    }

    private void flyNow() {
        flightAsked.set(false);
        fly();
    }

    private void fly() {
        while (!waiting.isEmpty() && flying.compareAndSet(false, true)) {
            List<Ack> acks = new ArrayList<>();
            List<Settled> changes = drain(acks);
            if (!acks.isEmpty()) {
                propose(acks, changes);
                return;
            }
            flying.set(false);
        }
    }

    private List<Settled> drain(List<Ack> acks) {
        Map<Subject, Integer> masks = new LinkedHashMap<>();
        while (acks.size() < MAX_ACKS && masks.size() < Proposals.MAX_CHANGES) {
            Ack ack = waiting.poll();
            if (ack == null) {
                break;
            }
            acks.add(ack);
            masks.merge(new Subject(ack.queue(), ack.lease()), ack.mask(), (one, other) -> one | other);
        }
        List<Settled> changes = new ArrayList<>(masks.size());
        masks.forEach((subject, mask) -> changes.add(new Settled(subject.queue(), subject.lease(), mask)));
        return changes;
    }

    private void propose(List<Ack> acks, List<Settled> changes) {
        Landing landing = new Landing(acks);
        try {
            proposals.propose(changes, landing);
        } catch (RuntimeException | Error e) {
            landing.failed(new StoreException(StoreException.Kind.IO, "the acknowledgements could not be proposed", e));
            throw e;
        }
    }

    /** The end of one proposal. It comes once, though whoever is told of it may throw. */
    private final class Landing implements Outcome {
        private final List<Ack> acks;
        private final AtomicBoolean ended = new AtomicBoolean();

        Landing(List<Ack> acks) {
            this.acks = acks;
        }

        @Override
        public void committed() {
            end(Outcome::committed);
        }

        @Override
        public void failed(StoreException reason) {
            end(outcome -> outcome.failed(reason));
        }

        private void end(Consumer<Outcome> how) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            flying.set(false);
            try {
                Outcome.tellAll(acks, how);
            } finally {
                fly();
            }
        }
    }
}
