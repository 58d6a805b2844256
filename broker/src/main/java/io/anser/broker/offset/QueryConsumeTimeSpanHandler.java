package io.anser.broker.offset;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.QueueTimeSpans;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.QueryConsumeTimeSpan;
import io.anser.store.queue.QueueLog;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells from when to when the messages of a topic are, and how far in time a group has come (operation 303). Runs on a
 * worker: the messages it looks at may be cold.
 */
public final class QueryConsumeTimeSpanHandler implements Handler<QueryConsumeTimeSpan.Request> {
    private static final long NO_MESSAGE = -1;

    private final TopicTable topics;
    private final OffsetCommits commits;
    private final GroupProgress progress;
    private final Clock clock;
    private final String brokerName;

    QueryConsumeTimeSpanHandler(
            TopicTable topics, OffsetCommits commits, GroupProgress progress, Clock clock, String brokerName) {
        this.topics = topics;
        this.commits = commits;
        this.progress = progress;
        this.clock = clock;
        this.brokerName = brokerName;
    }

    @Override
    public void handle(Call call, QueryConsumeTimeSpan.Request request, ByteBuf body) {
        Optional<Topic> topic = topics.find(request.topic());
        if (topic.isEmpty()) {
            call.respond(ResponseCode.TOPIC_NOT_EXIST, "topic=" + request.topic() + " does not exist");
            return;
        }
        List<QueueTimeSpans.Span> spans = new ArrayList<>();
        for (int queueId = 0; queueId < topic.get().queueCount(); queueId++) {
            spans.add(span(topic.get().queue(queueId), request.group()));
        }
        Bodies.answer(call, new QueueTimeSpans(spans));
    }

    private QueueTimeSpans.Span span(QueueLog queue, String group) {
        long min = queue.minOffset();
        long max = queue.maxOffset();
        long oldest = progress.storeTime(queue, min, NO_MESSAGE);
        long committed = commits.current(new QueueKey(group, queue.topic(), queue.queueId()));
        long consumed = committed == OffsetTable.NONE ? min : committed;
        long next = progress.storeTime(queue, Math.max(min, consumed), clock.wallMillis());
        return new QueueTimeSpans.Span(
                new MessageQueue(queue.topic(), brokerName, queue.queueId()),
                oldest,
                progress.storeTime(queue, max - 1, NO_MESSAGE),
                progress.storeTime(queue, consumed - 1, oldest),
                consumed < max ? Math.max(0, clock.wallMillis() - next) : 0);
    }
}
