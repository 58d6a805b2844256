package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.BrokerState;
import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.SubscriptionGroupTable;
import io.anser.protocol.operation.GetAllSubscriptionGroupConfig;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.TreeMap;

/** Lists the configurations of all consumer groups (code 201), always all in one answer. */
final class GetAllSubscriptionGroupConfigHandler implements Handler<GetAllSubscriptionGroupConfig.Request> {
    private final BrokerState state;

    /** Makes the handler. */
    GetAllSubscriptionGroupConfigHandler(BrokerState state) {
        this.state = state;
    }

    @Override
    public void handle(Call call, GetAllSubscriptionGroupConfig.Request request, ByteBuf body) {
        DataVersion version = new DataVersion(state.starts(), 0, state.groups().version());
        Map<String, SubscriptionGroupConfig> configs = new TreeMap<>();
        for (SubscriptionGroupConfig config : state.groups().all()) {
            configs.put(config.groupName(), config);
        }
        Bodies.answer(
                call,
                new GetAllSubscriptionGroupConfig.Response(configs.size()),
                new SubscriptionGroupTable(configs, version));
    }
}
