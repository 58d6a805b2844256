package io.anser.broker.pull;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.filter.BadExpressionException;
import io.anser.broker.filter.Filters;
import io.anser.broker.filter.MessageFilter;
import io.anser.broker.filter.OthersFilter;
import io.anser.broker.filter.Subscription;
import io.anser.broker.flow.Deliveries;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.read.ColdReads;
import io.anser.broker.role.ReadingPlace;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.PullMessage;
import io.anser.store.MessageStore;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Answers a pull (operations 11 and 361): checks it, reads, and parks it where there is nothing yet and the client is
 * willing to wait. Runs on the event loop of the connection.
 */
public final class PullMessageHandler implements Handler<PullMessage.Request> {
    private final TopicTable topics;
    private final GroupCreation groups;
    private final Subscriptions subscriptions;
    private final Filters filters;
    private final GroupOffsets offsets;
    private final GroupMoves moves;
    private final PullLimits limits;
    private final Deliveries deliveries;
    private final ReadingPlace place;
    private final LongSupplier committedPosition;
    private final QueueReader reader;
    private final ParkedPulls parkedPulls;
    private final ColdReads coldReads;

    /**
     * Makes the handler of one broker.
     *
     * @param coldReads for reads that may wait for the device
     * @param place tells where consumers read on
     */
    public PullMessageHandler(
            TopicTable topics,
            GroupCreation groups,
            MessageStore store,
            Scheduler scheduler,
            ColdReads coldReads,
            Subscriptions subscriptions,
            Filters filters,
            GroupOffsets offsets,
            GroupMoves moves,
            PullLimits limits,
            Deliveries deliveries,
            ReadingPlace place) {
        this.topics = topics;
        this.groups = groups;
        this.subscriptions = subscriptions;
        this.filters = filters;
        this.offsets = offsets;
        this.moves = moves;
        this.limits = limits;
        this.deliveries = deliveries;
        this.place = place;
        this.committedPosition = store::committedPosition;
        this.reader = new QueueReader(store, limits.maxScanned(), place::mayLag);
        this.parkedPulls = new ParkedPulls(limits, reader, scheduler);
        this.coldReads = coldReads;
    }

    /** Returns the pulls that wait; whoever composes the broker tells them of messages and of closed connections. */
    public ParkedPulls parkedPulls() {
        return parkedPulls;
    }

    @Override
    public void handle(Call call, PullMessage.Request request, ByteBuf body) {
        if (deliveries.allows(call.connection())) {
            pull(call, request);
        } else {
            deliveries.hold(call, () -> pull(call, request), reason -> comeAgain(call, request, reason));
        }
    }

    /** An answer without messages that has the client pull from the same offset at once, and no consumer take for an end. */
    private void comeAgain(Call call, PullMessage.Request request, String reason) {
        Optional<Topic> topic = topics.find(request.topic()).filter(found -> found.hasQueue(request.queueId()));
        if (topic.isEmpty()) {
            pull(call, request); // which is refused
            return;
        }
        try {
            QueueLog queue = topic.get().queue(request.queueId());
            PullMessage.Response fields = new PullMessage.Response(
                    place.brokerId(request.consumerGroup(), -1),
                    request.queueOffset(),
                    queue.minOffset(),
                    queue.maxOffset());
            call.respond(ResponseCode.PULL_RETRY_IMMEDIATELY, reason, fields, Unpooled.EMPTY_BUFFER);
        } catch (StoreException dropped) {
            Refusal.of(dropped).answer(call);
        }
    }

    private void pull(Call call, PullMessage.Request request) {
        Optional<Topic> found = topics.find(request.topic());
        if (found.isEmpty()) {
            call.respond(ResponseCode.TOPIC_NOT_EXIST, "topic=" + request.topic() + " does not exist");
            return;
        }
        Topic topic = found.get();
        Optional<Refusal> refusal = refusal(topic, request);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        try {
            Subscription asked = asked(call, request);
            MessageFilter filter = filters.of(asked);
            OthersFilter others = subscriptions.others(call.connection(), request.consumerGroup(), asked);
            recordOffset(request);
            PullQuery query = new PullQuery(
                    topic.queue(request.queueId()),
                    request.queueOffset(),
                    Math.min(request.maxMsgNums(), limits.maxMessages()),
                    maxBytes(request.maxMsgBytes()),
                    filter,
                    others,
                    at -> moves.target(request.consumerGroup(), request.topic(), request.queueId(), at));
            answer(
                    new CallAnswer(
                            call, request.topic(), request.consumerGroup(), deliveries, place, committedPosition),
                    query,
                    request);
        } catch (RefusedPullException refused) {
            refused.refusal().answer(call);
        } catch (BadExpressionException bad) {
            call.respond(ResponseCode.SUBSCRIPTION_PARSE_FAILED, bad.reason());
        } catch (StoreException dropped) {
            Refusal.of(dropped).answer(call);
        }
    }

    private Optional<Refusal> refusal(Topic topic, PullMessage.Request request) {
        String group = request.consumerGroup();
        Optional<Refusal> unusable = groups.refusal(group).or(() -> groups.readRefusal(group, topic.name()));
        if (unusable.isPresent()) {
            return unusable;
        }
        if (!topic.readable()) {
            return refuse(
                    ResponseCode.NO_PERMISSION,
                    "topic=" + topic.name() + " may not be read: perm="
                            + topic.config().perm());
        }
        int queues = topic.config().readQueueNums();
        if (request.queueId() < 0 || request.queueId() >= queues) {
            return refuse(
                    ResponseCode.SYSTEM_ERROR,
                    "queueId=" + request.queueId() + " is not in [0," + queues + ") of topic=" + topic.name());
        }
        if (request.maxMsgNums() < 1) { // no client of Apache's sends it: they check what they are told
            return refuse(
                    ResponseCode.INVALID_PARAMETER,
                    "maxMsgNums=" + request.maxMsgNums() + " is below 1; an answer has at most " + limits.maxMessages()
                            + " messages");
        }
        return Optional.empty();
    }

    private static Optional<Refusal> refuse(int code, String remark) {
        return Optional.of(new Refusal(code, remark));
    }

    private Subscription asked(Call call, PullMessage.Request request) {
        if ((request.sysFlag() & PullMessage.FLAG_CLASS_FILTER) != 0) {
            throw new RefusedPullException(
                    ResponseCode.SUBSCRIPTION_PARSE_FAILED,
                    "class filters are not supported: sysFlag=" + request.sysFlag());
        }
        if ((request.sysFlag() & PullMessage.FLAG_SUBSCRIPTION) != 0) {
            return new Subscription(
                    request.topic(), request.expressionType(), request.subscription(), request.subVersion());
        }
        String group = request.consumerGroup();
        Subscription known = subscriptions
                .find(call.connection(), group, request.topic())
                .orElseThrow(() -> new RefusedPullException(
                        ResponseCode.SUBSCRIPTION_NOT_EXIST,
                        "consumerGroup=" + group + " has no subscription to topic=" + request.topic()
                                + ": no heartbeat has brought one yet"));
        if (known.version() < request.subVersion()) {
            throw new RefusedPullException(
                    ResponseCode.SUBSCRIPTION_NOT_LATEST,
                    "consumerGroup=" + group + " topic=" + request.topic() + " subVersion=" + request.subVersion()
                            + " is newer than the last heartbeat's " + known.version());
        }
        return known;
    }

    private void recordOffset(PullMessage.Request request) {
        if ((request.sysFlag() & PullMessage.FLAG_COMMIT_OFFSET) != 0) {
            offsets.record(request.consumerGroup(), request.topic(), request.queueId(), request.commitOffset());
        }
    }

    private int maxBytes(int asked) {
        return asked <= 0 ? limits.maxBytes() : Math.min(asked, limits.maxBytes());
    }

    private void answer(PullAnswer answer, PullQuery query, PullMessage.Request request) {
        PullResult result;
        try {
            result = reader.read(query);
        } catch (StoreException failed) {
            answer.fail(failed);
            return;
        }
        if (result.status() == PullResult.Status.COLD) {
            coldReads.add(new ColdPull(reader, answer, query.from(result.nextOffset())));
            return;
        }
        if (result.status() == PullResult.Status.OUT_OF_RANGE && query.queueOffset() < 0) {
            answer.respond(withoutOffset(result, request));
            return;
        }
        boolean nothing =
                result.status() == PullResult.Status.AT_END || result.status() == PullResult.Status.LEFT_TO_OTHERS;
        boolean wait =
                nothing && (request.sysFlag() & PullMessage.FLAG_SUSPEND) != 0 && request.suspendTimeoutMillis() > 0;
        if (!wait || !parkedPulls.park(answer, query.from(result.nextOffset()), request.suspendTimeoutMillis())) {
            answer.respond(result);
        }
    }

    /** A client that asks for a negative offset has none: it goes on where its group is, which is not the beginning. */
    private PullResult withoutOffset(PullResult result, PullMessage.Request request) {
        long current = offsets.current(request.consumerGroup(), request.topic(), request.queueId());
        boolean usable = current >= result.minOffset() && current <= result.maxOffset();
        return usable ? PullResult.none(result.status(), current, result.minOffset(), result.maxOffset()) : result;
    }
}
