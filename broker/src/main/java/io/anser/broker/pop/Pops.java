package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.flow.Deliveries;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.pop.PopTopic.Taken;
import io.anser.broker.read.ColdReads;
import io.anser.protocol.frame.ResponseCode;
import io.anser.system.Clock;
import io.anser.transport.Call;
import java.util.List;
import java.util.Optional;

/** What all pops share: the way of what they took into the log, the reads of old messages, and the place to wait. Any thread. */
final class Pops {
    private final TopicTable topics;
    private final Proposals proposals;
    private final ParkingLot parkingLot;
    private final ColdReads coldReads;
    private final Clock clock;
    private final Deliveries deliveries;

    Pops(
            TopicTable topics,
            Proposals proposals,
            ParkingLot parkingLot,
            ColdReads coldReads,
            Clock clock,
            Deliveries deliveries) {
        this.topics = topics;
        this.proposals = proposals;
        this.parkingLot = parkingLot;
        this.coldReads = coldReads;
        this.clock = clock;
        this.deliveries = deliveries;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    ParkingLot parkingLot() {
        return parkingLot;
    }

    ColdReads coldReads() {
        return coldReads;
    }

    long nowMillis() {
        return clock.wallMillis();
    }

    /** Why nobody can wait for the topic any more. */
    Optional<Refusal> refusal(PopTopic topic) {
        if (topics.find(topic.names().get(0)).isEmpty()) {
            return Optional.of(new Refusal(ResponseCode.TOPIC_NOT_EXIST, "the topic was deleted"));
        }
        return topic.isGone()
                ? Optional.of(new Refusal(
                        ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumerGroup=" + topic.group() + " was deleted"))
                : Optional.empty();
    }

    /** Proposes what was taken and answers when it is committed; false if there is nothing to answer with. */
    boolean answered(Call call, PopTopic topic, PopWish wish, Taken taken) {
        if (taken.isEmpty()) {
            record(topic, taken.takes());
            return false;
        }
        Flight.begin(proposals, topic, taken.takes(), new PopAnswer(call, topic, wish, taken.takes(), deliveries));
        return true;
    }

    /** Records that messages were passed over; nobody waits for that. */
    void record(PopTopic topic, List<Take> takes) {
        if (!takes.isEmpty()) {
            Flight.begin(proposals, topic, takes, Outcome.IGNORED);
        }
    }
}
