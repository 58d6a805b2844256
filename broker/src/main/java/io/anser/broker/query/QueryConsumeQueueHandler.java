package io.anser.broker.query;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.filter.Filters;
import io.anser.broker.filter.MessageFilter;
import io.anser.broker.filter.Subscription;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.QueriedConsumeQueue;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.QueryConsumeQueue;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Shows entries of a queue of the index, and which of them a group's filter lets pass (operation 321). Runs on a worker. */
final class QueryConsumeQueueHandler implements Handler<QueryConsumeQueue.Request> {
    /** Most entries of one answer, about 100 bytes each. */
    static final int MAX_ENTRIES = 10_000;

    private static final String LOST = "the message is lost";

    private final TopicTable topics;
    private final Wishes wishes;
    private final Filters filters = new Filters();

    /** Makes the handler of one broker. */
    QueryConsumeQueueHandler(TopicTable topics, Wishes wishes) {
        this.topics = topics;
        this.wishes = wishes;
    }

    @Override
    public void handle(Call call, QueryConsumeQueue.Request request, ByteBuf body) {
        Optional<Topic> topic = topics.find(request.topic());
        Optional<Refusal> refusal = topic.isEmpty()
                ? Optional.of(new Refusal(ResponseCode.TOPIC_NOT_EXIST, "topic=" + request.topic() + " does not exist"))
                : refusal(topic.get(), request);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        QueueLog queue = topic.orElseThrow().queue(request.queueId());
        String group = request.consumerGroup();
        Optional<Subscription> wish = group.isEmpty() ? Optional.empty() : wishes.of(group, request.topic());
        MessageFilter filter =
                wish.map(filters::of).orElseGet(() -> filters.of(SubscriptionData.TAG, SubscriptionData.ALL));
        String about = group.isEmpty() || wish.isPresent() ? "" : group + "@" + request.topic() + " is not online";
        Bodies.answer(
                call,
                new QueriedConsumeQueue(
                        wish.map(QueryConsumeQueueHandler::data),
                        about,
                        entries(queue, request, filter),
                        queue.maxOffset(),
                        queue.minOffset()));
    }

    private static Optional<Refusal> refusal(Topic topic, QueryConsumeQueue.Request request) {
        if (!topic.hasQueue(request.queueId())) {
            return Optional.of(new Refusal(
                    ResponseCode.SYSTEM_ERROR,
                    "queueId=" + request.queueId() + " is not in [0," + topic.queueCount() + ") of topic="
                            + topic.name()));
        }
        return request.count() >= 0 && request.count() <= MAX_ENTRIES
                ? Optional.empty()
                : Optional.of(new Refusal(
                        ResponseCode.INVALID_PARAMETER, "count=" + request.count() + " allowed=0.." + MAX_ENTRIES));
    }

    private static SubscriptionData data(Subscription wish) {
        return new SubscriptionData(
                wish.topic(),
                wish.expression(),
                Set.of(),
                Set.of(),
                wish.version(),
                wish.withoutVersion().expressionType(),
                false);
    }

    private static List<QueriedConsumeQueue.Entry> entries(
            QueueLog queue, QueryConsumeQueue.Request request, MessageFilter filter) {
        List<QueriedConsumeQueue.Entry> entries = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        boolean there = request.count() > 0 && cursor.seek(queue, request.index());
        while (there) {
            entries.add(new QueriedConsumeQueue.Entry(
                    cursor.position(),
                    cursor.size(),
                    cursor.tagsHash(),
                    filter.mayAccept(cursor.tagsHash()),
                    cursor.size() == 0 ? LOST : ""));
            there = entries.size() < request.count() && cursor.next();
        }
        return entries;
    }
}
