package io.anser.broker.offset;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.OffsetTable;
import io.anser.protocol.body.ConsumerOffsetTable;
import io.anser.protocol.body.DataVersion;
import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.TreeMap;

/** Lists the committed offsets of all groups (operation 43). */
public final class GetAllConsumerOffsetHandler implements Handler<FieldSource> {
    private final OffsetTable offsets;

    /** Makes the handler of one broker. */
    public GetAllConsumerOffsetHandler(OffsetTable offsets) {
        this.offsets = offsets;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Map<String, Map<Integer, Long>> table = new TreeMap<>();
        offsets.all()
                .forEach((queue, offset) -> table.computeIfAbsent(
                                queue.topic() + "@" + queue.group(), name -> new TreeMap<>())
                        .put(queue.queueId(), offset));
        Bodies.answer(call, new ConsumerOffsetTable(table, DataVersion.ZERO));
    }
}
