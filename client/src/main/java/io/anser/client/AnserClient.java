package io.anser.client;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.ClusterInfo;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.TopicFilterType;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.InvalidFieldException;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.GetClusterInfo;
import io.anser.protocol.operation.NotifyConsumerIdsChanged;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.Scheduler;
import io.anser.system.TimerThread;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of a cluster: sends messages, starts consumers, creates topics. One per application is enough; thread-safe.
 *
 * <pre>{@code
 * try (AnserClient mq = AnserClient.connect("localhost:9876")) {
 *     mq.send(Message.to("orders").key("o-17").tag("new").text("..."));
 *     mq.consumer("billing").topic("orders").onMessage(m -> bill(m)).start();
 *     ...
 * }
 * }</pre>
 *
 * <p>Sends are repeated, on another broker if there is one, until a broker has the message or the time is over; a message
 * may so arrive twice, with the same {@link ReceivedMessage#id()}. Futures are completed by network threads: what hangs on
 * them must not block.
 */
public final class AnserClient implements AutoCloseable {
    private static final long TOPIC_WAIT_MILLIS = 5_000;
    private static final long TOPIC_POLL_MILLIS = 50;
    private static final byte[] NO_BODY = {};

    private static final Logger log = LoggerFactory.getLogger(AnserClient.class);

    private final String clientId;
    private final ClientSettings settings;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Optional<TimerThread> ownTimer;
    private final FaultHandler faults = (where, cause) -> log.error("thread failed name={}", where, cause);
    private final RemotingClient connections;
    private final Remoting remoting;
    private final NameServers nameServers;
    private final RouteCache routes;
    private final QueueOffsets offsets;
    private final Sender sender;
    private final Heartbeats heartbeats;
    private final Map<String, GroupMember> members = new ConcurrentHashMap<>();
    private final List<Cancellable> timers = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    AnserClient(
            List<String> nameServerAddresses,
            Optional<String> clientId,
            ClientSettings settings,
            Clock clock,
            Optional<Scheduler> givenScheduler) {
        ClientIdentity identity = ClientIdentity.make(clock);
        this.clientId = clientId.orElseGet(identity::clientId);
        this.settings = settings;
        this.clock = clock;
        this.ownTimer = givenScheduler.isPresent()
                ? Optional.empty()
                : Optional.of(TimerThread.start("anser-timer", clock, faults));
        this.scheduler = givenScheduler.orElseGet(ownTimer::orElseThrow);
        this.connections = new RemotingClient(TransportSettings.defaults(), clock, scheduler, new ServerRequests());
        this.remoting = new Remoting(connections);
        this.nameServers = new NameServers(remoting, nameServerAddresses);
        this.routes = new RouteCache(nameServers, settings.queuesOfNewTopics());
        this.offsets = new QueueOffsets(remoting, routes);
        this.sender = new Sender(remoting, routes, settings, clock, scheduler, identity.messageIds(clock));
        this.heartbeats = new Heartbeats(this.clientId, remoting, routes, sender, settings, scheduler);
        routes.onChange(topic -> members.values().forEach(member -> member.routeChanged(topic)));
        timers.add(scheduler.every(RouteCache.REFRESH_MILLIS, routes::refreshAll));
        timers.add(scheduler.every(Heartbeats.PERIOD_MILLIS, heartbeats::beat));
    }

    /**
     * A client with default settings.
     *
     * @param nameServers {@code host:port;host:port}; any one of them suffices
     */
    public static AnserClient connect(String nameServers) {
        return builder().nameServers(nameServers).connect();
    }

    /** A client with settings of its own. */
    public static ClientBuilder builder() {
        return new ClientBuilder();
    }

    /** The name by which brokers know this client. */
    public String clientId() {
        return clientId;
    }

    /**
     * Sends a message and waits until a broker has it.
     *
     * @throws AnserException if none took it in time
     * @throws IllegalArgumentException if it is larger than a broker takes
     */
    public SendReceipt send(Message message) {
        return join(sender.send(message));
    }

    /**
     * Sends a message.
     *
     * <p>At most 4096 sends and 64 MiB wait for an answer at once, see {@link ClientBuilder#maxInFlight}. Beyond it this
     * method waits for a free place, at most the send time-out. On a network thread, that is inside a stage of an earlier
     * send's future, it does not wait but throws.
     *
     * @return fails with {@link AnserException} if no broker took it in time
     * @throws AnserException with code {@link AnserException#WINDOW_FULL} if no place came free, or {@link
     *     AnserException#CLOSED}
     * @throws IllegalArgumentException if it is larger than a broker takes
     */
    public CompletableFuture<SendReceipt> sendAsync(Message message) {
        return sender.send(message);
    }

    /**
     * Hands a message to the network, once, and does not learn what becomes of it. Waits for a free place as {@link
     * #sendAsync} does.
     */
    public void sendOneWay(Message message) {
        sender.sendOneWay(message);
    }

    /**
     * Sends messages of one topic as one request: stored together, one after the other in one queue.
     *
     * @param messages not empty; together at most 4 MiB; alike in topic and order key, none delayed
     * @return one receipt for each, in their order
     */
    public List<SendReceipt> sendBatch(List<Message> messages) {
        return join(sender.sendBatch(messages));
    }

    /** As {@link #sendBatch}, without waiting for the broker. */
    public CompletableFuture<List<SendReceipt>> sendBatchAsync(List<Message> messages) {
        return sender.sendBatch(messages);
    }

    private <T> T join(CompletableFuture<T> sent) {
        // Attempts end by themselves at the send time-out; the margin covers the way to the answer.
        return Remoting.join(
                sent, settings.sendTimeout().plus(settings.attemptTimeout()).toMillis());
    }

    /**
     * Describes a consumer to start.
     *
     * @param group the consumer group; a client can be its member once
     */
    public ConsumerBuilder consumer(String group) {
        return new ConsumerBuilder(group, this::startConsumer);
    }

    private Consumer startConsumer(ConsumerSettings wanted) {
        GroupMember member = new GroupMember(
                wanted,
                clientId,
                remoting,
                routes,
                heartbeats,
                clock,
                scheduler,
                faults,
                () -> members.remove(wanted.group()));
        if (closed.get() || members.putIfAbsent(wanted.group(), member) != null) {
            throw new IllegalStateException("client " + clientId + " is closed or has a consumer of group "
                    + wanted.group() + " already; use a second client for a second member");
        }
        member.start();
        return member;
    }

    /**
     * Makes a topic at every broker, or changes its number of queues, and waits until name servers know it.
     *
     * @param queues queues at each broker, at least 1
     * @throws AnserException if a broker refuses it or does not answer
     */
    public void createTopic(String topic, int queues) {
        ClientSettings.requireAtLeastOne("queues", queues);
        CreateTopic.Request request = new CreateTopic.Request(
                Message.to(topic).topic(),
                Names.AUTO_CREATE_TOPIC,
                queues,
                queues,
                Perm.READ | Perm.WRITE,
                TopicFilterType.SINGLE_TAG.name(),
                0,
                false,
                "",
                false);
        List<CompletableFuture<?>> made = new ArrayList<>();
        List<String> masters = masters();
        masters.forEach(address -> made.add(remoting.demand(address, CreateTopic.CODE, request, NO_BODY)));
        CompletableFuture<Void> all = CompletableFuture.allOf(made.toArray(CompletableFuture[]::new));
        long deadlineNanos = clock.nanos() + TOPIC_WAIT_MILLIS * 1_000_000;
        CompletableFuture<Void> known = new CompletableFuture<>();
        all.whenComplete((done, failure) -> {
            if (failure == null) {
                awaitRoute(topic, masters.size() * queues, deadlineNanos, known);
            } else {
                known.completeExceptionally(failure);
            }
        });
        Remoting.join(known, 2 * TOPIC_WAIT_MILLIS);
    }

    private List<String> masters() {
        Reply reply = Remoting.join(nameServers.call(GetClusterInfo.CODE, FieldSource.NONE), TOPIC_WAIT_MILLIS);
        List<String> masters = ClusterInfo.read(reply.body()).brokerAddrTable().values().stream()
                .map(BrokerData::master)
                .flatMap(Optional::stream)
                .toList();
        if (masters.isEmpty()) {
            throw new AnserException(
                    AnserException.NO_ANSWER, true, "name servers " + nameServers + " know of no broker yet");
        }
        return masters;
    }

    /** Asks until the topic has as many queues as it must, since brokers tell name servers a little later. */
    private void awaitRoute(String topic, int queues, long deadlineNanos, CompletableFuture<Void> known) {
        routes.refresh(topic).whenComplete((route, failure) -> {
            if (route != null && route.writable().size() == queues) {
                known.complete(null);
            } else if (clock.nanos() - deadlineNanos > 0) {
                String text = "topic " + topic + " was made, but name servers " + nameServers + " do not know it yet";
                known.completeExceptionally(new AnserException(AnserException.NO_ANSWER, true, text));
            } else {
                scheduler.schedule(TOPIC_POLL_MILLIS, () -> awaitRoute(topic, queues, deadlineNanos, known));
            }
        });
    }

    /** The queues of a topic that can be read, sorted by broker name and queue id. */
    public List<MessageQueue> queues(String topic) {
        return join(routes.refresh(topic)).readable();
    }

    /** The offset of the oldest message of a queue. */
    public long minOffset(MessageQueue queue) {
        return join(offsets.min(queue));
    }

    /** The offset that the next message of a queue will get. */
    public long maxOffset(MessageQueue queue) {
        return join(offsets.max(queue));
    }

    /** Closes all consumers, then the connections. Sends that still wait for an answer fail. Does nothing the second time. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        List.copyOf(members.values()).forEach(GroupMember::close);
        sender.close();
        timers.forEach(Cancellable::cancel);
        try {
            Remoting.join(heartbeats.close(), 2 * Remoting.CALL_TIMEOUT_MILLIS);
        } catch (AnserException e) {
            log.debug("brokers not told of the end client={} reason={}", clientId, e.getMessage());
        }
        connections.close();
        ownTimer.ifPresent(TimerThread::close);
    }

    /** What brokers ask of us, and connections that were made anew. Network threads. */
    private final class ServerRequests implements RemotingHandler {
        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            if (call.code() != NotifyConsumerIdsChanged.CODE) {
                call.respond(
                        ResponseCode.REQUEST_CODE_NOT_SUPPORTED, " request type " + call.code() + " not supported");
                return;
            }
            try {
                String group = NotifyConsumerIdsChanged.Request.decode(header).consumerGroup();
                GroupMember member = members.get(group);
                if (member != null) {
                    member.roundSoon();
                }
                call.respond(FieldSource.NONE);
            } catch (InvalidFieldException e) {
                call.respond(ResponseCode.SYSTEM_ERROR, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void connected(Connection connection) {
            heartbeats.beatSoon();
        }
    }
}
