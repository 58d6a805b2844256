package io.anser.server;

import io.anser.broker.Broker;
import io.anser.broker.BrokerSettings;
import io.anser.broker.replication.CopySettings;
import io.anser.nameserver.NameServer;
import io.anser.nameserver.NameServerSettings;
import io.anser.raft.GroupEngine;
import io.anser.raft.GroupMembers;
import io.anser.raft.GroupSettings;
import io.anser.raft.ReplicationSettings;
import io.anser.raft.engine.JRaftEngine;
import io.anser.raft.membership.Drain;
import io.anser.server.settings.NameServerSettingsView;
import io.anser.server.settings.RunningSettings;
import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsCatalog;
import io.anser.server.settings.SettingsException;
import io.anser.store.Durability;
import io.anser.store.FirstMember;
import io.anser.store.StoreSettings;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.Threads;
import io.anser.system.TimerThread;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.RemotingServer;
import io.anser.transport.TransportException;
import io.anser.transport.TransportSettings;
import io.anser.transport.secret.ClusterSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roles of one process, wired together: the one place that knows every part. Started and closed on the main thread, and
 * once more by a worker when a member of a group was given another log; what was started is closed in reverse order.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerProcess.class);

    /** Longest wait for the first registration; a broker serves without name servers and goes on trying. */
    private static final long REGISTRATION_WAIT_MILLIS = 10_000;

    private static final List<Class<? extends Record>> NAME_SERVER_SETTINGS =
            List.of(NameServerSettings.class, TransportSettings.class);

    private static final String TAKEN = "; another server may be running, or choose another --listen";

    private final Role role;
    private final Settings settings;
    private final Path data;
    private final Clock clock = Clock.system();
    private final FaultHandler faults = (where, cause) -> log.error("fault thread={}", where, cause);

    /** Held by whoever starts or closes the parts. */
    private final Object lifecycle = new Object();

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private boolean ended;
    private volatile Runnable onDrained = () -> {};
    private volatile Consumer<String> onBroken = reason -> {};
    private volatile String broken = "";
    private volatile Runnable again = () -> {};
    private final List<ServerProcess> groups = new ArrayList<>();
    private volatile @Nullable Membership membership;
    private @Nullable Broker broker;
    private CompletableFuture<?> joining = CompletableFuture.completedFuture(null);
    private volatile @Nullable HandlerTable handlers;
    private volatile String endpoint = "";
    private volatile @Nullable InetSocketAddress address;

    private ServerProcess(Role role, Settings settings, Path data) {
        this.role = role;
        this.settings = settings;
        this.data = data;
    }

    /** Every setting of every role. */
    public static SettingsCatalog catalog() {
        return SettingsCatalog.of(List.of(
                BrokerSettings.class,
                StoreSettings.class,
                NameServerSettings.class,
                TransportSettings.class,
                ReplicationSettings.class,
                CopySettings.class,
                ClusterSettings.class));
    }

    /**
     * Opens the store, listens, and registers with the name servers. Whatever was started is closed again when a later
     * step fails.
     *
     * @param listen where to listen; port 0 takes a free one
     * @param data where the broker keeps everything
     * @throws StartException if the address cannot be listened on
     * @throws SettingsException if the address to advertise makes no sense
     * @throws io.anser.store.file.StoreException if the store cannot be opened
     */
    public static ServerProcess start(Role role, Settings settings, ListenAddress listen, Path data) {
        ServerProcess process =
                new ServerProcess(role, settings, data.toAbsolutePath().normalize());
        try {
            synchronized (process.lifecycle) {
                process.start(listen);
            }
            return process;
        } catch (TransportException e) {
            process.close();
            throw new StartException(e.getMessage() + (isTaken(e) ? TAKEN : ""), e);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /** The text is all that tells EADDRINUSE from the other reasons: Java has one exception for them. */
    private static boolean isTaken(TransportException e) {
        return String.valueOf(e.getMessage()).contains("Address already in use");
    }

    private void start(ListenAddress listen) {
        ReplicationSettings replication = settings.as(ReplicationSettings.class);
        ServerThreads threads = opened(ServerThreads.start(settings.as(TransportSettings.class), clock, faults));
        Drain drain = new Drain(threads.timer(), () -> onDrained.run());
        if (replication.groups().isEmpty() || !role.hasBroker()) {
            begin(role, listen, threads, drain);
            awaitJoined();
        } else {
            startGroups(replication, listen, threads, drain);
        }
    }

    /** Each group has a broker and a port of its own: clients of old do not say which broker on a port they mean. */
    private void startGroups(
            ReplicationSettings replication, ListenAddress listen, ServerThreads threads, Drain drain) {
        if (role.hasNameServer()) {
            begin(Role.NAMESERVER, listen, threads, drain);
        }
        List<String> nameServers =
                new ArrayList<>(settings.as(BrokerSettings.class).nameservers());
        String own = role.hasNameServer() ? HostAddresses.text(localAddress()) : "";
        if (!own.isEmpty() && !nameServers.contains(own)) {
            nameServers.add(0, own);
        }
        GroupsOfProcess.of(replication).parts(catalog(), settings, nameServers).forEach((group, part) -> {
            ServerProcess broker = opened(new ServerProcess(Role.BROKER, part, data.resolve(group.group())));
            groups.add(broker);
            broker.onBroken(this::endBroken);
            int port = ListenAddress.parse(group.selfAddress()).port();
            broker.begin(Role.BROKER, new ListenAddress(listen.host(), port), threads, drain);
        });
        groups.forEach(ServerProcess::awaitJoined);
        if (!role.hasNameServer()) {
            address = groups.get(0).address();
            endpoint = groups.get(0).endpoint();
        }
    }

    /** Opens the store, listens, and begins to register. */
    private void begin(Role roles, ListenAddress listen, ServerThreads threads, Drain drain) {
        synchronized (lifecycle) {
            int before = started.size();
            again = () -> reopen(before, roles, listen.host(), threads, drain);
            beginParts(roles, listen, threads, drain);
        }
    }

    private void beginParts(Role roles, ListenAddress listen, ServerThreads threads, Drain drain) {
        TransportSettings transport = settings.as(TransportSettings.class);
        ReplicationSettings replication = settings.as(ReplicationSettings.class);
        ClusterDoor door = ClusterDoor.of(roles, settings, listen, clock);
        TimerThread timer = threads.timer();
        HandlerTable table = new HandlerTable(threads.workers());
        handlers = table;
        Optional<NameServer> nameServer =
                roles.hasNameServer() ? Optional.of(nameServer(table, timer)) : Optional.empty();
        Optional<Copying> copying = roles.hasBroker() && replication.isClassic()
                ? Optional.of(opened(new Copying(settings, threads.loops(), door, clock, timer)))
                : Optional.empty();
        Optional<Broker> made =
                roles.hasBroker() ? Optional.of(broker(table, transport, threads, door, copying)) : Optional.empty();
        RemotingHandler requests = table;
        if (copying.isPresent()) {
            started.push(copying.get()); // once more: it ends before the broker
            requests = copying.get().handling(table);
        }
        if (made.isPresent() && replication.isRaft()) {
            Membership own = opened(
                    new Membership(members(replication), table, threads.loops(), transport, door, clock, timer, drain));
            own.onInstalled(this::openAgain);
            membership = own;
            requests = own.handler();
        }
        RemotingServer server = opened(RemotingServer.start(
                threads.loops(), transport, listen.resolve(), door.guarding(requests), clock, timer, List.of()));
        address = server.address();
        endpoint = HostAddresses.text(address());
        made.ifPresent(own -> {
            broker = own;
            joining = join(own);
            copying.ifPresent(Copying::start);
            Membership joined = membership;
            if (joined != null) {
                joined.join(own, groupSettings(replication), preferred(replication), faults);
                started.push(joined); // once more: it ends while the port still answers
            }
            nameServer.ifPresent(asked -> nameAsReached(asked, own));
        });
    }

    private void awaitJoined() {
        Broker own;
        CompletableFuture<?> registered;
        synchronized (lifecycle) {
            own = broker;
            registered = joining;
        }
        if (own == null) {
            return;
        }
        await(registered);
        synchronized (lifecycle) {
            // Not if a worker has closed this broker meanwhile, and begun with another one.
            if (own == broker) {
                endpoint = own.address();
                // Leaves the routes while the server still answers, this process's own name server included.
                started.push(own::unregister);
            }
        }
    }

    private GroupMembers members(ReplicationSettings replication) {
        try {
            return replication.group(settings.as(BrokerSettings.class).name());
        } catch (IllegalArgumentException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    /** Who is meant to lead; empty where anybody is welcome. */
    private Optional<String> preferred(ReplicationSettings replication) {
        return Optional.ofNullable(members(replication).addresses().get(replication.preferredLeader()));
    }

    private GroupSettings groupSettings(ReplicationSettings replication) {
        return new GroupSettings(
                data.resolve("raft"),
                replication.electionTimeoutMillis(),
                settings.as(StoreSettings.class).durability() == Durability.DISK);
    }

    private <C extends AutoCloseable> C opened(C part) {
        started.push(part);
        return part;
    }

    private NameServer nameServer(HandlerTable handlers, TimerThread timer) {
        NameServer nameServer = new NameServer(settings.as(NameServerSettings.class), clock, timer);
        opened(nameServer);
        nameServer.tellSettings(
                new NameServerSettingsView(SettingsCatalog.of(NAME_SERVER_SETTINGS), settings, this::facts));
        nameServer.registerHandlers(handlers);
        return nameServer;
    }

    private Broker broker(
            HandlerTable handlers,
            TransportSettings transport,
            ServerThreads threads,
            ClusterDoor door,
            Optional<Copying> copying) {
        TimerThread timer = threads.timer();
        ExecutorService workers = threads.workers();
        StoreSettings given = settings.as(StoreSettings.class).withDirectory(data);
        StoreSettings store = copying.map(own -> own.fitting(given, data)).orElse(given);
        ReplicationSettings replication = settings.as(ReplicationSettings.class);
        RunningSettings running = new RunningSettings(
                catalog(), settings, List.of(BrokerSettings.class, StoreSettings.class), this::facts);
        Function<RemotingHandler, RemotingClient> clients = requests ->
                new RemotingClient(threads.loops(), transport, clock, timer, requests, door.toNameServers());
        BrokerSettings own = settings.as(BrokerSettings.class);
        Broker opened;
        if (copying.isPresent() && copying.get().isReplica()) {
            int brokerId = copying.get().settings().brokerId();
            opened = opened(Broker.replica(brokerId, own, store, running, clock, timer, workers, faults, clients));
        } else if (replication.isRaft()) {
            if (FirstMember.isDue(data)) {
                log.warn("the store of a broker of its own becomes that of the first member of group={}", own.name());
                Broker.becomeFirstMember(
                        own, store, clock, faults, last -> JRaftEngine.found(groupSettings(replication), last));
            }
            opened = opened(
                    Broker.member(replication.member(), own, store, running, clock, timer, workers, faults, clients));
        } else {
            opened = opened(new Broker(own, store, running, clock, timer, workers, faults, clients));
        }
        copying.ifPresent(half -> half.begin(opened, handlers, workers));
        opened.registerHandlers(handlers);
        return opened;
    }

    /** What Apache's tools look for among settings and is given in another way here. */
    private Map<String, String> facts() {
        InetSocketAddress bound = address();
        Map<String, String> facts = new TreeMap<>();
        facts.put("listenPort", Integer.toString(bound.getPort()));
        if (role.hasBroker()) {
            CopySettings copy = settings.as(CopySettings.class);
            int id = brokerId();
            String acknowledges = settings.as(ReplicationSettings.class).isRaft()
                    ? CopySettings.Acknowledge.SYNC.name()
                    : copy.acknowledge().name();
            facts.put("brokerId", Integer.toString(id));
            facts.put("brokerRole", id == 0 ? acknowledges + "_MASTER" : "SLAVE");
            facts.put("storePathRootDir", data.toString());
            facts.put("storePathCommitLog", data.resolve("log").toString());
            facts.put("traceTopicEnable", "true");
            facts.put("enablePropertyFilter", "true");
        }
        return facts;
    }

    /** The number that the broker registers with: 0 for who takes messages. */
    private int brokerId() {
        ReplicationSettings replication = settings.as(ReplicationSettings.class);
        if (replication.isRaft()) {
            boolean leads = engine().map(GroupEngine::leads).orElse(false);
            return leads ? 0 : replication.member() + 1;
        }
        return replication.mode() == ReplicationSettings.Mode.REPLICA
                ? settings.as(CopySettings.class).brokerId()
                : 0;
    }

    /**
     * Names this process's own broker to each connection by the address on which that connection reached the process,
     * which is right for loopback, several network cards and IPv6 alike; not where an address to advertise is set.
     */
    private void nameAsReached(NameServer nameServer, Broker own) {
        if (settings.as(BrokerSettings.class).advertise().isBlank()) {
            nameServer.translateAddresses((asking, brokerAddress) ->
                    brokerAddress.equals(own.address()) ? HostAddresses.text(asking.localAddress()) : brokerAddress);
        }
    }

    /** Tells the name servers, this process's own first among them. */
    private CompletableFuture<?> join(Broker own) {
        List<String> nameServer = role.hasNameServer() ? List.of(HostAddresses.text(localAddress())) : List.of();
        try {
            return own.start(address(), nameServer);
        } catch (IllegalArgumentException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    private void await(CompletableFuture<?> joined) {
        try {
            joined.get(REGISTRATION_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.warn(
                    "not registered yet, still trying nameservers={}",
                    settings.as(BrokerSettings.class).nameservers());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartException("the broker cannot start: " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What this process does. */
    public Role role() {
        return role;
    }

    /** The values in force. */
    public Settings settings() {
        return settings;
    }

    /** Where the broker keeps everything; absolute. */
    public Path data() {
        return data;
    }

    /** The address at which this process reaches itself. */
    private InetSocketAddress localAddress() {
        InetSocketAddress bound = address();
        return bound.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), bound.getPort())
                : bound;
    }

    /** Host and port that others reach this process by, in a server that has a broker the one it registered. */
    public String endpoint() {
        return endpoint;
    }

    /** Names who ends this process when an operator had it drained; must not block. Nobody does otherwise. */
    void onDrained(Runnable stop) {
        onDrained = stop;
    }

    /** Names who ends this process when it cannot go on, with the reason; must not block. Nobody does otherwise. */
    void onBroken(Consumer<String> stop) {
        onBroken = stop;
        String already = broken;
        if (!already.isEmpty()) {
            stop.accept(already);
        }
    }

    private void endBroken(String reason) {
        broken = reason;
        onBroken.accept(reason);
    }

    /** The brokers of this process where it is a member of several groups, in the order of the settings. */
    List<ServerProcess> groups() {
        return List.copyOf(groups);
    }

    /** The engine of the broker's group; empty for a broker of its own. */
    Optional<GroupEngine> engine() {
        return Optional.ofNullable(membership).flatMap(Membership::engine);
    }

    /** Whether a request code has a handler in this process. */
    boolean handles(int code) {
        HandlerTable table = handlers;
        return table != null && table.handles(code);
    }

    /** The address it listens on, with the port that was taken. */
    public InetSocketAddress address() {
        return Objects.requireNonNull(address, "not started");
    }

    /** Ends everything in good order, newest first; what fails to end is logged and the rest goes on. */
    @Override
    public void close() {
        synchronized (lifecycle) {
            ended = true;
            closeParts(0);
            broker = null;
        }
    }

    private void closeParts(int left) {
        while (started.size() > left) {
            closeOne(started.pop());
        }
    }

    /** Closes the store and all that works with it, and begins anew, on a thread of its own: its log is another one. */
    void openAgain() {
        Threads.start("worker-reopening", again, faults);
    }

    private void reopen(int before, Role roles, String host, ServerThreads threads, Drain drain) {
        synchronized (lifecycle) {
            if (ended) {
                return;
            }
            log.info("this member closes its store, to open it with the log that it was given");
            closeParts(before);
            broker = null;
            boolean begun = false;
            try {
                begin(roles, new ListenAddress(host, address().getPort()), threads, drain);
                awaitJoined();
                begun = true;
            } catch (RuntimeException e) {
                log.error("the store cannot be opened again, this process ends: start it again", e);
            } finally {
                if (!begun) {
                    closeParts(before);
                    broker = null;
                    endBroken("the store in " + data + " cannot be opened again, see the log");
                }
            }
        }
    }

    private static void closeOne(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            log.error("could not close part={}", part, e);
        }
    }
}
