package io.anser.broker;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.assignment.GetAllMessageRequestModeHandler;
import io.anser.broker.assignment.GroupMembers;
import io.anser.broker.assignment.QueryAssignmentHandler;
import io.anser.broker.assignment.Routes;
import io.anser.broker.assignment.SetMessageRequestModeHandler;
import io.anser.broker.filter.Filters;
import io.anser.broker.filter.OthersFilter;
import io.anser.broker.filter.Subscription;
import io.anser.broker.flow.Deliveries;
import io.anser.broker.group.CheckClientConfigHandler;
import io.anser.broker.group.ClientChannel;
import io.anser.broker.group.Clients;
import io.anser.broker.group.ConsumerGroups;
import io.anser.broker.group.GetConsumerListByGroupHandler;
import io.anser.broker.group.GroupAdministration;
import io.anser.broker.group.HeartbeatHandler;
import io.anser.broker.group.ProducerGroups;
import io.anser.broker.group.QueryTopicConsumeByWhoHandler;
import io.anser.broker.group.UnregisterClientHandler;
import io.anser.broker.lock.LockBatchQueuesHandler;
import io.anser.broker.lock.LockRequests;
import io.anser.broker.lock.OrderLocks;
import io.anser.broker.lock.UnlockBatchQueuesHandler;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.DeletionListener;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.StartingPoints;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.offset.OffsetAdministration;
import io.anser.broker.offset.OffsetCommits;
import io.anser.broker.offset.OffsetHandlers;
import io.anser.broker.offset.OffsetResets;
import io.anser.broker.offset.PulledOffsets;
import io.anser.broker.pop.PopFeature;
import io.anser.broker.pop.PopLimits;
import io.anser.broker.pull.GroupOffsets;
import io.anser.broker.pull.ParkedPulls;
import io.anser.broker.pull.PullLimits;
import io.anser.broker.pull.PullMessageHandler;
import io.anser.broker.pull.Subscriptions;
import io.anser.broker.read.ColdReads;
import io.anser.broker.role.RoleListener;
import io.anser.broker.traffic.Traffic;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.CheckClientConfig;
import io.anser.protocol.operation.GetAllMessageRequestMode;
import io.anser.protocol.operation.GetConsumerListByGroup;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.LitePullMessage;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryAssignment;
import io.anser.protocol.operation.QueryTopicConsumeByWho;
import io.anser.protocol.operation.SetMessageRequestMode;
import io.anser.protocol.operation.UnlockBatchQueues;
import io.anser.protocol.operation.UnregisterClient;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.store.MessageStore;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Connection;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The consumers' half of a broker: puts together pulls, offsets, groups and order locks. */
final class Consumption implements CommitListener, DeletionListener, RoleListener, AutoCloseable {
    private static final int CONFLICTS_SHOWN_MAX = 10;

    private final Lead lead;
    private final BrokerState state;
    private final MessageStore store;
    private final GroupCreation groups;
    private final TopicCreation topicCreation;
    private final ConsumerGroups consumers;
    private final ProducerGroups producers;
    private final Clients clients;
    private final OffsetResets resets;
    private final OffsetCommits commits;
    private final StartingPoints starts;
    private final PullMessageHandler pull;
    private final PopFeature pop;
    private final Routes routes;
    private final Proposals proposals;
    private final String brokerName;
    private final LockRequests lockRequests;
    private final OrderLocks locks;
    private final Traffic traffic;
    private final GroupAdministration groupAdministration;
    private final OffsetAdministration offsetAdministration;
    private final Filters filters = new Filters();

    Consumption(
            BrokerSettings settings,
            BooleanSupplier autoCreateGroup,
            BrokerState state,
            Proposals proposals,
            TopicCreation topicCreation,
            MessageStore store,
            BrokerAddress address,
            Routes routes,
            Clock clock,
            Scheduler scheduler,
            Executor workers,
            Traffic traffic,
            Deliveries deliveries,
            Lead lead) {
        this.lead = lead;
        this.state = state;
        this.store = store;
        this.topicCreation = topicCreation;
        this.groups = new GroupCreation(state.groups(), state.forbidden(), proposals, autoCreateGroup);
        this.consumers = new ConsumerGroups(clock, group -> groups.config(group).notifyConsumerIdsChangedEnable());
        this.producers = new ProducerGroups(clock);
        this.clients = new Clients(consumers, producers, scheduler);
        this.resets = new OffsetResets(clock);
        this.commits = new OffsetCommits(state.offsets(), resets, proposals, scheduler);
        this.starts =
                new StartingPoints(state, proposals, clock, settings.groups().youngQueueMillis());
        ColdReads coldReads = new ColdReads(workers);
        this.pull = new PullMessageHandler(
                state.topics(),
                groups,
                store,
                scheduler,
                coldReads,
                subscriptions(),
                filters,
                pulledOffsets(),
                resets::target,
                PullLimits.defaults(),
                deliveries,
                lead);
        this.pop = new PopFeature(
                PopLimits.defaults(),
                state,
                proposals,
                filters,
                this::others,
                groups,
                topicCreation,
                store,
                address,
                starts,
                clock,
                scheduler,
                coldReads,
                workers,
                deliveries);
        this.routes = routes;
        this.proposals = proposals;
        this.brokerName = settings.name();
        this.lockRequests = new LockRequests(state.topics(), settings.name());
        this.traffic = traffic;
        this.locks = new OrderLocks(state.orderLocks(), proposals, clock);
        this.groupAdministration =
                new GroupAdministration(consumers, producers, store::message, settings.name(), clock);
        this.offsetAdministration = new OffsetAdministration(
                state,
                groups,
                commits,
                store::message,
                new MembersAtWork(consumers, state.requestModes(), this::wake),
                traffic.topics(),
                clock,
                settings.name(),
                address::text);
    }

    private OthersFilter others(Connection connection, String group, Subscription asked) {
        Supplier<List<Subscription>> wishes = consumers.othersWishes(ClientChannel.of(connection), group, asked);
        return () -> filters.anyOf(wishes.get());
    }

    private GroupOffsets pulledOffsets() {
        PulledOffsets pulled = new PulledOffsets(state.topics(), groups, commits);
        return new GroupOffsets() {
            @Override
            public void record(String group, String topic, int queueId, long queueOffset) {
                if (lead.leads()) {
                    pulled.record(group, topic, queueId, queueOffset);
                } else if (current(group, topic, queueId) != queueOffset) {
                    lead.group()
                            .tellLeader(
                                    UpdateConsumerOffset.CODE,
                                    new UpdateConsumerOffset.Request(group, topic, queueId, queueOffset));
                }
            }

            @Override
            public long current(String group, String topic, int queueId) {
                return commits.current(new QueueKey(group, topic, queueId));
            }
        };
    }

    private Subscriptions subscriptions() {
        return new Subscriptions() {
            @Override
            public Optional<Subscription> find(Connection connection, String group, String topic) {
                return consumers.subscription(ClientChannel.of(connection), group, topic);
            }

            @Override
            public OthersFilter others(Connection connection, String group, Subscription asked) {
                return Consumption.this.others(connection, group, asked);
            }
        };
    }

    /** What the broker's status tells of consumers. */
    Map<String, String> figures() {
        Map<String, String> conflicts = consumers.conflicts();
        return Map.of(
                "subscriptionConflicts", Integer.toString(conflicts.size()),
                "subscriptionConflictsSeen", Long.toString(consumers.conflictsSeen()),
                "subscriptionConflictGroups",
                        conflicts.entrySet().stream()
                                .limit(CONFLICTS_SHOWN_MAX)
                                .map(conflict -> "group=" + conflict.getKey() + " " + conflict.getValue())
                                .collect(Collectors.joining(" | ")));
    }

    void registerHandlers(HandlerTable table) {
        table.register(PullMessage.CODE, Lane.NET, PullMessage.Request::decode, pull);
        table.register(LitePullMessage.CODE, Lane.NET, PullMessage.Request::decode, pull);
        table.onDisconnected(pull.parkedPulls()::disconnected);
        pop.registerHandlers(table);
        new OffsetHandlers(state.topics(), groups, commits, starts, store).registerHandlers(table);
        registerGroups(table);
        registerLocks(table);
        registerAssignment(table);
        groupAdministration.registerHandlers(table);
        offsetAdministration.registerHandlers(table);
    }

    private void registerAssignment(HandlerTable table) {
        GroupMembers members = new GroupMembers() {
            @Override
            public List<String> of(String group, String topic) {
                return consumers.clientIds(group, topic);
            }

            @Override
            public void divideAnew(String group) {
                consumers.tell(group);
            }
        };
        table.register(
                QueryAssignment.CODE,
                Lane.NET,
                header -> FieldSource.NONE,
                new QueryAssignmentHandler(state.topics(), state.requestModes(), members, routes, brokerName));
        table.register(
                SetMessageRequestMode.CODE,
                Lane.NET,
                header -> FieldSource.NONE,
                new SetMessageRequestModeHandler(state.requestModes(), groups, proposals, members));
        table.register(
                GetAllMessageRequestMode.CODE,
                Lane.WORKER,
                header -> FieldSource.NONE,
                new GetAllMessageRequestModeHandler(state.requestModes()));
    }

    private void registerGroups(HandlerTable table) {
        table.register(
                Heartbeat.CODE,
                Lane.NET,
                header -> FieldSource.NONE,
                new HeartbeatHandler(clients, groups, topicCreation, starts, filters, lead::leads));
        table.register(
                UnregisterClient.CODE,
                Lane.NET,
                UnregisterClient.Request::decode,
                new UnregisterClientHandler(clients));
        table.register(
                GetConsumerListByGroup.CODE,
                Lane.NET,
                GetConsumerListByGroup.Request::decode,
                new GetConsumerListByGroupHandler(consumers));
        table.register(
                CheckClientConfig.CODE, Lane.NET, header -> FieldSource.NONE, new CheckClientConfigHandler(filters));
        table.register(
                QueryTopicConsumeByWho.CODE,
                Lane.WORKER,
                QueryTopicConsumeByWho.Request::decode,
                new QueryTopicConsumeByWhoHandler(this::groupsOfTopic));
        table.onDisconnected(clients::disconnected);
    }

    private void registerLocks(HandlerTable table) {
        table.register(
                LockBatchQueues.CODE,
                Lane.NET,
                header -> FieldSource.NONE,
                new LockBatchQueuesHandler(lockRequests, groups, locks));
        table.register(
                UnlockBatchQueues.CODE,
                Lane.NET,
                header -> FieldSource.NONE,
                new UnlockBatchQueuesHandler(lockRequests, locks));
    }

    /** The groups that consume a topic, in order: those with a member that wants it, and those with an offset in it. */
    Set<String> groupsOfTopic(String topic) {
        Set<String> groups = new TreeSet<>(consumers.groups(topic));
        groups.addAll(state.offsets().groups(topic));
        return groups;
    }

    /** What a group wants of a topic, as a member of it that is online said most recently. */
    Optional<Subscription> subscription(String group, String topic) {
        return consumers.newestSubscription(group, topic);
    }

    /** The producers that are connected. */
    ProducerGroups producers() {
        return producers;
    }

    @Override
    public void takesOver() {
        commits.roleChanged();
        locks.takeOver();
        resets.forgetAll();
        pop.takesOver();
    }

    @Override
    public void leads() {
        pop.leads();
        pull.parkedPulls().askAgain();
    }

    @Override
    public void follows() {
        pop.follows();
        commits.roleChanged();
        resets.forgetAll();
        pull.parkedPulls().askAgain();
    }

    /** The pulls that wait for a message. */
    ParkedPulls parkedPulls() {
        return pull.parkedPulls();
    }

    /** How many pops wait for a message. */
    int parkedPops() {
        return pop.parkingLot().parked();
    }

    @Override
    public void arrived(QueueLog queue, long fromQueueOffset, long untilQueueOffset) {
        if (isForConsumers(queue.topic())) {
            traffic.stored(queue.topic(), untilQueueOffset - fromQueueOffset);
        }
        wake(queue);
    }

    private void wake(QueueLog queue) {
        pull.parkedPulls().arrived(queue);
        pop.topics().arrived(queue);
    }

    /** A message that waits counts when it is delivered to its topic, and one in light queues counts in its own. */
    private static boolean isForConsumers(String topic) {
        return !topic.equals(Names.SCHEDULE_TOPIC) && !topic.equals(Names.HALF_TOPIC) && !Names.isLightQueue(topic);
    }

    @Override
    public void dropped(QueueLog queue) {
        pull.parkedPulls().dropped(queue);
        pop.topics().dropped(queue);
    }

    @Override
    public void topicDeleted(String topic) {
        commits.forget(queue -> queue.topic().equals(topic));
        locks.forget(queue -> queue.topic().equals(topic));
        traffic.topics().forgetTopic(topic);
    }

    @Override
    public void groupDeleted(String group, boolean offsetsToo) {
        if (offsetsToo) {
            commits.forget(queue -> queue.group().equals(group));
        }
        locks.forget(queue -> queue.group().equals(group));
        pop.topics().forgetGroup(group);
    }

    /** Hands over the offsets that still wait to be merged; the store is closed afterwards. */
    @Override
    public void close() {
        pop.close();
        clients.close();
        commits.close();
    }
}
