package io.anser.broker.testing;

import io.anser.broker.Broker;
import io.anser.broker.BrokerSettings;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.Durability;
import io.anser.store.StoreSettings;
import io.anser.system.VirtualTime;
import io.anser.transport.Call;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.RemotingServer;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A whole broker with a store in a folder, on a free port of the loopback, in time that the test moves. */
public final class TestBroker implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = 30_000;

    private final VirtualTime time = new VirtualTime();
    // The network has a time of its own, so that moving the broker's does not make connections idle.
    private final VirtualTime networkTime = new VirtualTime();
    private final EventLoops loops;
    private final Broker broker;
    private final RemotingServer server;
    private final List<TestClient> clients = new ArrayList<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();

    private TestBroker(BrokerSettings settings, Path directory) throws Exception {
        TransportSettings transport = TransportSettings.defaults();
        loops = EventLoops.start(transport, networkTime);
        StoreSettings store = StoreSettings.defaults()
                .withDirectory(directory)
                .withDurability(Durability.MEMORY)
                .withSegmentBytes(8 << 20);
        broker = new Broker(
                settings,
                store,
                time,
                time,
                Runnable::run,
                (where, cause) -> faults.add(cause),
                handler -> new RemotingClient(loops, transport, networkTime, networkTime, handler));
        HandlerTable table = new HandlerTable(Runnable::run);
        broker.registerHandlers(table);
        server = RemotingServer.start(
                loops,
                transport,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                table,
                networkTime,
                networkTime,
                List.of());
        broker.start(server.address()).get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Starts a broker. */
    public static TestBroker start(BrokerSettings settings, Path directory) throws Exception {
        return new TestBroker(settings, directory);
    }

    /** The broker's time. */
    public VirtualTime time() {
        return time;
    }

    /** The broker itself. */
    public Broker broker() {
        return broker;
    }

    /** A new client with a connection of its own. */
    public TestClient client() {
        TestClient client = new TestClient();
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        clients.forEach(TestClient::close);
        server.close();
        broker.close();
        loops.close();
        if (!faults.isEmpty()) {
            throw new AssertionError("a thread failed", faults.peek());
        }
    }

    /** One client of the broker. */
    public final class TestClient implements AutoCloseable {
        private final Queue<Integer> requests = new ConcurrentLinkedQueue<>();
        private final RemotingClient remoting;
        private final String address = "127.0.0.1:" + server.address().getPort();

        private TestClient() {
            remoting = new RemotingClient(
                    loops, TransportSettings.defaults(), networkTime, networkTime, new RemotingHandler() {
                        @Override
                        public void handle(Call call, CommandHeader header, ByteBuf body) {
                            requests.add(call.code());
                            call.respond(FieldSource.NONE);
                        }
                    });
        }

        /** Calls the broker and waits for the answer. */
        public Reply call(int code, FieldSource fields, byte[] body) throws Exception {
            return start(code, fields, body).get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }

        /** Calls the broker. */
        public CompletableFuture<Reply> start(int code, FieldSource fields, byte[] body) {
            return remoting.call(address, code, fields, Unpooled.wrappedBuffer(body), TIMEOUT_MILLIS);
        }

        /** Codes of the requests that the broker sent to this client. */
        public Queue<Integer> requests() {
            return requests;
        }

        @Override
        public void close() {
            remoting.close();
        }
    }
}
