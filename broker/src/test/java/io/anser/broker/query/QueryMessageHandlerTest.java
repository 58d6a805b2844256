package io.anser.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.operation.QueryMessage;
import io.anser.system.Threads;
import io.anser.system.VirtualTime;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingServer;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QueryMessageHandlerTest {
    private static final int WORKERS = 4;
    private static final int ROUNDS = 20_000;
    private static final int NOT_FOUND = 22;

    private final VirtualTime time = new VirtualTime();

    /** A look-up whose answer is here is over: the next one must not meet it. A fault shows in one run of two. */
    @Test
    void aClientThatAsksAgainAsSoonAsItIsAnsweredIsNeverBusy() throws Exception {
        ExecutorService workers = Threads.workers("worker", WORKERS, 100, (where, cause) -> {
            throw new AssertionError(where, cause);
        });
        HandlerTable table = new HandlerTable(workers);
        table.register(
                QueryMessage.CODE,
                Lane.WORKER,
                QueryMessage.Request::decode,
                new QueryMessageHandler(new LookUps(), query -> List.of(), () -> 0, time));
        EventLoops loops = EventLoops.start(TransportSettings.defaults(), time);
        RemotingServer server = RemotingServer.start(
                loops,
                TransportSettings.defaults(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                table,
                time,
                time,
                List.of());
        RemotingClient client =
                new RemotingClient(loops, TransportSettings.defaults(), time, time, new HandlerTable(Runnable::run));
        try {
            String address = "127.0.0.1:" + server.address().getPort();
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(ask(client, address).get(30, TimeUnit.SECONDS).code())
                        .as("round %d", round)
                        .isEqualTo(NOT_FOUND);
            }
        } finally {
            client.close();
            server.close();
            loops.close();
            workers.shutdown();
        }
    }

    private static CompletableFuture<Reply> ask(RemotingClient client, String address) {
        QueryMessage.Request request = new QueryMessage.Request("T", "K", 1, 0, Long.MAX_VALUE, false);
        return client.call(address, QueryMessage.CODE, request, Unpooled.EMPTY_BUFFER, 30_000);
    }
}
