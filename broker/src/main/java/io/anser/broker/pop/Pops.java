package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.LeaseChange;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.pop.PopTopic.Taken;
import io.anser.broker.traffic.Traffic;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.PopMessage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueOffsets;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** What all pops share: the way of what they took into the log, workers for old messages, and the place to wait. Any thread. */
final class Pops {
    private final TopicTable topics;
    private final Proposals proposals;
    private final ParkingLot parkingLot;
    private final Executor workers;
    private final Clock clock;
    private final Traffic traffic;

    Pops(
            TopicTable topics,
            Proposals proposals,
            ParkingLot parkingLot,
            Executor workers,
            Clock clock,
            Traffic traffic) {
        this.topics = topics;
        this.proposals = proposals;
        this.parkingLot = parkingLot;
        this.workers = workers;
        this.clock = clock;
        this.traffic = traffic;
    }

    ParkingLot parkingLot() {
        return parkingLot;
    }

    long nowMillis() {
        return clock.wallMillis();
    }

    /** Why nobody can wait for the topic any more. */
    Optional<Refusal> refusal(PopTopic topic) {
        if (topic.isGone()) {
            return Optional.of(new Refusal(
                    ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumerGroup=" + topic.group() + " was deleted"));
        }
        return topics.find(topic.names().get(0)).isPresent()
                ? Optional.empty()
                : Optional.of(new Refusal(ResponseCode.TOPIC_NOT_EXIST, "the topic was deleted"));
    }

    /** Proposes what was taken and answers when it is committed; false if there is nothing to answer with. */
    boolean answered(Call call, PopTopic topic, PopWish wish, Taken taken) {
        if (taken.isEmpty()) {
            record(topic, taken.takes());
            return false;
        }
        propose(topic, taken.takes(), new PopAnswer(call, topic, wish, taken.takes(), traffic));
        return true;
    }

    /** Records that messages were passed over; nobody waits for that. */
    void record(PopTopic topic, List<Take> takes) {
        if (takes.isEmpty()) {
            return;
        }
        propose(topic, takes, new Outcome() {
            @Override
            public void committed() {
                takes.forEach(take -> take.queue().committed(take));
                if (takes.stream().anyMatch(take -> take.queue().isAwaited())) {
                    topic.line().signal();
                }
            }

            @Override
            public void failed(StoreException reason) {
                takes.forEach(Take::undo);
                topic.line().signal();
            }
        });
    }

    private void propose(PopTopic topic, List<Take> takes, Outcome outcome) {
        List<LeaseChange> changes = takes.stream()
                .<LeaseChange>flatMap(take -> take.changes().stream())
                .toList();
        try {
            proposals.propose(
                    changes,
                    () -> takes.stream()
                            .anyMatch(take -> QueueOffsets.isClosed(take.queue().log())),
                    outcome);
        } catch (RuntimeException | Error e) {
            takes.forEach(Take::undo);
            topic.line().signal();
            throw e;
        }
    }

    /** Lets a pop look where it may wait for the device. */
    void lookCold(Pop pop) {
        try {
            workers.execute(pop::lookCold);
        } catch (RejectedExecutionException busy) {
            pop.call()
                    .respond(
                            ResponseCode.SYSTEM_BUSY,
                            "too many old messages are being read; try again",
                            PopMessage.Response.NOTHING,
                            Unpooled.EMPTY_BUFFER);
        }
    }
}
