package io.anser.broker.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.SystemTopics;
import io.anser.broker.metadata.Topic;
import io.anser.broker.traffic.Traffic;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.log.LogLoad;
import io.anser.store.log.LogRoom;
import io.anser.system.Cancellable;
import io.anser.system.VirtualTime;
import io.anser.transport.Connection;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingServer;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong while sends wait is answered, and leaves none of the others waiting for ever. */
class FlowFaultsTest {
    private static final int SEND = 4711;

    private final VirtualTime time = new VirtualTime(1_000_000);
    private final BrokerState state = new BrokerState(SystemTopics.of("C", "b", 8));
    private final Topic topic = state.topics().find("TBW102").orElseThrow();
    private final Room room = new Room();
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean schedulerIsBroken;
    private volatile int bytes = 1;
    private RemotingServer server;
    private RemotingClient client;

    /** A log that has no room, or cannot even tell. */
    private static final class Room implements LogRoom {
        private volatile boolean has;
        private volatile boolean broken;

        @Override
        public boolean hasRoom(int messageBytes) {
            if (broken) {
                throw new IllegalStateException("the test's log is broken");
            }
            return has;
        }

        @Override
        public String overload() {
            return "the test's log is full";
        }

        @Override
        public LogLoad load() {
            throw new UnsupportedOperationException();
        }
    }

    private void open(FlowSettings settings) {
        FlowControl flow = new FlowControl(
                settings, room, state.topics(), this::clientId, new Traffic(time, time), time, this::schedule);
        HandlerTable table = new HandlerTable(Runnable::run);
        table.onConnected(flow::connected);
        table.register(SEND, Lane.NET, header -> FieldSource.NONE, (call, request, body) -> {
            try {
                flow.sends().hold(call, topic, body, bytes, 1, () -> call.respond(FieldSource.NONE));
            } finally {
                arrived.incrementAndGet();
            }
        });
        server = RemotingServer.start(
                TransportSettings.defaults(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                table,
                time,
                time);
        client = new RemotingClient(TransportSettings.defaults(), time, time, (call, header, body) -> {});
    }

    /** Cannot tell the first time. */
    private Optional<String> clientId(Connection connection) {
        if (asked.getAndIncrement() == 0) {
            throw new IllegalStateException("the test knows no client");
        }
        return Optional.of("c");
    }

    private Cancellable schedule(long delayMillis, Runnable task) {
        if (schedulerIsBroken) {
            throw new IllegalStateException("the test's scheduler is broken");
        }
        return time.schedule(delayMillis, task);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private List<CompletableFuture<Reply>> send(int count) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        int before = arrived.get();
        for (int i = 0; i < count; i++) {
            replies.add(client.call(
                    "127.0.0.1:" + server.address().getPort(),
                    SEND,
                    FieldSource.NONE,
                    Unpooled.EMPTY_BUFFER,
                    TimeUnit.HOURS.toMillis(1)));
        }
        await().until(() -> arrived.get() == before + count);
        return replies;
    }

    private static Reply get(CompletableFuture<Reply> reply) throws Exception {
        return reply.get(30, TimeUnit.SECONDS);
    }

    private static void assertFailed(CompletableFuture<Reply> reply) throws Exception {
        assertThat(get(reply).code()).isEqualTo(1);
        assertThat(get(reply).remark().orElse("")).startsWith("internal error, id=");
    }

    @Test
    void sendsForWhichNobodyCanLookAgainAreAnsweredAndTheNextOnesWait() throws Exception {
        open(FlowSettings.defaults());
        schedulerIsBroken = true;
        for (CompletableFuture<Reply> reply : send(2)) {
            assertFailed(reply);
        }

        schedulerIsBroken = false;
        List<CompletableFuture<Reply>> replies = send(2);
        room.has = true;
        time.advance(Duration.ofMillis(10));
        for (CompletableFuture<Reply> reply : replies) {
            assertThat(get(reply).code()).isZero();
        }
    }

    @Test
    void sendsWhoseRoomCannotBeToldAreAnswered() throws Exception {
        open(FlowSettings.defaults());
        List<CompletableFuture<Reply>> replies = send(3);
        room.broken = true;
        time.advance(Duration.ofMillis(10));

        for (CompletableFuture<Reply> reply : replies) {
            assertFailed(reply);
        }
    }

    @Test
    void aRefusalThatGoesWrongLeavesTheOthersToTheirs() throws Exception {
        room.has = true;
        open(new FlowSettings(0, 0, 0, 1, 0, 0, 900));
        List<CompletableFuture<Reply>> taken = send(2);
        List<CompletableFuture<Reply>> doomed = send(3);
        time.advance(Duration.ofMillis(900));

        for (CompletableFuture<Reply> reply : taken) {
            assertThat(get(reply).code()).isZero();
        }
        assertFailed(doomed.get(0));
        for (CompletableFuture<Reply> reply : doomed.subList(1, 3)) {
            assertThat(get(reply).code()).isEqualTo(2);
            assertThat(get(reply).remark().orElse("")).startsWith("over the quota of client=c: limit=1 messages/s");
        }
    }

    /** The reason was looked for anew when the wait was over: the log had room by then, and the topic's quota was blamed. */
    @Test
    void aRefusalNamesWhatThereWasTooMuchOfWhenTheSendCame() throws Exception {
        bytes = (int) SendGate.HELD_BYTES_MAX;
        open(new FlowSettings(0, 1_000_000, 0, 0, 0, 0, 900));
        CompletableFuture<Reply> waiting = send(1).get(0);
        CompletableFuture<Reply> doomed = send(1).get(0);
        room.has = true;
        time.advance(Duration.ofMillis(900));

        assertThat(get(waiting).code()).isZero();
        assertThat(get(doomed).code()).isEqualTo(2);
        assertThat(get(doomed).remark()).contains("the test's log is full; waited 900 ms");
    }
}
