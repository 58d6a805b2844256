package io.anser.broker.topic;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.dispatch.DroppedTopicRefusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Deletion;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.traffic.TopicTraffic;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CleanUnusedTopic;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.CreateSubscriptionGroupList;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.CreateTopicList;
import io.anser.protocol.operation.DeleteSubscriptionGroup;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.GetAllSubscriptionGroupConfig;
import io.anser.protocol.operation.GetAllTopicConfig;
import io.anser.protocol.operation.GetSubscriptionGroupConfig;
import io.anser.protocol.operation.GetSystemTopicListFromBroker;
import io.anser.protocol.operation.GetTopicConfig;
import io.anser.protocol.operation.GetTopicStats;
import io.anser.protocol.operation.UpdateAndGetGroupForbidden;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.function.Supplier;

/** Topics and groups are created, changed, listed and deleted: the handlers of one broker. */
public final class TopicAdministration {
    private final BrokerState state;
    private final Proposals proposals;
    private final TopicCreation topicCreation;
    private final Deletion deletion;
    private final StoredMessages messages;
    private final TopicTraffic traffic;
    private final String brokerName;
    private final Supplier<String> address;

    /**
     * Puts the handlers together.
     *
     * @param messages reads what may have to be waited for
     * @param address the broker's {@code host:port}
     */
    public TopicAdministration(
            BrokerState state,
            Proposals proposals,
            TopicCreation topicCreation,
            Deletion deletion,
            StoredMessages messages,
            TopicTraffic traffic,
            String brokerName,
            Supplier<String> address) {
        this.state = state;
        this.proposals = proposals;
        this.topicCreation = topicCreation;
        this.deletion = deletion;
        this.messages = messages;
        this.traffic = traffic;
        this.brokerName = brokerName;
        this.address = address;
    }

    /** Adds the handlers to the table. */
    public void registerHandlers(HandlerTable table) {
        registerTopics(table);
        registerGroups(table);
    }

    private void registerTopics(HandlerTable table) {
        table.register(
                CreateTopic.CODE,
                Lane.WORKER,
                CreateTopic.Request::decode,
                new CreateTopicHandler(state.topics(), topicCreation));
        table.register(
                CreateTopicList.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new CreateTopicListHandler(state.topics(), topicCreation));
        table.register(
                DeleteTopicInBroker.CODE,
                Lane.WORKER,
                DeleteTopicInBroker.Request::decode,
                new DeleteTopicHandler(state.topics(), deletion));
        table.register(
                GetAllTopicConfig.CODE,
                Lane.WORKER,
                GetAllTopicConfig.Request::decode,
                new GetAllTopicConfigHandler(state));
        table.register(
                GetTopicConfig.CODE,
                Lane.WORKER,
                GetTopicConfig.Request::decode,
                new GetTopicConfigHandler(state.topics()));
        table.register(
                GetTopicStats.CODE,
                Lane.WORKER,
                GetTopicStats.Request::decode,
                new DroppedTopicRefusal<>(new GetTopicStatsHandler(state.topics(), messages, traffic, brokerName)));
        table.register(
                GetSystemTopicListFromBroker.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetSystemTopicListHandler(state.topics(), address));
        table.register(CleanUnusedTopic.CODE, Lane.WORKER, header -> FieldSource.NONE, new CleanUnusedTopicHandler());
    }

    private void registerGroups(HandlerTable table) {
        table.register(
                CreateSubscriptionGroup.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new CreateSubscriptionGroupHandler(state.groups(), proposals));
        table.register(
                CreateSubscriptionGroupList.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new CreateSubscriptionGroupListHandler(state.groups(), proposals));
        table.register(
                DeleteSubscriptionGroup.CODE,
                Lane.WORKER,
                DeleteSubscriptionGroup.Request::decode,
                new DeleteSubscriptionGroupHandler(deletion));
        table.register(
                GetAllSubscriptionGroupConfig.CODE,
                Lane.WORKER,
                GetAllSubscriptionGroupConfig.Request::decode,
                new GetAllSubscriptionGroupConfigHandler(state));
        table.register(
                GetSubscriptionGroupConfig.CODE,
                Lane.WORKER,
                GetSubscriptionGroupConfig.Request::decode,
                new GetSubscriptionGroupConfigHandler(state.groups()));
        table.register(
                UpdateAndGetGroupForbidden.CODE,
                Lane.WORKER,
                UpdateAndGetGroupForbidden.Request::decode,
                new UpdateAndGetGroupForbiddenHandler(state, proposals));
    }
}
