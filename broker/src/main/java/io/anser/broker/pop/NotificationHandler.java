package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.filter.OthersFilter;
import io.anser.broker.filter.TagFilter;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.RequestStep;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.Notification;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/** Says whether a pop may find messages (operation 200054), now or within the time that the client is willing to wait. */
final class NotificationHandler implements Handler<Notification.Request> {
    private final PopRules rules;
    private final GroupCreation groups;
    private final PopTopics topics;
    private final Pops pops;

    NotificationHandler(PopRules rules, GroupCreation groups, PopTopics topics, Pops pops) {
        this.rules = rules;
        this.groups = groups;
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
        // What waits in memory belongs to a group that exists, of which there is a bounded number.
        groups.ensure(request.consumerGroup(), new RequestStep(call) {
            @Override
            protected void goOn() {
                onLoop(call, () -> begin(call, request));
            }
        });
    }

    /** The outcome of a change may be told on another thread. */
    private static void onLoop(Call call, Runnable task) {
        try {
            call.connection().executor().execute(task);
        } catch (RejectedExecutionException ended) {
            call.respond(ResponseCode.SYSTEM_BUSY, "the broker stops");
        }
    }

    private void begin(Call call, Notification.Request request) {
        try {
            PopTopic topic = topics.of(request.consumerGroup(), request.topic());
            PopWish wish = new PopWish(
                    request.queueId(), 1, 0, TagFilter.ALL, OthersFilter.NONE, request.order(), request.attemptId());
            Asking asking = new Asking(call, topic, wish, pops);
            long events = topic.line().events();
            if (topic.mayHave(wish, pops.nowMillis())) {
                asking.answer(true, false);
            } else if (request.pollTime() <= 0 || !call.connection().isOpen()) {
                asking.answer(false, false);
            } else if (!pops.parkingLot().park(asking, request.pollTime(), events)) {
                asking.answer(false, true);
            }
        } catch (StoreException dropped) {
            Refusal.of(dropped).answer(call);
        } catch (RuntimeException | Error e) {
            call.fail(e);
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
        public boolean look() {
            if (isOver()) {
                return false;
            }
            long events = topic().line().events();
            if (topic().isLeft()) {
                pops.parkingLot().end(this);
                expire();
                return false;
            }
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
