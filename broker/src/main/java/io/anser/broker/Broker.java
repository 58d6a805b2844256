package io.anser.broker;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.append.HalfMessages;
import io.anser.broker.append.Schedule;
import io.anser.broker.auth.AuthFeature;
import io.anser.broker.compaction.ValueCarryOver;
import io.anser.broker.config.ChangeableSettings;
import io.anser.broker.config.GetBrokerConfigHandler;
import io.anser.broker.config.UpdateBrokerConfigHandler;
import io.anser.broker.dispatch.DroppedTopicRefusal;
import io.anser.broker.flow.FlowControl;
import io.anser.broker.group.Clients;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.BrokerStarted;
import io.anser.broker.metadata.Deletion;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.query.LookUps;
import io.anser.broker.query.QueryConsumeQueueHandler;
import io.anser.broker.query.QueryMessageHandler;
import io.anser.broker.query.TraceMessageHandler;
import io.anser.broker.registration.BrokerIdentity;
import io.anser.broker.registration.NameServerRegistration;
import io.anser.broker.registration.TopicRoutes;
import io.anser.broker.reply.Requesters;
import io.anser.broker.reply.SendReplyHandler;
import io.anser.broker.retention.ExpireNowHandler;
import io.anser.broker.retention.RetentionRuns;
import io.anser.broker.retry.SendBackHandler;
import io.anser.broker.send.NewTopics;
import io.anser.broker.send.SendMessageHandler;
import io.anser.broker.timer.TimerDelivery;
import io.anser.broker.topic.CleanUnusedTopicHandler;
import io.anser.broker.topic.GetBrokerHaStatusHandler;
import io.anser.broker.topic.GetBrokerRuntimeInfoHandler;
import io.anser.broker.topic.TopicAdministration;
import io.anser.broker.topic.ViewBrokerStatsDataHandler;
import io.anser.broker.topic.ViewMessageByIdHandler;
import io.anser.broker.traffic.Traffic;
import io.anser.broker.transaction.Producers;
import io.anser.broker.transaction.Transactions;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.CheckTransactionState;
import io.anser.protocol.operation.CleanExpiredConsumeQueue;
import io.anser.protocol.operation.CleanUnusedTopic;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.DeleteExpiredCommitLog;
import io.anser.protocol.operation.EndTransaction;
import io.anser.protocol.operation.GetBrokerConfig;
import io.anser.protocol.operation.GetBrokerHaStatus;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.PushReplyMessageToClient;
import io.anser.protocol.operation.QueryConsumeQueue;
import io.anser.protocol.operation.QueryMessage;
import io.anser.protocol.operation.RecallMessage;
import io.anser.protocol.operation.ResumeCheckHalfMessage;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.protocol.operation.SendReplyMessage;
import io.anser.protocol.operation.SendReplyMessageV2;
import io.anser.protocol.operation.TraceMessage;
import io.anser.protocol.operation.UpdateBrokerConfig;
import io.anser.protocol.operation.ViewBrokerStatsData;
import io.anser.protocol.operation.ViewMessageById;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.CarryOver;
import io.anser.store.retention.RetentionSettings;
import io.anser.store.state.CommitListener;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One broker: its store, its state, and a handler for each operation that it offers. Puts the features together; each
 * does its work in a package of its own.
 *
 * <p>Order of use: make it (which recovers the store and may take seconds), {@link #registerHandlers} into the table of
 * the process, listen, {@link #start} with the address listened on, and at the end {@link #close}.
 */
public final class Broker implements AutoCloseable {
    /** How long a requester may take to say that it has got a reply. */
    private static final long REPLY_MILLIS = 10_000;

    /** What of the log's end is taken to be in memory. */
    private static final long WARM_LOG_BYTES = 64L << 20;

    private final BrokerSettings settings;
    private final ChangeableSettings changeable;
    private final RetentionSettings startedRetention;
    private final Clock clock;
    private final Executor workers;
    private final BrokerAddress address;
    private final Arrivals arrivals = new Arrivals();
    private final BrokerState state;
    private final MessageStore store;
    private final Proposals proposals;
    private final RemotingClient client;
    private final NameServerRegistration registration;
    private final TopicRoutes routes;
    private final TopicCreation topicCreation;
    private final Deletion deletion;
    private final TimerDelivery timers;
    private final Transactions transactions;
    private final Consumption consumption;
    private final Traffic traffic;
    private final FlowControl flow;
    private final RetentionRuns retention;
    private final ValueCarryOver values;
    private volatile BrokerSettings live;
    private volatile RetentionSettings liveRetention;

    /**
     * Opens the broker's store and makes its features.
     *
     * @param changeable what becomes of the settings by changes while the broker runs
     * @param workers bounded pool for work that may block
     * @param faults told of what nothing nearer could handle
     * @param clients makes the client for calls to name servers, given what receives requests on its connections; closed
     *     with the broker
     * @throws StoreException if the store cannot be opened
     */
    public Broker(
            BrokerSettings settings,
            StoreSettings storeSettings,
            ChangeableSettings changeable,
            Clock clock,
            Scheduler scheduler,
            Executor workers,
            FaultHandler faults,
            Function<RemotingHandler, RemotingClient> clients) {
        this(settings, storeSettings, UnaryOperator.identity(), changeable, clock, scheduler, workers, faults, clients);
    }

    /** Opens the broker's store with something between it and its device. */
    Broker(
            BrokerSettings settings,
            StoreSettings storeSettings,
            UnaryOperator<Storage> device,
            ChangeableSettings changeable,
            Clock clock,
            Scheduler scheduler,
            Executor workers,
            FaultHandler faults,
            Function<RemotingHandler, RemotingClient> clients) {
        this.settings = settings;
        this.changeable = changeable;
        this.startedRetention = storeSettings.retention();
        this.live = settings;
        this.liveRetention = startedRetention;
        this.clock = clock;
        this.workers = workers;
        this.address = new BrokerAddress(settings.cluster(), settings.name());
        this.state = new BrokerState(SystemTopics.of(
                settings.cluster(), settings.name(), settings.autoCreateTopic() ? settings.defaultTopicQueues() : 0));
        this.store = MessageStore.open(storeSettings, device, state, arrivals, clock, faults);
        state.attach(store::queue);
        store.topics().forEach(state.topics()::find); // so that light queues of before count
        applySettings();
        this.proposals = new Proposals(store::append);
        NameServerConnections connections = new NameServerConnections();
        this.client = clients.apply(connections);
        this.registration = NameServerRegistration.of(
                new BrokerIdentity(settings.cluster(), settings.name(), address),
                state,
                client,
                clock,
                scheduler,
                settings.registrationMillis());
        connections.registration = registration;
        this.routes = new TopicRoutes(client, clock);
        this.topicCreation = new TopicCreation(state.topics(), proposals, registration, clock);
        this.timers = new TimerDelivery(
                state,
                store::message,
                store::committedPosition,
                store::startPosition,
                store::append,
                clock,
                scheduler,
                workers);
        this.traffic = new Traffic(clock, scheduler);
        this.flow = new FlowControl(
                settings.flow(), store.room(), state.topics(), Clients::idOf, traffic, clock, scheduler);
        this.retention = new RetentionRuns(state.topics(), () -> liveRetention, store, clock, scheduler, workers);
        this.values = new ValueCarryOver(state.latestValues(), store::message, store::append, workers);
        this.consumption = new Consumption(
                settings,
                () -> live.autoCreateGroup(),
                state,
                proposals,
                topicCreation,
                store,
                address,
                routes::find,
                clock,
                scheduler,
                workers,
                traffic,
                flow.deliveries());
        this.transactions = new Transactions(
                settings.transactions(),
                () -> live.transactions().checksMax(),
                state,
                store::message,
                store::readableMessage,
                store::startPosition,
                this::isWarm,
                store::append,
                this::producer,
                clock,
                scheduler,
                workers);
        this.deletion = new Deletion(state.topics(), proposals, registration, consumption);
        arrivals.passTo(new CommitListener() {
            @Override
            public void arrived(QueueLog queue, long from, long until) {
                consumption.arrived(queue, from, until);
                if (queue.topic().equals(Names.SCHEDULE_TOPIC)) {
                    timers.committed();
                }
            }

            @Override
            public void dropped(QueueLog queue) {
                consumption.dropped(queue);
            }
        });
    }

    /** Puts in force what was changed while the broker ran, before the last start or since. */
    private void applySettings() {
        SortedMap<String, String> changed = state.settings().changed();
        live = changeable.as(BrokerSettings.class, changed, settings);
        liveRetention = changeable.as(RetentionSettings.class, changed, startedRetention);
    }

    /** Whether a message can be read on an event loop: it was stored lately, by this process. */
    private boolean isWarm(long position) {
        return position >= store.committedPosition() - WARM_LOG_BYTES && store.isChecked(position, Integer.BYTES);
    }

    private Optional<Producers.Producer> producer(String group, int turn) {
        return consumption
                .producers()
                .any(group, turn)
                .map(channel -> (question, body) -> channel.sendOneWay(CheckTransactionState.CODE, question, body));
    }

    private Optional<Requesters.Requester> requester(String clientId) {
        return consumption
                .producers()
                .client(clientId)
                .map(channel ->
                        (reply, body) -> channel.call(PushReplyMessageToClient.CODE, reply, body, REPLY_MILLIS));
    }

    /** Adds the handlers of all operations to the table, before it is used. */
    public void registerHandlers(HandlerTable table) {
        table.onConnected(flow::connected);
        registerSends(table);
        consumption.registerHandlers(table);
        registerAdministration(table);
        registerLookUps(table);
        registerUpkeep(table);
        new AuthFeature(state.users(), proposals).registerHandlers(table);
        table.register(
                GetBrokerConfig.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetBrokerConfigHandler(changeable, state.settings()));
        table.register(
                UpdateBrokerConfig.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new UpdateBrokerConfigHandler(changeable, state.settings(), proposals, this::applySettings));
    }

    private void registerSends(HandlerTable table) {
        NewTopics newTopics = new NewTopics(state.topics(), settings.autoCreateTopic(), settings.defaultTopicQueues());
        Schedule schedule = new Schedule(state, () -> live.maxDelayedMessages());
        HalfMessages halfMessages =
                new HalfMessages(state, settings.transactions().openMax());
        SendMessageHandler send = new SendMessageHandler(
                state,
                topicCreation,
                newTopics,
                schedule,
                halfMessages,
                store::append,
                address,
                flow.sends(),
                () -> live.maxMessageBytes(),
                clock);
        table.register(SendMessage.CODE, Lane.NET, SendMessage.Request::decode, send);
        table.register(SendMessageV2.CODE, Lane.NET, SendMessageV2.Request::decode, send);
        table.register(SendBatchMessage.CODE, Lane.NET, SendBatchMessage::decode, send);
        table.register(
                ConsumerSendMessageBack.CODE,
                Lane.WORKER,
                ConsumerSendMessageBack.Request::decode,
                new SendBackHandler(state, topicCreation, schedule, store::message, store::append, address, clock));
        SendReplyHandler reply = new SendReplyHandler(
                state.topics(),
                SystemTopics.reply(settings.cluster()),
                this::requester,
                store::append,
                address,
                () -> live.maxMessageBytes(),
                clock);
        table.register(SendReplyMessage.CODE, Lane.NET, SendMessage.Request::decode, reply);
        table.register(SendReplyMessageV2.CODE, Lane.NET, SendMessageV2.Request::decode, reply);
        table.register(
                RecallMessage.CODE,
                Lane.WORKER,
                RecallMessage.Request::decode,
                timers.recallHandler(settings.name(), store::find));
        table.register(EndTransaction.CODE, Lane.NET, EndTransaction.Request::decode, transactions.handler());
        table.register(
                ResumeCheckHalfMessage.CODE,
                Lane.WORKER,
                ResumeCheckHalfMessage.Request::decode,
                transactions.resumeHandler());
    }

    private void registerAdministration(HandlerTable table) {
        new TopicAdministration(
                        state, proposals, topicCreation, deletion, store::message, settings.name(), address::text)
                .registerHandlers(table);
        table.register(
                GetBrokerRuntimeInfo.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetBrokerRuntimeInfoHandler(
                        state,
                        traffic,
                        store::retention,
                        store::damage,
                        store::misplacedFiles,
                        store::diskStatus,
                        store::snapshots,
                        timers::givenUp,
                        timers::carriedOver,
                        transactions::carriedOver,
                        values::carried,
                        this::figures,
                        clock));
    }

    private void registerLookUps(HandlerTable table) {
        LookUps lookUps = new LookUps();
        table.register(
                ViewMessageById.CODE,
                Lane.WORKER,
                ViewMessageById.Request::decode,
                new ViewMessageByIdHandler(store::readableMessage));
        table.register(
                QueryMessage.CODE,
                Lane.WORKER,
                QueryMessage.Request::decode,
                new QueryMessageHandler(lookUps, store::find, store::committedPosition, clock));
        table.register(
                TraceMessage.CODE,
                Lane.WORKER,
                TraceMessage.Request::decode,
                new TraceMessageHandler(
                        lookUps, state, store::readableMessage, store::find, consumption::groupsOfTopic));
    }

    private void registerUpkeep(HandlerTable table) {
        ExpireNowHandler expire = new ExpireNowHandler(retention);
        table.register(CleanExpiredConsumeQueue.CODE, Lane.WORKER, header -> FieldSource.NONE, expire);
        table.register(DeleteExpiredCommitLog.CODE, Lane.WORKER, header -> FieldSource.NONE, expire);
        table.register(CleanUnusedTopic.CODE, Lane.WORKER, header -> FieldSource.NONE, new CleanUnusedTopicHandler());
        table.register(
                GetBrokerHaStatus.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetBrokerHaStatusHandler(store::committedPosition));
        table.register(
                ViewBrokerStatsData.CODE,
                Lane.WORKER,
                ViewBrokerStatsData.Request::decode,
                new ViewBrokerStatsDataHandler(traffic.topics()));
        table.register(
                QueryConsumeQueue.CODE,
                Lane.WORKER,
                QueryConsumeQueue.Request::decode,
                new DroppedTopicRefusal<>(new QueryConsumeQueueHandler(state.topics(), consumption::subscription)));
    }

    /** Figures of consumers and of the flow, for the broker's status. */
    private Map<String, String> figures() {
        Map<String, String> figures = new HashMap<>(consumption.figures());
        figures.putAll(flow.figures());
        return figures;
    }

    /**
     * Begins to serve: delivers what fell due meanwhile and registers with the name servers.
     *
     * @param bound where the process listens
     * @param moreNameServers {@code host:port} of name servers beside those of the settings, such as this process's own
     * @return completes when every name server that can be reached knows the broker; fails if the store refuses
     * @throws IllegalArgumentException if the address to advertise is not {@code host:port} of a known host
     */
    public CompletableFuture<@Nullable Void> start(InetSocketAddress bound, List<String> moreNameServers) {
        AdvertisedAddress advertised = AdvertisedAddress.of(settings.advertise(), bound);
        address.set(advertised.address(), advertised.text());
        Set<String> nameServers = new LinkedHashSet<>(moreNameServers);
        nameServers.addAll(settings.nameservers());
        routes.start(nameServers);
        CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
        proposals.propose(new BrokerStarted(clock.wallMillis()), new Outcome() {
            @Override
            public void committed() {
                timers.start();
                transactions.start();
                consumption.start();
                CarryOver waiting = CarryOver.both(timers.carryOver(), transactions.carryOver(), workers);
                store.carryOver(CarryOver.both(values, waiting, workers));
                retention.start();
                registration.start(nameServers).thenRun(() -> started.complete(null));
            }

            @Override
            public void failed(StoreException reason) {
                started.completeExceptionally(reason);
            }
        });
        return started;
    }

    /** The transactions, for those who look after them. */
    public Transactions transactions() {
        return transactions;
    }

    /** The consumers' half. */
    Consumption consumption() {
        return consumption;
    }

    /** Returns {@code host:port} that clients and name servers are told, once {@link #start} was called. */
    public String address() {
        return address.text();
    }

    /** Takes the broker out of the routes, so that clients turn elsewhere while requests are still answered. */
    public void unregister() {
        registration.close();
    }

    /** Unregisters, stops the features, saves a snapshot and closes the store. */
    @Override
    public void close() {
        unregister();
        retention.close();
        timers.close();
        transactions.close();
        traffic.close();
        consumption.close();
        client.close();
        store.close();
    }

    /** The connections to name servers: they ask nothing of a broker, but their end tells of a restart. */
    private static final class NameServerConnections implements RemotingHandler {
        private volatile @Nullable NameServerRegistration registration;

        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            call.respond(ResponseCode.REQUEST_CODE_NOT_SUPPORTED, "a broker answers requests on its own port only");
        }

        @Override
        public void disconnected(Connection connection) {
            NameServerRegistration told = registration;
            if (told != null) {
                told.connectionLost();
            }
        }
    }
}
