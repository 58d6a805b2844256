package io.anser.broker.group;

import io.anser.broker.append.StoredMessages;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.ConsumeMessageDirectly;
import io.anser.protocol.operation.GetAllProducerInfo;
import io.anser.protocol.operation.GetConsumerConnectionList;
import io.anser.protocol.operation.GetConsumerRunningInfo;
import io.anser.protocol.operation.GetConsumerStatus;
import io.anser.protocol.operation.GetProducerConnectionList;
import io.anser.protocol.operation.QuerySubscriptionByConsumer;
import io.anser.system.Clock;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;

/** What operators ask about clients, and have clients do. */
public final class GroupAdministration {
    private final ConsumerGroups consumers;
    private final ProducerGroups producers;
    private final StoredMessages messages;
    private final String brokerName;
    private final Clock clock;

    /**
     * Puts the handlers of one broker together.
     *
     * @param messages reads what may have to be waited for
     */
    public GroupAdministration(
            ConsumerGroups consumers,
            ProducerGroups producers,
            StoredMessages messages,
            String brokerName,
            Clock clock) {
        this.consumers = consumers;
        this.producers = producers;
        this.messages = messages;
        this.brokerName = brokerName;
        this.clock = clock;
    }

    /** Adds the handlers to the table. */
    public void registerHandlers(HandlerTable table) {
        table.register(
                GetConsumerConnectionList.CODE,
                Lane.WORKER,
                GetConsumerConnectionList.Request::decode,
                new GetConsumerConnectionListHandler(consumers));
        table.register(
                GetProducerConnectionList.CODE,
                Lane.WORKER,
                GetProducerConnectionList.Request::decode,
                new GetProducerConnectionListHandler(producers));
        table.register(
                GetAllProducerInfo.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetAllProducerInfoHandler(producers, clock));
        table.register(
                QuerySubscriptionByConsumer.CODE,
                Lane.WORKER,
                QuerySubscriptionByConsumer.Request::decode,
                new QuerySubscriptionByConsumerHandler(consumers));
        table.register(
                GetConsumerRunningInfo.CODE,
                Lane.WORKER,
                GetConsumerRunningInfo.Request::decode,
                new GetConsumerRunningInfoHandler(consumers));
        table.register(
                GetConsumerStatus.CODE,
                Lane.WORKER,
                GetConsumerStatus.Request::decode,
                new GetConsumerStatusHandler(consumers));
        table.register(
                ConsumeMessageDirectly.CODE,
                Lane.WORKER,
                ConsumeMessageDirectly.Request::decode,
                new ConsumeMessageDirectlyHandler(messages, brokerName, consumers));
    }
}
