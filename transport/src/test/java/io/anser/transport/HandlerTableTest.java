package io.anser.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.system.Threads;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandlerTableTest {
    private static final FieldName TOPIC = FieldName.of("topic");

    private final VirtualTime time = new VirtualTime();
    private final ExecutorService workers = Threads.workers("worker", 1, 1, (where, cause) -> {});
    private final HandlerTable table = new HandlerTable(workers);
    private final CountDownLatch letWorkersGo = new CountDownLatch(1);
    private RemotingServer server;
    private RawPeer peer;

    @BeforeEach
    void start() throws IOException {
        table.register(
                1,
                Lane.NET,
                header -> "",
                (call, none, body) -> call.respond(0, null, FieldSource.NONE, body.retain()));
        table.register(2, Lane.NET, header -> header.string(TOPIC), (call, topic, body) -> call.respond(0, topic));
        table.register(3, Lane.NET, header -> "", (call, none, body) -> {
            throw new IllegalStateException("secret of the house");
        });
        table.register(4, Lane.WORKER, header -> "", (call, none, body) -> {
            awaitQuietly(letWorkersGo);
            call.respond(0, Thread.currentThread().getName(), FieldSource.NONE, body.retain());
        });
        table.register(5, Lane.WORKER, header -> "", (call, none, body) -> {
            throw new OutOfMemoryError("Java heap space");
        });
        server = RemotingServer.start(
                TransportSettings.defaults(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                table,
                time,
                time);
        peer = new RawPeer(server.address());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() throws IOException {
        peer.close();
        server.close();
        workers.shutdownNow();
    }

    private RawPeer.Frame call(int code) throws IOException {
        return peer.send(RawPeer.request(code, code, "body")).read();
    }

    @Test
    void handsARequestToTheHandlerOfItsCode() throws IOException {
        assertThat(call(1).text()).isEqualTo("body");
    }

    @Test
    void answersAnUnknownCodeWithThree() throws IOException {
        RawPeer.Frame answer = call(31999);
        assertThat(answer.code()).isEqualTo(3);
        assertThat(answer.remark()).isEqualTo(" request type 31999 not supported");
    }

    @Test
    void answersAMissingFieldWithItsName() throws IOException {
        RawPeer.Frame answer = call(2);
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.remark()).isEqualTo("field topic is missing");
    }

    @Test
    void neverTellsWhatBrokeInside() throws IOException {
        RawPeer.Frame answer = call(3);
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.remark()).matches("internal error, id=\\d+");
        assertThat(call(1).text()).isEqualTo("body");
    }

    @Test
    void answersARequestThatTheHeapIsTooSmallFor() throws IOException {
        RawPeer.Frame answer = call(5);
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.remark()).matches("internal error, id=\\d+");
        assertThat(call(1).text()).isEqualTo("body");
    }

    @Test
    void repeatsNoMoreOfARequestThanFitsAnErrorText() throws IOException {
        table.register(
                6,
                Lane.NET,
                header -> "",
                (call, none, body) -> call.respond(17, "topic=" + "x".repeat(5000) + " is not here"));
        assertThat(call(6).remark()).isEqualTo("topic=" + "x".repeat(1018) + "...(5018 characters)");
    }

    @Test
    void runsSlowOperationsOnWorkersAndAnswersBusyWhenTheyAreFull() throws IOException {
        for (int opaque = 0; opaque < 3; opaque++) {
            peer.send(RawPeer.request(4, opaque, "kept"));
        }
        RawPeer.Frame refused = peer.read();
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.opaque()).isEqualTo(2);
        letWorkersGo.countDown();
        RawPeer.Frame first = peer.read();
        assertThat(first.remark()).isEqualTo("worker-0");
        assertThat(new String(first.body(), UTF_8)).isEqualTo("kept");
        assertThat(peer.read().text()).isEqualTo("kept");
    }

    @Test
    void refusesASecondHandlerForACode() {
        assertThatThrownBy(() -> table.register(1, Lane.NET, CommandHeader::code, (call, code, body) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("request code 1 has a handler already");
    }
}
