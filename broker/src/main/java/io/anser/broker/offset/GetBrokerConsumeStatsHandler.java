package io.anser.broker.offset;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.GroupTable;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.traffic.TopicTraffic;
import io.anser.protocol.body.ConsumeStats;
import io.anser.protocol.body.ConsumeStatsList;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.operation.GetBrokerConsumeStats;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Tells how far all groups have come (operation 317). Runs on a worker. */
public final class GetBrokerConsumeStatsHandler implements Handler<GetBrokerConsumeStats.Request> {
    private final TopicTable topics;
    private final GroupTable groups;
    private final GroupProgress progress;
    private final TopicTraffic traffic;
    private final Supplier<String> address;

    /**
     * Makes the handler of one broker.
     *
     * @param address the broker's {@code host:port}
     */
    GetBrokerConsumeStatsHandler(
            TopicTable topics,
            GroupTable groups,
            GroupProgress progress,
            TopicTraffic traffic,
            Supplier<String> address) {
        this.topics = topics;
        this.groups = groups;
        this.progress = progress;
        this.traffic = traffic;
        this.address = address;
    }

    @Override
    public void handle(Call call, GetBrokerConsumeStats.Request request, ByteBuf body) {
        Map<String, List<ConsumeStats>> byGroup = new TreeMap<>();
        for (SubscriptionGroupConfig config : groups.all()) {
            String group = config.groupName();
            byGroup.put(
                    group,
                    progress.topics(group).stream()
                            .map(topics::find)
                            .flatMap(Optional::stream)
                            .filter(topic -> !request.order() || topic.config().order())
                            .map(topic -> stats(topic, group))
                            .toList());
        }
        Bodies.answer(call, new ConsumeStatsList(byGroup, address.get()));
    }

    private ConsumeStats stats(Topic topic, String group) {
        return new ConsumeStats(progress.in(topic, group), traffic.deliveredPerSecond(topic.name(), group));
    }
}
