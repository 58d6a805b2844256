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
    private final Pops pops;

    NotificationHandler(PopRules rules, PopTopics topics, Pops pops) {
        this.rules = rules;
        this.topics = topics;
        this.pops = pops;
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
        Asking asking = new Asking(call, topic, wish, pops);
        try {
            long events = topic.line().events();
            if (topic.mayHave(wish, pops.nowMillis())) {
                asking.answer(true, false);
            } else if (request.pollTime() <= 0) {
                asking.answer(false, false);
            } else if (!pops.parkingLot().park(asking, request.pollTime(), events)) {
                asking.answer(false, true);
            }
        } catch (StoreException dropped) {
            Refusal.of(dropped).answer(call);
        }
    }

    /** A client that waits to be told. */
    private static final class Asking extends Waiting {
        private final PopWish wish;
        private final Pops pops;

        Asking(Call call, PopTopic topic, PopWish wish, Pops pops) {
            super(call, topic, wish.queueId());
            this.wish = wish;
            this.pops = pops;
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
                Optional<Refusal> refusal = pops.refusal(topic());
                if (refusal.isPresent()) {
                    pops.parkingLot().end(this);
                    refusal.get().answer(call());
                    return false;
                }
                if (topic().mayHave(wish, pops.nowMillis())) {
                    pops.parkingLot().end(this);
                    answer(true, false);
                    return false; // the messages are there for others
                }
            } catch (RuntimeException | Error e) {
                pops.parkingLot().end(this);
                call().fail(e);
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
