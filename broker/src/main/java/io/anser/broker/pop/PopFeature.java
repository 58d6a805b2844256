package io.anser.broker.pop;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.filter.Filters;
import io.anser.broker.flow.Deliveries;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.StartingPoints;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.read.ColdReads;
import io.anser.broker.role.RoleListener;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.AckMessage;
import io.anser.protocol.operation.BatchAckMessage;
import io.anser.protocol.operation.ChangeInvisibleTime;
import io.anser.protocol.operation.Notification;
import io.anser.protocol.operation.PollingInfo;
import io.anser.protocol.operation.PopMessage;
import io.anser.store.MessageStore;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import java.util.concurrent.Executor;

/** Puts the handlers of pops together with what they share. */
public final class PopFeature implements RoleListener, AutoCloseable {
    private final BrokerState state;
    private final Proposals proposals;
    private final Clock clock;
    private final PopRules rules;
    private final Filters filters;
    private final OtherWishes otherWishes;
    private final PopTopics topics;
    private final ParkingLot parkingLot;
    private final Pops pops;
    private final GroupCreation groups;
    private final LeaseExpiry expiry;
    private final PopStart start;

    /**
     * Makes the feature of one broker.
     *
     * @param starts where groups start that have no place in a queue
     * @param coldReads for reads that may wait for the device
     * @param workers bounded pool for work that may block
     */
    public PopFeature(
            PopLimits limits,
            BrokerState state,
            Proposals proposals,
            Filters filters,
            OtherWishes otherWishes,
            GroupCreation groups,
            TopicCreation topicCreation,
            MessageStore store,
            BrokerAddress address,
            StartingPoints starts,
            Clock clock,
            Scheduler scheduler,
            ColdReads coldReads,
            Executor workers,
            Deliveries deliveries) {
        this.state = state;
        this.proposals = proposals;
        this.filters = filters;
        this.otherWishes = otherWishes;
        this.groups = groups;
        this.clock = clock;
        this.rules = new PopRules(state.topics(), groups);
        this.topics = new PopTopics(state, new PopReader(store, limits.maxScanned()), limits);
        this.parkingLot = new ParkingLot(limits, scheduler);
        this.pops = new Pops(state.topics(), proposals, parkingLot, coldReads, clock, deliveries);
        this.start = new PopStart(proposals, starts);
        ExpiredMessages expired = new ExpiredMessages(store, state.topics(), address);
        this.expiry = new LeaseExpiry(
                new ExpiryRound(state.leases()),
                wanted -> new LeaseMoves(
                        state.groups(), expired, topicCreation, store::append, topics::settled, wanted, clock),
                topics,
                pops,
                clock,
                scheduler,
                workers);
    }

    /** Adds the handlers to the table. */
    public void registerHandlers(HandlerTable table) {
        Acks acks = new Acks(state.leases(), topics::settled, new AckCommits(proposals), clock);
        table.register(
                PopMessage.CODE,
                Lane.NET,
                PopMessage.Request::decode,
                new PopMessageHandler(rules, filters, otherWishes, groups, topics, start, pops));
        table.register(AckMessage.CODE, Lane.NET, AckMessage.Request::decode, new AckMessageHandler(acks));
        table.register(BatchAckMessage.CODE, Lane.NET, header -> FieldSource.NONE, new BatchAckMessageHandler(acks));
        table.register(
                ChangeInvisibleTime.CODE,
                Lane.NET,
                ChangeInvisibleTime.Request::decode,
                new ChangeInvisibleTimeHandler(rules, state.leases(), proposals, clock));
        table.register(
                Notification.CODE,
                Lane.NET,
                Notification.Request::decode,
                new NotificationHandler(rules, groups, topics, pops));
        table.register(PollingInfo.CODE, Lane.NET, PollingInfo.Request::decode, new PollingInfoHandler(rules, topics));
        table.onDisconnected(parkingLot::disconnected);
    }

    @Override
    public void takesOver() {
        topics.leaveAll();
    }

    /** Begins to end leases whose time is over. */
    @Override
    public void leads() {
        expiry.start();
    }

    @Override
    public void follows() {
        expiry.rest();
        topics.leaveAll();
    }

    /** What messages and deletions are told to. */
    public PopTopics topics() {
        return topics;
    }

    /** The requests that wait. */
    public ParkingLot parkingLot() {
        return parkingLot;
    }

    @Override
    public void close() {
        expiry.close();
    }
}
