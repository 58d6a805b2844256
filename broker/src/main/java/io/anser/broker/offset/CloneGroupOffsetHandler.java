package io.anser.broker.offset;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.offset.OffsetMoves.Place;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.CloneGroupOffset;
import io.anser.store.queue.QueueLog;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Puts a group where another one is (operation 314); retry topics, which belong to one group, are left alone. The answer
 * comes when the new places are committed.
 */
public final class CloneGroupOffsetHandler implements Handler<CloneGroupOffset.Request> {
    private final TopicTable topics;
    private final GroupCreation groups;
    private final OffsetTable offsets;
    private final OffsetCommits commits;
    private final OffsetMoves moves;
    private final GroupAtWork members;

    /** Makes the handler of one broker. */
    public CloneGroupOffsetHandler(
            TopicTable topics, GroupCreation groups, OffsetTable offsets, OffsetCommits commits, GroupAtWork members) {
        this.topics = topics;
        this.groups = groups;
        this.offsets = offsets;
        this.commits = commits;
        this.moves = new OffsetMoves(commits, members);
        this.members = members;
    }

    @Override
    public void handle(Call call, CloneGroupOffset.Request request, ByteBuf body) {
        Optional<Refusal> refusal = refusal(request);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        Map<QueueKey, Place> places = places(request);
        if (places.isEmpty()) {
            call.respond(
                    ResponseCode.QUERY_NOT_FOUND,
                    "srcGroup=" + request.srcGroup() + " has no offset"
                            + (request.topic().isEmpty() ? "" : " in topic=" + request.topic()));
            return;
        }
        groups.ensure(request.destGroup(), new RequestStep(call) {
            @Override
            protected void goOn() {
                moves.move(places, new RequestStep(call) {
                    @Override
                    protected void goOn() {
                        call.respond(FieldSource.NONE);
                    }
                });
            }
        });
    }

    private Optional<Refusal> refusal(CloneGroupOffset.Request request) {
        if (request.offline() && members.isOnline(request.destGroup())) {
            return Optional.of(new Refusal(
                    ResponseCode.INVALID_PARAMETER,
                    "destGroup=" + request.destGroup() + " has members online, and offline=true asks for none"));
        }
        return groups.refusal(request.destGroup());
    }

    private Map<QueueKey, Place> places(CloneGroupOffset.Request request) {
        Map<QueueKey, Place> places = new TreeMap<>();
        List<String> names = request.topic().isEmpty()
                ? offsets.topics(request.srcGroup()).stream()
                        .filter(name -> !Names.isRetryTopic(name))
                        .toList()
                : List.of(request.topic());
        for (String name : names) {
            topics.find(name).ifPresent(topic -> add(places, topic, request));
        }
        return places;
    }

    private void add(Map<QueueKey, Place> places, Topic topic, CloneGroupOffset.Request request) {
        for (int queueId = 0; queueId < topic.queueCount(); queueId++) {
            long offset = commits.current(new QueueKey(request.srcGroup(), topic.name(), queueId));
            if (offset != OffsetTable.NONE) {
                QueueLog queue = topic.queue(queueId);
                places.put(new QueueKey(request.destGroup(), topic.name(), queueId), new Place(queue, offset));
            }
        }
    }
}
