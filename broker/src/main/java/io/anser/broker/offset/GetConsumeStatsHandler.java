package io.anser.broker.offset;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.traffic.TopicTraffic;
import io.anser.protocol.body.ConsumeStats;
import io.anser.protocol.body.ConsumedQueue;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.operation.GetConsumeStats;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Tells how far a group has come (operation 208). Runs on a worker: the messages it looks at may be cold. */
public final class GetConsumeStatsHandler implements Handler<GetConsumeStats.Request> {
    private final TopicTable topics;
    private final GroupProgress progress;
    private final TopicTraffic traffic;

    GetConsumeStatsHandler(TopicTable topics, GroupProgress progress, TopicTraffic traffic) {
        this.topics = topics;
        this.progress = progress;
        this.traffic = traffic;
    }

    @Override
    public void handle(Call call, GetConsumeStats.Request request, ByteBuf body) {
        Map<MessageQueue, ConsumedQueue> queues = new TreeMap<>();
        double perSecond = 0;
        for (String name : asked(request)) {
            Optional<Topic> topic = topics.find(name);
            if (topic.isPresent()) {
                queues.putAll(progress.in(topic.get(), request.consumerGroup()));
                perSecond += traffic.deliveredPerSecond(name, request.consumerGroup());
            }
        }
        Bodies.answer(call, new ConsumeStats(queues, perSecond));
    }

    private Collection<String> asked(GetConsumeStats.Request request) {
        if (!request.topic().isBlank()) {
            return List.of(request.topic());
        }
        return request.topicList().isBlank()
                ? progress.topics(request.consumerGroup())
                : Arrays.stream(request.topicList().split(";"))
                        .filter(topic -> !topic.isBlank())
                        .toList();
    }
}
