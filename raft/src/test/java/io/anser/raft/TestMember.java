package io.anser.raft;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.raft.engine.JRaftEngine;
import io.anser.raft.membership.AdministrationHandlers;
import io.anser.raft.membership.Drain;
import io.anser.raft.membership.MemberQuestions;
import io.anser.raft.rpc.MemberServer;
import io.anser.store.MessageStore;
import io.anser.store.Replica;
import io.anser.store.StoreSettings;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.store.state.ForgetfulState;
import io.anser.system.Clock;
import io.anser.system.FaultHandler;
import io.anser.system.TimerThread;
import io.anser.transport.Call;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.RemotingServer;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A member of a group with everything that a process has: a port, connections, a store on disk, an engine. */
final class TestMember implements AutoCloseable {
    private static final int SEGMENT_BYTES = 256 << 10;
    private static final int ELECTION_TIMEOUT_MILLIS = 500;

    private static final int WHO = 17;
    static final FieldName SAYS = FieldName.of("says");

    final List<String> faults = new CopyOnWriteArrayList<>();
    private final Path directory;
    private final Clock clock = Clock.system();
    private final FaultHandler faultHandler = (where, cause) -> faults.add(where + ": " + cause);
    private final TimerThread timer = TimerThread.start("timer", clock, faultHandler);
    private final EventLoops loops;
    private final RemotingServer port;
    private final RemotingClient connections;
    /** Whether this member believes others that they bring requests of clients. */
    volatile boolean believes = true;

    /** Port of the client that asked this member last, this one or another member. */
    volatile int lastClientPort;

    private final MemberServer server = new MemberServer();
    private final Drain drain;
    private final AdministrationHandlers administration;
    volatile boolean toldToStop;
    private final ForwardToLeader forward;
    private MessageStore store;
    private JRaftEngine engine;

    /** Whether another member has given it the beginning of the log, so that it has to be opened again. */
    volatile boolean installed;

    /** Listens, without taking part in a group yet. */
    TestMember(Path directory, int listenPort) {
        this.directory = directory;
        TransportSettings transport = TransportSettings.defaults();
        loops = EventLoops.start(transport, timer);
        HandlerTable table = new HandlerTable(Runnable::run);
        server.registerHandlers(table);
        table.register(
                WHO,
                Lane.NET,
                header -> header.string(SAYS),
                (call, says, body) -> call.respond(
                        WHO,
                        "heard " + says + " of " + call.client().port(),
                        out -> out.field(SAYS, address()),
                        Unpooled.copiedBuffer("body of " + body.readableBytes(), StandardCharsets.UTF_8)));
        connections = new RemotingClient(loops, transport, clock, timer, new RemotingHandler() {
            @Override
            public void handle(Call call, CommandHeader header, ByteBuf body) {
                call.respond(1, "nothing is asked here");
            }
        });
        drain = new Drain(timer, () -> toldToStop = true);
        administration = new AdministrationHandlers(new MemberQuestions(connections), drain, timer);
        administration.registerHandlers(table);
        forward = new ForwardToLeader(
                table, "broker-a", new Forwarded(Set.of(WHO), Set.of()), connections, connection -> believes);
        port = RemotingServer.start(
                loops,
                transport,
                new InetSocketAddress("127.0.0.1", listenPort),
                (call, header, body) -> {
                    if (call.code() == WHO) {
                        lastClientPort = call.client().port();
                    }
                    forward.handle(call, header, body);
                },
                clock,
                timer,
                List.of());
    }

    String address() {
        return "127.0.0.1:" + port.address().getPort();
    }

    int listenPort() {
        return port.address().getPort();
    }

    /** Opens the store and takes part. */
    void join(GroupMembers members) {
        store = MessageStore.openReplica(
                StoreSettings.defaults()
                        .withDirectory(directory.resolve("data"))
                        .withSegmentBytes(SEGMENT_BYTES),
                new ForgetfulState(),
                new CommitListener() {
                    @Override
                    public void arrived(QueueLog queue, long from, long until) {}

                    @Override
                    public void dropped(QueueLog queue) {}
                },
                clock,
                faultHandler);
        engine = JRaftEngine.start(
                members,
                new GroupSettings(directory.resolve("raft"), ELECTION_TIMEOUT_MILLIS, true),
                replica(),
                server,
                connections,
                new LeadListener() {
                    @Override
                    public void leads(long term) {}

                    @Override
                    public void leadsNoMore() {}

                    @Override
                    public void installed() {
                        installed = true;
                    }
                },
                timer,
                faultHandler);
        forward.ask(engine);
        drain.add(engine, new MemberQuestions(connections));
        administration.ask(engine);
    }

    /** Asks a process which member handles a request that only a leader can. */
    Reply whoHandles(String hostPort) throws Exception {
        return connections
                .call(hostPort, WHO, out -> out.field(SAYS, "a b"), Unpooled.wrappedBuffer(new byte[7]), 10_000)
                .get();
    }

    /** Asks a process for what an operator may ask. */
    Reply administer(String hostPort, int code, FieldSource fields) throws Exception {
        return administering(hostPort, code, fields).get();
    }

    /** The same without waiting. */
    CompletableFuture<Reply> administering(String hostPort, int code, FieldSource fields) {
        return connections.call(hostPort, code, fields, Unpooled.EMPTY_BUFFER, 60_000);
    }

    JRaftEngine engine() {
        return engine;
    }

    Replica replica() {
        return store.replica().orElseThrow();
    }

    MessageStore store() {
        return store;
    }

    SentMessage send(int queueId, String body) {
        SentMessage message = new SentMessage(store.queue("T", queueId), body);
        store.append(message);
        return message;
    }

    /** {@code offset@position body} of everything that a consumer of a queue sees. */
    List<SentMessage.Stored> messages(int queueId) {
        List<SentMessage.Stored> found = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        for (boolean more = cursor.seek(store.queue("T", queueId), first(queueId)); more; more = cursor.next()) {
            view.wrap(store.read(cursor.position(), cursor.size()), 0);
            found.add(new SentMessage.Stored(
                    StandardCharsets.UTF_8.decode(view.body()).toString(), view.queueOffset(), cursor.position()));
        }
        return found;
    }

    private long first(int queueId) {
        return store.queue("T", queueId).minOffset();
    }

    /** Takes the member off the network, then ends it. */
    void kill() {
        port.close();
        connections.close();
        close();
    }

    @Override
    public void close() {
        if (engine != null) {
            engine.close();
        }
        port.close();
        connections.close();
        if (store != null) {
            store.close();
        }
        loops.close();
        timer.close();
    }
}
