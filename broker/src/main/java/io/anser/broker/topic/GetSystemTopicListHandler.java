package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.TopicList;
import io.anser.protocol.frame.FieldSource;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Lists the topics that the broker keeps for itself (code 305). */
final class GetSystemTopicListHandler implements Handler<FieldSource> {
    private final TopicTable topics;
    private final Supplier<String> address;

    /**
     * Makes the handler.
     *
     * @param address the broker's {@code host:port}
     */
    GetSystemTopicListHandler(TopicTable topics, Supplier<String> address) {
        this.topics = topics;
        this.address = address;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Set<String> kept = topics.all().stream()
                .map(Topic::name)
                .filter(topics::isKeptByBroker)
                .collect(Collectors.toCollection(TreeSet::new));
        Bodies.answer(call, new TopicList(kept, address.get()));
    }
}
