package io.anser.broker.offset;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.GroupTable;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.offset.OffsetMoves.Place;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.QueueOffsetTable;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.ResetOffset;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.TimeBoundary;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a consumer group to another place of a topic (operation 222), by time or by offset, in one queue or all, whether
 * somebody of it is online or not, and whether it pulls or pops. The answer comes when the new place is committed: no
 * member reads from the old one afterwards. Members that keep their offsets themselves (broadcasting) are told to move, by
 * 220, and say nothing to it. Runs on a worker: finding an offset by time may read cold messages.
 */
public final class ResetOffsetHandler implements Handler<ResetOffset.Request> {
    /** A timestamp that means the end of the queue. */
    private static final long AT_END = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ResetOffsetHandler.class);

    private final TopicTable topics;
    private final GroupTable groups;
    private final OffsetCommits commits;
    private final OffsetMoves moves;
    private final GroupAtWork members;
    private final String brokerName;

    /** Makes the handler of one broker. */
    public ResetOffsetHandler(
            TopicTable topics, GroupTable groups, OffsetCommits commits, GroupAtWork members, String brokerName) {
        this.topics = topics;
        this.groups = groups;
        this.commits = commits;
        this.moves = new OffsetMoves(commits, members);
        this.members = members;
        this.brokerName = brokerName;
    }

    @Override
    public void handle(Call call, ResetOffset.Request request, ByteBuf body) {
        Optional<Topic> topic = topics.find(request.topic());
        Optional<Refusal> refusal = topic.isEmpty()
                ? refuse(ResponseCode.TOPIC_NOT_EXIST, "topic=" + request.topic() + " does not exist")
                : refusal(topic.get(), request);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        Map<QueueKey, Place> places = places(topic.orElseThrow(), request);
        QueueOffsetTable table = table(places);
        members.tell(request.group(), ResetOffset.CLIENT_CODE, request, table.write());
        if (members.keepsOffsets(request.group())) {
            Bodies.answer(call, table);
            return;
        }
        moves.move(places, new RequestStep(call) {
            @Override
            protected void goOn() {
                LOG.info(
                        "offsets reset group={} topic={} queues={} timestamp={} offset={}",
                        request.group(),
                        request.topic(),
                        places.size(),
                        request.timestamp(),
                        request.offset());
                Bodies.answer(call, table);
            }
        });
    }

    private Optional<Refusal> refusal(Topic topic, ResetOffset.Request request) {
        if (groups.find(request.group()).isEmpty()) {
            return refuse(ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST, "group=" + request.group() + " does not exist");
        }
        if (request.queueId() < 0) {
            return request.offset() < 0
                    ? Optional.empty()
                    : refuse(
                            ResponseCode.INVALID_PARAMETER,
                            "offset=" + request.offset() + " needs a queueId: queues have offsets of their own");
        }
        if (!topic.hasQueue(request.queueId())) {
            return refuse(
                    ResponseCode.INVALID_PARAMETER,
                    "queueId=" + request.queueId() + " is not in [0," + topic.queueCount() + ") of topic="
                            + topic.name());
        }
        QueueLog queue = topic.queue(request.queueId());
        long min = queue.minOffset();
        long max = queue.maxOffset();
        boolean outside = request.offset() >= 0 && (request.offset() < min || request.offset() > max);
        return outside
                ? refuse(
                        ResponseCode.INVALID_PARAMETER,
                        "offset=" + request.offset() + " is not in [" + min + "," + max + "] of topic=" + topic.name()
                                + " queueId=" + request.queueId())
                : Optional.empty();
    }

    private static Optional<Refusal> refuse(int code, String remark) {
        return Optional.of(new Refusal(code, remark));
    }

    private Map<QueueKey, Place> places(Topic topic, ResetOffset.Request request) {
        Map<QueueKey, Place> places = new TreeMap<>();
        int first = Math.max(0, request.queueId());
        int until = request.queueId() < 0 ? topic.queueCount() : request.queueId() + 1;
        for (int queueId = first; queueId < until; queueId++) {
            QueueKey key = new QueueKey(request.group(), request.topic(), queueId);
            QueueLog queue = topic.queue(queueId);
            long offset = request.offset() >= 0 ? request.offset() : byTime(key, queue, request);
            places.put(key, new Place(queue, offset));
        }
        return places;
    }

    /** The offset that the time means; where the group may only go back, at most the one where it is. */
    private long byTime(QueueKey key, QueueLog queue, ResetOffset.Request request) {
        long asked = request.timestamp() == AT_END
                ? queue.maxOffset()
                : queue.offsetByTime(request.timestamp(), TimeBoundary.LOWER);
        long current = commits.current(key);
        return request.force() || current == OffsetTable.NONE ? asked : Math.min(asked, current);
    }

    private QueueOffsetTable table(Map<QueueKey, Place> places) {
        Map<MessageQueue, Long> offsets = new TreeMap<>();
        places.forEach((queue, place) ->
                offsets.put(new MessageQueue(queue.topic(), brokerName, queue.queueId()), place.offset()));
        return new QueueOffsetTable(offsets);
    }
}
