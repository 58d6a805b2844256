package io.anser.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.system.VirtualTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemotingClientTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final VirtualTime time = new VirtualTime();
    private final TestHandler serverHandler = new TestHandler();
    private final TestHandler clientHandler = new TestHandler();
    private EventLoops loops;
    private RemotingServer server;
    private RemotingClient client;

    @BeforeAll
    static void waitPatiently() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @BeforeEach
    void start() {
        loops = EventLoops.start(TransportSettings.defaults(), time);
        server = startServer(0);
        client = new RemotingClient(loops, TransportSettings.defaults(), time, time, clientHandler);
    }

    private RemotingServer startServer(int port) {
        return RemotingServer.start(
                loops,
                TransportSettings.defaults(),
                new InetSocketAddress(LOOPBACK, port),
                serverHandler,
                time,
                time,
                List.of());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        loops.close();
    }

    private String address() {
        return "127.0.0.1:" + server.address().getPort();
    }

    private CompletableFuture<Reply> call(int code, String body) {
        return client.call(address(), code, FieldSource.NONE, text(body), 3000);
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, UTF_8);
    }

    private static String text(CompletableFuture<Reply> reply) throws Exception {
        return new String(reply.get(20, TimeUnit.SECONDS).body(), UTF_8);
    }

    private static TransportException failure(CompletableFuture<?> future)
            throws InterruptedException, TimeoutException {
        try {
            Object result = future.get(20, TimeUnit.SECONDS);
            throw new AssertionError("no failure but " + result);
        } catch (ExecutionException e) {
            return (TransportException) e.getCause();
        }
    }

    @Test
    void callsOverOneConnectionPerAddress() throws Exception {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            replies.add(call(TestHandler.ECHO, "body " + i));
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(text(replies.get(i))).isEqualTo("body " + i);
        }
        assertThat(serverHandler.connections).hasSize(1);
    }

    @Test
    void survivesABurstThatFillsTheBuffersOfBothSides() throws Exception {
        List<String> bodies = new ArrayList<>();
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            // Small frames share a chunk, large ones follow theirs: both ways of writing, well above the high water.
            bodies.add((i + ".").repeat(i % 2 == 0 ? 200 : 4000));
            replies.add(call(TestHandler.ECHO, bodies.get(i)));
        }
        for (int i = 0; i < 4000; i++) {
            assertThat(text(replies.get(i))).isEqualTo(bodies.get(i));
        }
        assertThat(serverHandler.handled).hasValue(4000);
    }

    @Test
    void answersMayComeInAnyOrder() throws Exception {
        CompletableFuture<Reply> first = call(TestHandler.HOLD, "");
        CompletableFuture<Reply> second = call(TestHandler.HOLD, "");
        await().until(() -> serverHandler.held.size() == 2);
        Call firstCall = serverHandler.held.remove();
        serverHandler.held.remove().respond(22, "second");
        assertThat(second.get().code()).isEqualTo(22);
        assertThat(second.get().remark()).contains("second");
        assertThat(first).isNotDone();
        firstCall.respond(11, "first");
        assertThat(first.get().code()).isEqualTo(11);
    }

    @Test
    void aCallWithoutAnswerTimesOutAndALateAnswerIsDropped() throws Exception {
        CompletableFuture<Reply> reply = call(TestHandler.HOLD, "");
        await().until(() -> serverHandler.held.size() == 1);
        time.advance(Duration.ofMillis(2990));
        assertThat(text(call(TestHandler.ECHO, "between"))).isEqualTo("between");
        assertThat(reply).isNotDone();
        time.advance(Duration.ofMillis(20));
        TransportException failure = failure(reply);
        assertThat(failure.kind()).isEqualTo(TransportException.Kind.TIMEOUT);
        assertThat(failure.retrySafe()).isFalse();
        serverHandler.held.remove().respond(0, "late");
        assertThat(text(call(TestHandler.ECHO, "after"))).isEqualTo("after");
    }

    @Test
    void theFirstCallOfAConnectionMayTakeLongerThanAHandshake() throws Exception {
        CompletableFuture<Reply> reply = client.call(address(), TestHandler.HOLD, FieldSource.NONE, text(""), 30_000);
        await().until(() -> serverHandler.held.size() == 1);
        time.advance(Duration.ofMillis(2 * TransportSettings.defaults().handshakeTimeoutMillis()));
        serverHandler.held.remove().respond(7, "late, but in time");
        assertThat(reply.get(20, TimeUnit.SECONDS).code()).isEqualTo(7);
    }

    @Test
    void failsWhatIsUnansweredWhenTheConnectionEnds() throws Exception {
        CompletableFuture<Reply> reply = call(TestHandler.HOLD, "");
        await().until(() -> serverHandler.held.size() == 1);
        serverHandler.connections.element().close();
        TransportException failure = failure(reply);
        assertThat(failure.kind()).isEqualTo(TransportException.Kind.CLOSED);
        assertThat(failure.retrySafe()).isFalse();
    }

    @Test
    void connectsAgainAfterTheServerWasRestarted() throws Exception {
        int port = server.address().getPort();
        assertThat(text(call(TestHandler.ECHO, "one"))).isEqualTo("one");
        server.close();
        await().until(() -> clientHandler.ended.get() == 1);
        assertThat(failure(call(TestHandler.ECHO, "lost")).kind()).isEqualTo(TransportException.Kind.CONNECT);
        server = startServer(port);
        TransportException inPause = failure(call(TestHandler.ECHO, "early"));
        assertThat(inPause.kind()).isEqualTo(TransportException.Kind.CONNECT);
        assertThat(inPause.retrySafe()).isTrue();
        assertThat(inPause).hasMessageContaining("could not be reached a moment ago");
        time.advance(Duration.ofSeconds(3));
        assertThat(text(call(TestHandler.ECHO, "again"))).isEqualTo("again");
    }

    @Test
    void refusesWhatIsNoAddress() throws Exception {
        for (String wrong : List.of("nonsense", "host:", "host:port", "host:70000", ":", "127.0.0.1:0")) {
            TransportException failure =
                    failure(client.call(wrong, TestHandler.ECHO, FieldSource.NONE, text("x"), 3000));
            assertThat(failure.kind()).isEqualTo(TransportException.Kind.CONNECT);
            assertThat(failure.retrySafe()).isTrue();
        }
    }

    @Test
    void looksUpHostNames() throws Exception {
        CompletableFuture<Reply> reply = client.call(
                "localhost:" + server.address().getPort(), TestHandler.ECHO, FieldSource.NONE, text("named"), 3000);
        assertThat(text(reply)).isEqualTo("named");
    }

    @Test
    void oneWayCompletesWhenTheSocketHasTheRequest() throws Exception {
        for (int i = 0; i < 10; i++) {
            client.oneWay(address(), TestHandler.ECHO, FieldSource.NONE, text("x"))
                    .get(20, TimeUnit.SECONDS);
        }
        await().until(() -> serverHandler.handled.get() == 10);
    }

    @Test
    void oneWayFailsWhenThereIsNobody() throws Exception {
        server.close();
        TransportException failure = failure(client.oneWay(address(), TestHandler.ECHO, FieldSource.NONE, text("x")));
        assertThat(failure.kind()).isEqualTo(TransportException.Kind.CONNECT);
    }

    @Test
    void requestsOfTheServerReachTheHandler() throws Exception {
        call(TestHandler.ECHO, "hello").get();
        Connection connection = serverHandler.connections.element();
        Reply reply = connection
                .call(TestHandler.ECHO, FieldSource.NONE, text("asked by the server"), 3000)
                .get(20, TimeUnit.SECONDS);
        assertThat(new String(reply.body(), UTF_8)).isEqualTo("asked by the server");
        connection.sendOneWay(TestHandler.HOLD, FieldSource.NONE, Unpooled.EMPTY_BUFFER);
        await().until(() -> clientHandler.held.size() == 1);
        assertThat(clientHandler.held.remove().oneWay()).isTrue();
    }

    @Test
    void closingOneConnectionLeavesTheNextCallToANewOne() throws Exception {
        call(TestHandler.ECHO, "").get();
        client.closeConnection(address());
        await().until(() -> serverHandler.ended.get() == 1);
        assertThat(text(call(TestHandler.ECHO, "new"))).isEqualTo("new");
        assertThat(serverHandler.connections).hasSize(2);
    }

    @Test
    void theAlarmOfACallThatAClosedClientEndedIsQuiet() throws Exception {
        RemotingClient closing = new RemotingClient(TransportSettings.defaults(), time, time, clientHandler);
        CompletableFuture<Reply> reply = closing.call(address(), TestHandler.HOLD, FieldSource.NONE, text(""), 2000);
        await().until(() -> serverHandler.held.size() == 1);
        closing.close();
        assertThat(failure(reply).kind()).isEqualTo(TransportException.Kind.CLOSED);
        time.advance(Duration.ofSeconds(3));
        assertThat(serverHandler.connections).hasSize(1);
    }

    @Test
    void aClosedClientRefusesCalls() throws Exception {
        client.close();
        TransportException failure = failure(call(TestHandler.ECHO, "x"));
        assertThat(failure.kind()).isEqualTo(TransportException.Kind.CLOSED);
        assertThat(failure.retrySafe()).isTrue();
    }

    @Test
    void malformedAnswersEndTheConnectionAndFailTheCall() throws Exception {
        try (ServerSocket nonsense = new ServerSocket(0, 1, LOOPBACK)) {
            CompletableFuture<Reply> reply = client.call(
                    "127.0.0.1:" + nonsense.getLocalPort(), TestHandler.ECHO, FieldSource.NONE, text("x"), 3000);
            try (RawPeer peer = new RawPeer(nonsense.accept())) {
                assertThat(peer.read().encoding()).isEqualTo(HeaderEncoding.BINARY);
                peer.send(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0});
                assertThat(failure(reply).kind()).isEqualTo(TransportException.Kind.CLOSED);
                assertThat(peer.isEndedByPeer()).isTrue();
            }
        }
    }

    @Test
    void callsAboveTheLimitAreRefused() throws Exception {
        TransportSettings d = TransportSettings.defaults();
        TransportSettings few = new TransportSettings(
                1,
                d.maxFrameBytes(),
                d.maxHeaderBytes(),
                d.maxConnections(),
                d.acceptBacklog(),
                d.handshakeTimeoutMillis(),
                d.idleTimeoutMillis(),
                d.maxInFlight(),
                d.maxInFlightBytes(),
                d.writeHighWaterBytes(),
                d.maxPendingWriteBytes(),
                d.maxAllPendingWriteBytes(),
                d.connectTimeoutMillis(),
                3,
                d.closeGraceMillis());
        try (RemotingClient narrow = new RemotingClient(few, time, time, clientHandler)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                replies.add(narrow.call(address(), TestHandler.HOLD, FieldSource.NONE, text(""), 3000));
            }
            assertThat(failure(replies.get(3)).kind()).isEqualTo(TransportException.Kind.OVERLOADED);
            await().until(() -> serverHandler.held.size() == 3);
            serverHandler.held.forEach(call -> call.respond(0, "served"));
            for (int i = 0; i < 3; i++) {
                assertThat(replies.get(i).get().remark()).contains("served");
            }
        }
    }

    @Test
    void aFrameThatCannotBeWrittenFailsOnlyThatCall() throws Exception {
        FieldSource unwritable = header -> {
            throw new IllegalArgumentException("a field without a value");
        };
        CompletableFuture<Reply> reply = client.call(address(), TestHandler.ECHO, unwritable, text("lost"), 3000);
        await().until(reply::isDone);
        assertThat(reply).isCompletedExceptionally();
        assertThat(text(call(TestHandler.ECHO, "next"))).isEqualTo("next");
    }

    @Test
    void codesThatTheBinaryHeaderHasNoRoomForGoInTheOther() throws Exception {
        CompletableFuture<Reply> reply = client.call(address(), 200_050, FieldSource.NONE, text("wide"), 3000);
        await().until(() -> !serverHandler.held.isEmpty());
        Call served = serverHandler.held.remove();
        assertThat(served.code()).isEqualTo(200_050);

        served.respond(0, "served");
        assertThat(reply.get().remark()).contains("served");
    }
}
