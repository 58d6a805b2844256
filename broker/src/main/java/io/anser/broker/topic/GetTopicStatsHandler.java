package io.anser.broker.topic;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.traffic.TopicTraffic;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.TopicOffset;
import io.anser.protocol.body.TopicStatsTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.GetTopicStats;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Tells the offsets of all queues of a topic, and how many messages arrive (code 202). */
final class GetTopicStatsHandler implements Handler<GetTopicStats.Request> {
    private final TopicTable topics;
    private final StoredMessages messages;
    private final TopicTraffic traffic;
    private final String brokerName;

    /** Makes the handler. */
    GetTopicStatsHandler(TopicTable topics, StoredMessages messages, TopicTraffic traffic, String brokerName) {
        this.topics = topics;
        this.messages = messages;
        this.traffic = traffic;
        this.brokerName = brokerName;
    }

    @Override
    public void handle(Call call, GetTopicStats.Request request, ByteBuf body) {
        Optional<Topic> topic = topics.find(request.topic());
        if (topic.isEmpty()) {
            call.respond(ResponseCode.TOPIC_NOT_EXIST, "topic=" + request.topic() + " does not exist");
            return;
        }
        Map<MessageQueue, TopicOffset> offsets = new TreeMap<>();
        for (int queueId = 0; queueId < topic.get().queueCount(); queueId++) {
            QueueLog queue = topic.get().queue(queueId);
            offsets.put(new MessageQueue(request.topic(), brokerName, queueId), offsets(queue));
        }
        Bodies.answer(call, new TopicStatsTable(offsets, traffic.storedPerSecond(request.topic())));
    }

    private TopicOffset offsets(QueueLog queue) {
        long max = queue.maxOffset();
        QueueCursor cursor = new QueueCursor();
        long lastStored = 0;
        if (cursor.seek(queue, max - 1)) {
            lastStored = messages.message(cursor.position())
                    .map(message ->
                            new MessageView().wrap(message, message.position()).storeTimestamp())
                    .orElse(0L);
        }
        return new TopicOffset(queue.minOffset(), max, lastStored);
    }
}
