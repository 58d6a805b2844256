package io.anser.broker.offset;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.OffsetTable;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.CorrectionOffsets;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.QueryCorrectionOffset;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells for each queue of a topic the lowest offset among all groups but some (operation 308); the largest number there is
 * where the group to compare with is below that.
 */
public final class QueryCorrectionOffsetHandler implements Handler<QueryCorrectionOffset.Request> {
    private final TopicTable topics;
    private final OffsetTable offsets;

    /** Makes the handler of one broker. */
    public QueryCorrectionOffsetHandler(TopicTable topics, OffsetTable offsets) {
        this.topics = topics;
        this.offsets = offsets;
    }

    @Override
    public void handle(Call call, QueryCorrectionOffset.Request request, ByteBuf body) {
        Optional<Topic> topic = topics.find(request.topic());
        if (topic.isEmpty()) {
            call.respond(ResponseCode.TOPIC_NOT_EXIST, "topic=" + request.topic() + " does not exist");
            return;
        }
        Set<String> left = new HashSet<>(Arrays.asList(request.filterGroups().split(",")));
        List<String> groups = offsets.groups(request.topic()).stream()
                .filter(group -> !left.contains(group))
                .toList();
        Map<Integer, Long> lowest = new TreeMap<>();
        for (int queueId = 0; queueId < topic.get().queueCount(); queueId++) {
            for (String group : groups) {
                long offset = offsets.committed(group, request.topic(), queueId);
                if (offset != OffsetTable.NONE) {
                    lowest.merge(queueId, offset, Math::min);
                }
            }
        }
        lowest.replaceAll((queueId, offset) -> {
            long compared = offsets.committed(request.compareGroup(), request.topic(), queueId);
            return compared != OffsetTable.NONE && offset > compared ? Long.MAX_VALUE : offset;
        });
        Bodies.answer(call, new CorrectionOffsets(lowest));
    }
}
