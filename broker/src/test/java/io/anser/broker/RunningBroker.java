package io.anser.broker;

import io.anser.broker.config.ChangeableSettings;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.TopicOffset;
import io.anser.protocol.body.TopicStatsTable;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.GetTopicStats;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.protocol.operation.ViewMessageById;
import io.anser.store.StoreSettings;
import io.anser.store.file.Storage;
import io.anser.system.FaultHandler;
import io.anser.system.Threads;
import io.anser.system.VirtualTime;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.RemotingServer;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * A whole broker behind a real socket on the loopback, with a client to talk to it. Its clock stands still until the
 * test advances it.
 */
final class RunningBroker implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    private static final int SEGMENT_BYTES = 16 << 20;
    private static final long FAR_BEHIND_BYTES = 1 << 20;
    private static final FaultHandler FAULTS = (where, cause) -> {
        throw new AssertionError("fault in " + where, cause);
    };

    final VirtualTime time;
    final Broker broker;
    private final ExecutorService workers = Threads.workers("worker", 2, 1000, FAULTS);
    private final RemotingServer server;
    private final RemotingClient client;
    private final List<BrokerClient> others = new ArrayList<>();

    RunningBroker(Path directory, BrokerSettings settings, VirtualTime time) throws Exception {
        this(StoreSettings.defaults().withDirectory(directory).withSegmentBytes(SEGMENT_BYTES), settings, time);
    }

    RunningBroker(StoreSettings store, BrokerSettings settings, VirtualTime time) throws Exception {
        this(store, UnaryOperator.identity(), settings, ChangeableSettings.NONE, time);
    }

    RunningBroker(StoreSettings store, BrokerSettings settings, ChangeableSettings changeable, VirtualTime time)
            throws Exception {
        this(store, UnaryOperator.identity(), settings, changeable, time);
    }

    RunningBroker(
            StoreSettings store,
            UnaryOperator<Storage> device,
            BrokerSettings settings,
            ChangeableSettings changeable,
            VirtualTime time)
            throws Exception {
        this(time, OptionalInt.empty(), settings, store, device, changeable);
    }

    private RunningBroker(
            VirtualTime time,
            OptionalInt member,
            BrokerSettings settings,
            StoreSettings store,
            UnaryOperator<Storage> device,
            ChangeableSettings changeable)
            throws Exception {
        this.time = time;
        this.broker = member.isPresent()
                ? Broker.member(
                        member.getAsInt(), settings, store, changeable, time, time, workers, FAULTS, this::client)
                : new Broker(settings, store, device, changeable, time, time, workers, FAULTS, this::client);
        HandlerTable table = new HandlerTable(workers);
        broker.registerHandlers(table);
        this.server = RemotingServer.start(
                TransportSettings.defaults(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                table,
                time,
                time);
        this.client = client(new Deaf());
        broker.start(server.address(), List.of()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** A member of a group, which follows until it is told otherwise. */
    static RunningBroker member(int number, Path directory, VirtualTime time) throws Exception {
        StoreSettings store = StoreSettings.defaults().withDirectory(directory).withSegmentBytes(SEGMENT_BYTES);
        return new RunningBroker(
                time,
                OptionalInt.of(number),
                BrokerSettings.defaults().withFollowerReadsBehind(FAR_BEHIND_BYTES),
                store,
                UnaryOperator.identity(),
                ChangeableSettings.NONE);
    }

    static RunningBroker open(Path directory) throws Exception {
        return new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(1_000_000));
    }

    private RemotingClient client(RemotingHandler handler) {
        return new RemotingClient(TransportSettings.defaults(), time, time, handler);
    }

    /** A plain send of a short text to queue 0. */
    static SendMessage.Request request(String topic, String properties) {
        return new SendMessage.Request(
                "p", topic, "TBW102", 4, 0, 0, 77, 5, properties.getBytes(StandardCharsets.UTF_8), 0, false, false, -1);
    }

    Reply send(SendMessage.Request request, String body) throws Exception {
        return get(sendLater(request, Unpooled.copiedBuffer(body, StandardCharsets.UTF_8)));
    }

    CompletableFuture<Reply> sendLater(SendMessage.Request request, ByteBuf body) {
        return call(SendMessageV2.CODE, new SendMessageV2.Request(request), body);
    }

    /** Sends what must succeed and returns the answer. */
    SendMessage.Response stored(SendMessage.Request request, String body) throws Exception {
        Reply reply = send(request, body);
        if (reply.code() != 0) {
            throw new AssertionError(
                    "code=" + reply.code() + " " + reply.remark().orElse(""));
        }
        return SendMessage.Response.decode(reply.header());
    }

    CompletableFuture<Reply> call(int code, FieldSource request, ByteBuf body) {
        InetSocketAddress address = server.address();
        return client.call("127.0.0.1:" + address.getPort(), code, request, body, TimeUnit.HOURS.toMillis(1));
    }

    /** Where the broker listens. */
    InetSocketAddress address() {
        return server.address();
    }

    /** Connections that are open now. */
    int connections() {
        return server.connections();
    }

    /** The broker's figures by name. */
    Map<String, String> figures() throws Exception {
        return KvTable.read(ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE).body())
                .table();
    }

    /** Another client of the broker, with a connection of its own. */
    BrokerClient anotherClient() {
        return anotherClient(code -> new byte[0]);
    }

    /** Another client that answers the broker's requests, by their code, with bodies. */
    BrokerClient anotherClient(IntFunction<byte[]> answers) {
        BrokerClient another = new BrokerClient(answers);
        others.add(another);
        return another;
    }

    Reply ask(int code, FieldSource request) throws Exception {
        return get(call(code, request, Unpooled.EMPTY_BUFFER));
    }

    void tellOneWay(int code, FieldSource request) throws Exception {
        client.oneWay("127.0.0.1:" + server.address().getPort(), code, request, Unpooled.EMPTY_BUFFER)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    void tellOneWay(SendMessage.Request request, String body) throws Exception {
        client.oneWay(
                        "127.0.0.1:" + server.address().getPort(),
                        SendMessageV2.CODE,
                        new SendMessageV2.Request(request),
                        Unpooled.copiedBuffer(body, StandardCharsets.UTF_8))
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    static Reply get(CompletableFuture<Reply> reply) throws Exception {
        return reply.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** The offset after the last message of a queue; -1 if the topic does not exist. */
    long maxOffset(String topic, int queueId) throws Exception {
        Reply reply = ask(GetTopicStats.CODE, new GetTopicStats.Request(topic));
        if (reply.code() != 0) {
            return -1;
        }
        TopicOffset offset = TopicStatsTable.read(reply.body())
                .offsetTable()
                .get(new MessageQueue(topic, BrokerSettings.defaults().name(), queueId));
        return offset == null ? -1 : offset.maxOffset();
    }

    /** The stored message of that id. */
    MessageView message(String messageId) throws Exception {
        return message(OffsetMessageId.decode(messageId).physicalOffset());
    }

    MessageView message(long position) throws Exception {
        Reply reply = ask(ViewMessageById.CODE, new ViewMessageById.Request("", position));
        if (reply.code() != 0) {
            throw new AssertionError(reply.remark().orElse(""));
        }
        return new MessageView().wrap(ByteBuffer.wrap(reply.body()), 0);
    }

    @Override
    public void close() {
        broker.unregister();
        client.close();
        others.forEach(BrokerClient::close);
        server.close();
        broker.close();
        workers.shutdown();
    }

    /** A request of the broker's to a client. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Received(int code, CommandHeader header, byte[] body) {}

    /** One client among several; closed with the broker at the latest. */
    final class BrokerClient implements AutoCloseable {
        private final Queue<Received> received = new ConcurrentLinkedQueue<>();
        private final RemotingClient remoting;
        private volatile boolean silent;

        BrokerClient(IntFunction<byte[]> answers) {
            this.remoting = client((call, header, body) -> {
                received.add(new Received(call.code(), header.copy(), ByteBufUtil.getBytes(body)));
                if (!silent) {
                    call.respond(0, null, FieldSource.NONE, Unpooled.wrappedBuffer(answers.apply(call.code())));
                }
            });
        }

        /** Answers nothing from now on. */
        void silence() {
            silent = true;
        }

        CompletableFuture<Reply> call(int code, FieldSource fields, byte[] body) {
            String address = "127.0.0.1:" + server.address().getPort();
            return remoting.call(address, code, fields, Unpooled.wrappedBuffer(body), TimeUnit.HOURS.toMillis(1));
        }

        Reply ask(int code, FieldSource fields, byte[] body) throws Exception {
            return RunningBroker.get(call(code, fields, body));
        }

        /** Codes of the requests that the broker sent to this client. */
        List<Integer> requests() {
            return received.stream().map(Received::code).toList();
        }

        /** The requests that the broker sent to this client. */
        Queue<Received> received() {
            return received;
        }

        @Override
        public void close() {
            remoting.close();
        }
    }

    /** A client that answers nothing. */
    private static final class Deaf implements RemotingHandler {
        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            call.respond(FieldSource.NONE);
        }
    }
}
