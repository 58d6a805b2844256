package io.anser.broker;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.auth.AuthFeature;
import io.anser.broker.config.ChangeableSettings;
import io.anser.broker.flow.FlowControl;
import io.anser.broker.group.Clients;
import io.anser.broker.group.ProducerGroups;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.BrokerStarted;
import io.anser.broker.metadata.Deletion;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.TopicCreation;
import io.anser.broker.query.QueryFeature;
import io.anser.broker.registration.BrokerIdentity;
import io.anser.broker.role.Group;
import io.anser.broker.topic.StatusHandlers;
import io.anser.broker.topic.TopicAdministration;
import io.anser.broker.traffic.Traffic;
import io.anser.broker.transaction.Transactions;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.FirstMember;
import io.anser.store.MessageStore;
import io.anser.store.Replica;
import io.anser.store.StoreSettings;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreException;
import io.anser.store.log.LogCopy;
import io.anser.store.log.LogFeed;
import io.anser.store.log.LogPoint;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.Scheduler;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broker: its store, its state, and a handler for each operation that it offers. Puts the features together; each
 * does its work in a package of its own.
 *
 * <p>Order of use: make it (which recovers the store and may take seconds), {@link #registerHandlers} into the table of
 * the process, listen, {@link #start} with the address listened on, and at the end {@link #close}.
 */
public final class Broker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    /** Time until a new leader that could not store so tries again. */
    private static final long LEAD_AGAIN_MILLIS = 200;

    /** Changes of topics within this time are one announcement of a follower. */
    private static final long FOLLOWER_ANNOUNCES_MILLIS = 100;

    private final Lead lead;
    private final BrokerSettings settings;
    private final LiveSettings live;
    private final Clock clock;
    private final Scheduler scheduler;
    private final BrokerAddress address;
    private final BrokerState state;
    private final MessageStore store;
    private final Proposals proposals;
    private final NameServers nameServers;
    private final TopicCreation topicCreation;
    private final Deletion deletion;
    private final Traffic traffic;
    private final FlowControl flow;
    private final Sending sending;
    private final Postponed postponed;
    private final Consumption consumption;
    private final Upkeep upkeep;
    private final AtomicBoolean announcing = new AtomicBoolean();
    private volatile Supplier<Map<String, String>> moreFigures = Map::of;

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
        this(
                settings,
                storeSettings,
                UnaryOperator.identity(),
                Lead.alone(),
                changeable,
                clock,
                scheduler,
                workers,
                faults,
                clients);
    }

    /**
     * Opens the store of a member of a replicated group; otherwise as above. {@link #replica} is for the group's engine, which
     * is started when the process listens, tells {@link #takesOver}, {@link #leads} and {@link #leadsNoMore}, and ends before the
     * broker.
     *
     * @param member number of the member, from 0
     */
    public static Broker member(
            int member,
            BrokerSettings settings,
            StoreSettings storeSettings,
            ChangeableSettings changeable,
            Clock clock,
            Scheduler scheduler,
            Executor workers,
            FaultHandler faults,
            Function<RemotingHandler, RemotingClient> clients) {
        return new Broker(
                settings,
                storeSettings,
                UnaryOperator.identity(),
                Lead.ofMember(member, settings.followerReadsBehindBytes()),
                changeable,
                clock,
                scheduler,
                workers,
                faults,
                clients);
    }

    /**
     * Opens the store of a replica; otherwise as above. {@link #copy} is for whoever fills it with the log of its primary.
     *
     * @param brokerId number of the replica, from 1
     */
    public static Broker replica(
            int brokerId,
            BrokerSettings settings,
            StoreSettings storeSettings,
            ChangeableSettings changeable,
            Clock clock,
            Scheduler scheduler,
            Executor workers,
            FaultHandler faults,
            Function<RemotingHandler, RemotingClient> clients) {
        return new Broker(
                settings,
                storeSettings,
                UnaryOperator.identity(),
                Lead.ofReplica(brokerId),
                changeable,
                clock,
                scheduler,
                workers,
                faults,
                clients);
    }

    /**
     * Turns the store of a broker of its own into that of the first member of a group.
     *
     * @param before see {@link FirstMember#make}
     * @throws StoreException if that cannot be done; the store is still one of its own then
     */
    public static void becomeFirstMember(
            BrokerSettings settings,
            StoreSettings storeSettings,
            Clock clock,
            FaultHandler faults,
            Consumer<LogPoint> before) {
        FirstMember.make(storeSettings, new BrokerState(systemTopics(settings)), clock, faults, before);
    }

    private static List<TopicConfig> systemTopics(BrokerSettings settings) {
        return SystemTopics.of(
                settings.cluster(), settings.name(), settings.autoCreateTopic() ? settings.defaultTopicQueues() : 0);
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
        this(settings, storeSettings, device, Lead.alone(), changeable, clock, scheduler, workers, faults, clients);
    }

    private Broker(
            BrokerSettings settings,
            StoreSettings storeSettings,
            UnaryOperator<Storage> device,
            Lead lead,
            ChangeableSettings changeable,
            Clock clock,
            Scheduler scheduler,
            Executor workers,
            FaultHandler faults,
            Function<RemotingHandler, RemotingClient> clients) {
        this.lead = lead;
        this.settings = settings;
        this.clock = clock;
        this.scheduler = scheduler;
        this.address = new BrokerAddress(settings.cluster(), settings.name());
        this.state = new BrokerState(systemTopics(settings));
        Arrivals arrivals = new Arrivals();
        if (lead.copies()) {
            this.store = MessageStore.openCopy(storeSettings, state, arrivals, clock, faults);
        } else if (lead.isInGroup()) {
            this.store = MessageStore.openReplica(storeSettings, state, arrivals, clock, faults);
        } else {
            this.store = MessageStore.open(storeSettings, device, state, arrivals, clock, faults);
        }
        state.attach(new StoreQueues(store));
        store.topics().forEach(state.topics()::findForStored); // so that light queues of before count
        this.live = new LiveSettings(changeable, state.settings(), settings, storeSettings.retention());
        this.proposals = new Proposals(store::append);
        this.nameServers = new NameServers(
                new BrokerIdentity(settings.cluster(), settings.name(), address, lead::brokerId, lead::standing),
                state,
                clients,
                clock,
                scheduler,
                settings.registrationMillis());
        this.topicCreation = new TopicCreation(state.topics(), proposals, nameServers, clock);
        this.traffic = new Traffic(clock, scheduler);
        this.flow = new FlowControl(
                settings.flow(), store.room(), state.topics(), Clients::idOf, traffic, clock, scheduler);
        this.consumption = new Consumption(
                settings,
                () -> live.broker().autoCreateGroup(),
                state,
                proposals,
                topicCreation,
                store,
                address,
                nameServers::routes,
                clock,
                scheduler,
                workers,
                traffic,
                flow.deliveries(),
                lead);
        ProducerGroups producers = consumption.producers();
        this.sending =
                new Sending(settings, live, state, topicCreation, store, address, flow.sends(), producers, clock);
        this.postponed = new Postponed(settings, live, state, store, producers, clock, scheduler, workers);
        this.upkeep = new Upkeep(live, state, store, clock, scheduler, workers);
        upkeep.carriesOver(postponed.carryOver());
        lead.tell(List.of(postponed, consumption, upkeep));
        state.topics().onChange(this::topicsChanged);
        live.onChange(() -> nameServers.change(live.broker().nameservers()));
        this.deletion = new Deletion(state.topics(), proposals, nameServers, consumption);
        arrivals.passTo(List.of(consumption, postponed));
    }

    /** Adds the handlers of all operations to the table, before it is used. */
    public void registerHandlers(HandlerTable table) {
        table.onConnected(flow::connected);
        sending.registerHandlers(table);
        postponed.registerHandlers(table);
        consumption.registerHandlers(table);
        upkeep.registerHandlers(table);
        live.registerHandlers(table, proposals);
        new TopicAdministration(
                        state,
                        proposals,
                        topicCreation,
                        deletion,
                        store::message,
                        traffic.topics(),
                        settings.name(),
                        address::text)
                .registerHandlers(table);
        new StatusHandlers(state, store, traffic, this::figures, clock).registerHandlers(table);
        new QueryFeature(state, store, consumption::subscription, consumption::groupsOfTopic, clock)
                .registerHandlers(table);
        new AuthFeature(state.users(), proposals).registerHandlers(table);
    }

    /** Figures of all parts that have some, for the broker's status. */
    private Map<String, String> figures() {
        Map<String, String> figures = new HashMap<>(consumption.figures());
        figures.putAll(lead.figures());
        figures.putAll(postponed.figures());
        figures.putAll(upkeep.figures());
        figures.putAll(flow.figures());
        figures.putAll(moreFigures.get());
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
        nameServers.ask(moreNameServers, live.broker().nameservers());
        if (lead.isInGroup()) {
            return nameServers.register();
        }
        CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
        proposals.propose(new BrokerStarted(clock.wallMillis()), new Outcome() {
            @Override
            public void committed() {
                lead.establishes(lead.term());
                nameServers.register().thenRun(() -> started.complete(null));
            }

            @Override
            public void failed(StoreException reason) {
                started.completeExceptionally(reason);
            }
        });
        return started;
    }

    /** What a leader has changed, its followers tell the name servers too: one of them may be all that is left. */
    private void topicsChanged() {
        if (!lead.leads() && announcing.compareAndSet(false, true)) {
            scheduler.schedule(FOLLOWER_ANNOUNCES_MILLIS, () -> {
                announcing.set(false);
                nameServers.announce(() -> {});
            });
        }
    }

    /** What the engine of the group works with; empty for a broker of its own. */
    public Optional<Replica> replica() {
        return store.replica();
    }

    /** What a store of its own does for replicas; empty for a member of a group and for a replica. */
    public Optional<LogFeed> feed() {
        return store.feed();
    }

    /** What fills the log of a replica; empty for others. */
    public Optional<LogCopy> copy() {
        return store.copy();
    }

    /** Removes from a replica's log what its primary does not keep any more; see {@link MessageStore#removeAsCopied}. */
    public void removeAsCopied(long position) {
        store.removeAsCopied(position);
    }

    /** Names somebody who has figures for the broker's status, of what is composed outside of it. */
    public void tellFigures(Supplier<Map<String, String>> figures) {
        moreFigures = figures;
    }

    /** Whether this broker takes messages for its name, and registers as the one that does. */
    public boolean isMaster() {
        return lead.leads();
    }

    /** Names who knows the other members of this broker's group. */
    public void group(Group others) {
        lead.group(others);
    }

    /**
     * This member is about to lead its group, with everything in its state that was ever confirmed. Requests that only a leader
     * can carry out must not come before this has returned. Told on the committing thread.
     */
    public void takesOver() {
        lead.takesOver();
    }

    /** This member takes the group's messages from now on, in this term. Told on the committing thread. */
    public void leads(long term) {
        lead.begins(term);
        establish(term);
    }

    /** Has the group store that this member leads: the count of such entries orders the registrations of leaders. */
    private void establish(long term) {
        proposals.propose(new BrokerStarted(clock.wallMillis()), new Outcome() {
            @Override
            public void committed() {
                if (lead.establishes(term)) {
                    nameServers.announce(() -> {});
                }
            }

            @Override
            public void failed(StoreException reason) {
                LOG.warn("cannot lead yet group={} reason={}", settings.name(), reason.getMessage());
                scheduler.schedule(LEAD_AGAIN_MILLIS, () -> {
                    if (lead.term() == term) {
                        establish(term);
                    }
                });
            }
        });
    }

    /** This member follows from now on: it refuses what it is sent. Told on the committing thread. */
    public void leadsNoMore() {
        lead.ends();
        nameServers.announce(() -> {});
    }

    /** Another member is known to lead the group, or none any more. Told on the committing thread. */
    public void leaderKnown(boolean known) {
        if (lead.leaderKnown(known)) {
            nameServers.announce(() -> {});
        }
    }

    /** The transactions, for those who look after them. */
    public Transactions transactions() {
        return postponed.transactions();
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
        nameServers.unregister();
    }

    /** Unregisters, stops the features, saves a snapshot and closes the store. */
    @Override
    public void close() {
        unregister();
        upkeep.close();
        postponed.close();
        traffic.close();
        consumption.close();
        nameServers.close();
        store.close();
    }
}
