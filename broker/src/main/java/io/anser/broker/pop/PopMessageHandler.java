package io.anser.broker.pop;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.filter.BadExpressionException;
import io.anser.broker.filter.Filters;
import io.anser.broker.filter.OthersFilter;
import io.anser.broker.filter.Subscription;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.RequestStep;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.PopMessage;
import io.anser.store.file.StoreException;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Hands out messages that nobody else of the group has (operation 200050): checks the request, gives a group that is new its
 * place in the queues, looks, and parks the pop where there is nothing yet. Runs on the event loop of the connection.
 */
final class PopMessageHandler implements Handler<PopMessage.Request> {
    private final PopRules rules;
    private final Filters filters;
    private final OtherWishes otherWishes;
    private final GroupCreation groups;
    private final PopTopics topics;
    private final PopStart start;
    private final Pops pops;

    PopMessageHandler(
            PopRules rules,
            Filters filters,
            OtherWishes otherWishes,
            GroupCreation groups,
            PopTopics topics,
            PopStart start,
            Pops pops) {
        this.rules = rules;
        this.filters = filters;
        this.otherWishes = otherWishes;
        this.groups = groups;
        this.topics = topics;
        this.start = start;
        this.pops = pops;
    }

    @Override
    public void handle(Call call, PopMessage.Request request, ByteBuf body) {
        if (pops.deliveries().allows(call.connection())) {
            pop(call, request);
        } else {
            pops.deliveries()
                    .hold(
                            call,
                            () -> pop(call, request),
                            reason -> call.respond(
                                    ResponseCode.POLLING_TIMEOUT,
                                    reason,
                                    PopMessage.Response.NOTHING,
                                    Unpooled.EMPTY_BUFFER));
        }
    }

    private void pop(Call call, PopMessage.Request request) {
        Optional<Refusal> refusal = rules.refusal(request.consumerGroup(), request.topic(), request.queueId())
                .or(() -> rules.refusal(request.maxMsgNums(), request.invisibleTime()))
                .or(() -> rules.refusal(request.attemptId()));
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        try {
            Subscription asked = new Subscription(request.topic(), request.expType(), request.exp(), 0);
            OthersFilter others = otherWishes.of(call.connection(), request.consumerGroup(), asked);
            PopWish wish = PopWish.of(request, filters, others);
            Thread loop = Thread.currentThread();
            groups.ensure(request.consumerGroup(), new RequestStep(call) {
                @Override
                protected void goOn() {
                    start(call, request, wish, loop);
                }
            });
        } catch (BadExpressionException bad) {
            call.respond(ResponseCode.SUBSCRIPTION_PARSE_FAILED, bad.reason());
        }
    }

    private void start(Call call, PopMessage.Request request, PopWish wish, Thread loop) {
        PopTopic topic = topics.of(request.consumerGroup(), request.topic());
        Pop pop = new Pop(call, topic, pops, wish, request.pollTime());
        List<PopQueue> notStarted = topic.notStarted(wish);
        if (notStarted.isEmpty()) {
            onLoop(pop, loop);
            return;
        }
        start.start(notStarted, request.initMode(), new Outcome() {
            @Override
            public void committed() {
                onLoop(pop, loop);
            }

            @Override
            public void failed(StoreException reason) {
                Refusal.of(reason).answer(call);
            }
        });
    }

    /** A pop is begun on its own loop, which the outcome of a change may not be told on. */
    private static void onLoop(Pop pop, Thread loop) {
        if (Thread.currentThread() == loop) {
            pop.begin();
            return;
        }
        try {
            pop.loop().execute(pop::begin);
        } catch (RejectedExecutionException ended) {
            pop.call().respond(ResponseCode.SYSTEM_BUSY, "the broker stops");
        }
    }
}
