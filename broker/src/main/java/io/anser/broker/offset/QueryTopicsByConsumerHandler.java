package io.anser.broker.offset;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.OffsetTable;
import io.anser.protocol.body.TopicList;
import io.anser.protocol.operation.QueryTopicsByConsumer;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Lists the topics that a group has an offset in, or that a member of it wants now (operation 343). */
public final class QueryTopicsByConsumerHandler implements Handler<QueryTopicsByConsumer.Request> {
    private final OffsetTable offsets;
    private final GroupAtWork members;
    private final Supplier<String> address;

    /**
     * Makes the handler of one broker.
     *
     * @param address the broker's {@code host:port}
     */
    public QueryTopicsByConsumerHandler(OffsetTable offsets, GroupAtWork members, Supplier<String> address) {
        this.offsets = offsets;
        this.members = members;
        this.address = address;
    }

    @Override
    public void handle(Call call, QueryTopicsByConsumer.Request request, ByteBuf body) {
        Set<String> topics = new TreeSet<>(offsets.topics(request.group()));
        topics.addAll(members.topics(request.group()));
        Bodies.answer(call, new TopicList(topics, address.get()));
    }
}
