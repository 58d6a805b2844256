package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.operation.GetAllTopicConfig;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.TreeMap;

/** Lists the configurations of all topics (code 21), always all in one answer. */
final class GetAllTopicConfigHandler implements Handler<GetAllTopicConfig.Request> {
    private final BrokerState state;

    /** Makes the handler. */
    GetAllTopicConfigHandler(BrokerState state) {
        this.state = state;
    }

    @Override
    public void handle(Call call, GetAllTopicConfig.Request request, ByteBuf body) {
        DataVersion version = new DataVersion(state.starts(), 0, state.topics().version());
        Map<String, TopicConfig> configs = new TreeMap<>();
        for (Topic topic : state.topics().all()) {
            configs.put(topic.name(), topic.config());
        }
        Bodies.answer(call, new GetAllTopicConfig.Response(configs.size()), new TopicConfigTable(configs, version));
    }
}
