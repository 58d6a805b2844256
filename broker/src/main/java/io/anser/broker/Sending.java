package io.anser.broker;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.append.HalfMessages;
import io.anser.broker.append.Schedule;
import io.anser.broker.flow.SendGate;
import io.anser.broker.group.ProducerGroups;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.reply.Requesters;
import io.anser.broker.reply.SendReplyHandler;
import io.anser.broker.retry.SendBackHandler;
import io.anser.broker.send.NewTopics;
import io.anser.broker.send.SendMessageHandler;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.PushReplyMessageToClient;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.protocol.operation.SendReplyMessage;
import io.anser.protocol.operation.SendReplyMessageV2;
import io.anser.store.MessageStore;
import io.anser.system.Clock;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.Optional;

/** The producers' half of a broker: puts together sends, messages sent back, and replies. */
final class Sending {
    /** How long a requester may take to say that it has got a reply. */
    private static final long REPLY_MILLIS = 10_000;

    private final SendMessageHandler send;
    private final SendBackHandler sendBack;
    private final SendReplyHandler reply;
    private final ProducerGroups producers;

    /**
     * Makes the handlers.
     *
     * @param settings as they were at the start
     * @param live as they are now
     * @param gate holds back who sends too much
     * @param producers the clients that may wait for replies
     */
    Sending(
            BrokerSettings settings,
            LiveSettings live,
            BrokerState state,
            TopicCreation topicCreation,
            MessageStore store,
            BrokerAddress address,
            SendGate gate,
            ProducerGroups producers,
            Clock clock) {
        this.producers = producers;
        Schedule schedule = new Schedule(state, () -> live.broker().maxDelayedMessages());
        this.send = new SendMessageHandler(
                state,
                topicCreation,
                new NewTopics(state.topics(), settings.autoCreateTopic(), settings.defaultTopicQueues()),
                schedule,
                new HalfMessages(state, settings.transactions().openMax()),
                store::append,
                address,
                gate,
                () -> live.broker().maxMessageBytes(),
                clock);
        this.sendBack =
                new SendBackHandler(state, topicCreation, schedule, store::message, store::append, address, clock);
        this.reply = new SendReplyHandler(
                state.topics(),
                SystemTopics.reply(settings.cluster()),
                this::requester,
                store::append,
                address,
                () -> live.broker().maxMessageBytes(),
                clock);
    }

    private Optional<Requesters.Requester> requester(String clientId) {
        return producers
                .client(clientId)
                .map(channel ->
                        (answer, body) -> channel.call(PushReplyMessageToClient.CODE, answer, body, REPLY_MILLIS));
    }

    void registerHandlers(HandlerTable table) {
        table.register(SendMessage.CODE, Lane.NET, SendMessage.Request::decode, send);
        table.register(SendMessageV2.CODE, Lane.NET, SendMessageV2.Request::decode, send);
        table.register(SendBatchMessage.CODE, Lane.NET, SendBatchMessage::decode, send);
        table.register(ConsumerSendMessageBack.CODE, Lane.WORKER, ConsumerSendMessageBack.Request::decode, sendBack);
        table.register(SendReplyMessage.CODE, Lane.NET, SendMessage.Request::decode, reply);
        table.register(SendReplyMessageV2.CODE, Lane.NET, SendMessageV2.Request::decode, reply);
    }
}
