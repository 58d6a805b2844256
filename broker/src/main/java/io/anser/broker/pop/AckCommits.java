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
     * @param outcome told once
     */
    record Ack(QueueKey queue, QueueLeases leases, LeaseId lease, int mask, Outcome outcome) {}

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
        Outcome landing = new Outcome() {
            @Override
            public void committed() {
                flying.set(false);
                try {
                    Outcome.tellAll(acks.stream().map(Ack::outcome).toList(), Outcome::committed);
                } finally {
                    fly();
                }
            }

            @Override
            public void failed(StoreException reason) {
                acks.forEach(ack -> ack.leases().release(ack.lease(), ack.mask()));
                // One that came meanwhile for the same message has its mark again before it flies.
                waiting.forEach(ack -> ack.leases().claimAck(ack.lease(), ack.mask()));
                flying.set(false);
                try {
                    Outcome.tellAll(acks.stream().map(Ack::outcome).toList(), outcome -> outcome.failed(reason));
                } finally {
                    fly();
                }
            }
        };
        try {
            proposals.propose(changes, landing);
        } catch (RuntimeException | Error e) {
            landing.failed(new StoreException(StoreException.Kind.IO, "the acknowledgements could not be proposed", e));
            throw e;
        }
    }
}
