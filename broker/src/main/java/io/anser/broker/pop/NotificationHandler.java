package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.filter.Filters;
import io.anser.broker.filter.TagFilter;
import io.anser.protocol.operation.Notification;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Says whether a pop may find messages (operation 200054), now or within the time that the client is willing to wait. */
final class NotificationHandler implements Handler<Notification.Request> {
    private final PopRules rules;
    private final PopTopics topics;
    private final ParkingLot parkingLot;

    NotificationHandler(PopRules rules, PopTopics topics, ParkingLot parkingLot) {
        this.rules = rules;
        this.topics = topics;
        this.parkingLot = parkingLot;
    }

    @Override
    public void handle(Call call, Notification.Request request, ByteBuf body) {
        Optional<Refusal> refusal = rules.refusal(request.consumerGroup(), request.topic(), request.queueId());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        PopTopic topic = topics.of(request.consumerGroup(), request.topic());
        PopWish wish =
                new PopWish(request.queueId(), 1, 0, TagFilter.ALL, Filters.NONE, request.order(), request.attemptId());
        Asking asking = new Asking(call, topic, wish, parkingLot);
        try {
            long events = topic.line().events();
            if (topic.mayHave(wish)) {
                asking.answer(true, false);
            } else if (request.pollTime() <= 0) {
                asking.answer(false, false);
            } else if (!parkingLot.park(asking, request.pollTime(), events)) {
                asking.answer(false, true);
            }
        } catch (StoreException dropped) {
            Refusal.of(dropped).answer(call);
        }
    }

    /** A client that waits to be told. */
    private static final class Asking extends Waiting {
        private final PopWish wish;
        private final ParkingLot parkingLot;

        Asking(Call call, PopTopic topic, PopWish wish, ParkingLot parkingLot) {
            super(call, topic, wish.queueId());
            this.wish = wish;
            this.parkingLot = parkingLot;
        }

        void answer(boolean hasMessages, boolean full) {
            call().respond(new Notification.Response(hasMessages, full));
        }

        @Override
        boolean look() {
            if (isOver()) {
                return false;
            }
            long events = topic().line().events();
            try {
                if (topic().mayHave(wish)) {
                    parkingLot.end(this);
                    answer(true, false);
                    return false; // the messages are there for others
                }
            } catch (StoreException dropped) {
                parkingLot.end(this);
                Refusal.of(dropped).answer(call());
                return false;
            }
            topic().line().join(this, events);
            return !asksForOneQueue();
        }

        @Override
        void expire() {
            answer(false, false);
        }
    }
}
