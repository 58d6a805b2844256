package io.anser.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.system.VirtualTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemotingServerTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final VirtualTime time = new VirtualTime();
    private final TestHandler handler = new TestHandler();
    private RemotingServer server;

    @BeforeAll
    static void waitPatiently() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @BeforeEach
    void start() {
        start(TransportSettings.defaults());
    }

    private void start(TransportSettings settings) {
        server = RemotingServer.start(settings, ANY, handler, time, time);
    }

    private void restart(TransportSettings settings) {
        server.close();
        start(settings);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawPeer peer() throws IOException {
        return new RawPeer(server.address());
    }

    private void assertServesOthers() throws IOException {
        try (RawPeer other = peer()) {
            assertThat(other.send(RawPeer.request(TestHandler.ECHO, 1, "alive"))
                            .read()
                            .text())
                    .isEqualTo("alive");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"JSON", "BINARY"})
    void answersInTheEncodingOfTheRequest(HeaderEncoding encoding) throws IOException {
        try (RawPeer peer = peer()) {
            peer.send(RawPeer.request(encoding, TestHandler.ECHO, 77, "hello".getBytes(UTF_8)));
            RawPeer.Frame answer = peer.read();
            assertThat(answer.encoding()).isEqualTo(encoding);
            assertThat(answer.code()).isZero();
            assertThat(answer.opaque()).isEqualTo(77);
            assertThat(answer.flag()).isEqualTo(1);
            assertThat(answer.text()).isEqualTo("hello");
        }
    }

    @Test
    void whatARequestHoldsIsGivenBackOnceBeforeItsAnswerIsRead() throws IOException {
        AtomicInteger givenBack = new AtomicInteger();
        try (RawPeer peer = peer()) {
            peer.send(RawPeer.request(TestHandler.HOLD, 5, ""));
            await().until(() -> !handler.held.isEmpty());
            Call call = handler.held.remove();
            call.whenAnswered(givenBack::incrementAndGet);
            assertThat(givenBack).hasValue(0);

            call.respond(7, "first");
            call.respond(8, "second");

            assertThat(peer.read().code()).isEqualTo(7);
            assertThat(givenBack).hasValue(1);
        }
    }

    @Test
    void readsAFrameThatArrivesByteByByte() throws IOException {
        try (RawPeer peer = peer()) {
            for (byte each : RawPeer.request(TestHandler.ECHO, 5, "slowly")) {
                peer.send(new byte[] {each});
            }
            assertThat(peer.read().text()).isEqualTo("slowly");
        }
    }

    @Test
    void readsAFrameOfNearlyTheLargestSize() throws IOException {
        byte[] body = new byte[(16 << 20) - 200];
        new Random(7).nextBytes(body);
        try (RawPeer peer = peer()) {
            peer.send(RawPeer.request(HeaderEncoding.JSON, TestHandler.ECHO, 5, body));
            assertThat(peer.read().body()).isEqualTo(body);
        }
    }

    @Test
    void halfAFrameDoesNotDelayOtherConnections() throws IOException {
        byte[] frame = RawPeer.request(TestHandler.ECHO, 5, "late");
        try (RawPeer half = peer()) {
            half.send(Arrays.copyOf(frame, 20));
            assertServesOthers();
            half.send(Arrays.copyOfRange(frame, 20, frame.length));
            assertThat(half.read().text()).isEqualTo("late");
        }
    }

    @Test
    void answersTwoThousandPipelinedRequests() throws IOException {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < 2000; i++) {
            requests.writeBytes(RawPeer.request(TestHandler.ECHO, i, "body " + i));
        }
        Set<Integer> answered = new HashSet<>();
        try (RawPeer peer = peer()) {
            peer.send(requests.toByteArray());
            for (int i = 0; i < 2000; i++) {
                RawPeer.Frame answer = peer.read();
                assertThat(answer.text()).isEqualTo("body " + answer.opaque());
                answered.add(answer.opaque());
            }
        }
        assertThat(answered).hasSize(2000);
    }

    @Test
    void answersFromManyThreadsAtOnce() throws Exception {
        List<Thread> threads = new ArrayList<>();
        try (RawPeer peer = peer()) {
            for (int i = 0; i < 400; i++) {
                peer.send(RawPeer.request(TestHandler.HOLD, i, ""));
            }
            await().until(() -> handler.held.size() == 400);
            CountDownLatch go = new CountDownLatch(1);
            for (int t = 0; t < 4; t++) {
                Thread thread = new Thread(() -> {
                    awaitQuietly(go);
                    Call call = handler.held.poll();
                    while (call != null) {
                        call.respond(call.opaque(), "answer " + call.opaque());
                        call = handler.held.poll();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            go.countDown();
            Set<Integer> answered = new HashSet<>();
            for (int i = 0; i < 400; i++) {
                RawPeer.Frame answer = peer.read();
                assertThat(answer.code()).isEqualTo(answer.opaque());
                assertThat(answer.remark()).isEqualTo("answer " + answer.opaque());
                answered.add(answer.opaque());
            }
            assertThat(answered).hasSize(400);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void oneWayRequestsGetNoAnswer() throws IOException {
        try (RawPeer peer = peer()) {
            peer.send(RawPeer.frame(HeaderEncoding.JSON, TestHandler.ECHO, 2, 1, "silent".getBytes(UTF_8)));
            peer.send(RawPeer.request(TestHandler.ECHO, 2, "loud"));
            assertThat(peer.read().opaque()).isEqualTo(2);
        }
        assertThat(handler.handled).hasValue(2);
    }

    @Test
    void theSecondAnswerToACallIsDropped() throws IOException {
        try (RawPeer peer = peer()) {
            peer.send(RawPeer.request(TestHandler.HOLD, 9, ""));
            await().until(() -> handler.held.size() == 1);
            Call call = handler.held.remove();
            call.respond(0, "first");
            call.respond(1, "second");
            assertThat(peer.read().remark()).isEqualTo("first");
            peer.send(RawPeer.request(TestHandler.ECHO, 10, ""));
            assertThat(peer.read().opaque()).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7fffffff 0000000a", // longer than any frame
                "ffffffff 0000000a", // negative length
                "01000001 0000000a", // one byte above the limit
                "00000000 00000000", // no header word
                "00000002 00000000", // half a header word
                "00000014 00ffffff", // header longer than the frame
                "00000014 00000000", // no header
                "00000014 05000010", // unknown encoding
                "00000014 00000010 5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b", // a header that is not JSON
                "00000019 01000015 000100019100000001000000007fffffff00000000", // remark longer than the header
                "5a5a5a5a", // no protocol at all
                "474554202f20485454502f312e310d0a0d0a", // HTTP, which has no slot here
                "1603010200010001fc0303", // TLS, which has no slot here
            })
    void closesAConnectionThatSendsNoFrame(String hex) throws IOException {
        String digits = hex.replace(" ", "");
        try (RawPeer peer = peer()) {
            peer.send(HexFormat.of().parseHex(digits));
            assertThat(peer.isEndedByPeer()).isTrue();
        }
        assertThat(handler.handled).hasValue(0);
        assertServesOthers();
    }

    @Test
    void randomGarbageHurtsNobody() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            byte[] garbage = new byte[4096];
            new Random(seed).nextBytes(garbage);
            garbage[0] = 0;
            garbage[1] = 0;
            garbage[4] = 0;
            try (RawPeer peer = peer()) {
                peer.send(garbage);
            }
        }
        assertServesOthers();
    }

    @Test
    void closesAConnectionThatSaysNothingForTenSeconds() throws IOException {
        try (RawPeer silent = peer()) {
            await().until(() -> server.connections() == 1);
            time.advance(Duration.ofSeconds(12));
            assertThat(silent.isEndedByPeer()).isTrue();
        }
    }

    @Test
    void closesSlowLorisConnectionsAndServesOthersMeanwhile() throws IOException {
        List<RawPeer> lorises = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            lorises.add(peer().send(new byte[] {0, 0, 1}));
        }
        await().until(() -> server.connections() == 50);
        time.advance(Duration.ofSeconds(8));
        assertServesOthers();
        time.advance(Duration.ofSeconds(5));
        for (RawPeer loris : lorises) {
            assertThat(loris.isEndedByPeer()).isTrue();
            loris.close();
        }
    }

    @Test
    void closesAConnectionThatIsIdleForTwoMinutesAndNotEarlier() throws Exception {
        try (RawPeer peer = peer()) {
            peer.send(RawPeer.request(TestHandler.ECHO, 1, "")).read();
            passSeconds(119);
            peer.send(RawPeer.request(TestHandler.ECHO, 2, "")).read();
            passSeconds(119);
            peer.send(RawPeer.request(TestHandler.ECHO, 3, "")).read();
            passSeconds(123);
            assertThat(peer.isEndedByPeer()).isTrue();
        }
        await().until(() -> handler.ended.get() == 1);
    }

    /** Lets time pass, and waits until the event loop has seen it. */
    private void passSeconds(int seconds) throws InterruptedException {
        time.advance(Duration.ofSeconds(seconds));
        CountDownLatch seen = new CountDownLatch(1);
        handler.connections.element().executor().execute(seen::countDown);
        seen.await();
    }

    @Test
    void refusesConnectionsAboveTheLimit() throws IOException {
        restart(settings(2, 4096, 32 << 20));
        try (RawPeer one = peer();
                RawPeer two = peer()) {
            one.send(RawPeer.request(TestHandler.ECHO, 1, "")).read();
            two.send(RawPeer.request(TestHandler.ECHO, 1, "")).read();
            try (RawPeer three = peer()) {
                assertThat(three.isEndedByPeer()).isTrue();
            }
            one.send(RawPeer.request(TestHandler.ECHO, 2, "")).read();
        }
    }

    @Test
    void stopsReadingWhenTooManyRequestsAreUnanswered() throws IOException {
        restart(settings(100, 8, 32 << 20));
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < 20; i++) {
            requests.writeBytes(RawPeer.request(TestHandler.HOLD, i, ""));
        }
        try (RawPeer peer = peer()) {
            peer.send(requests.toByteArray());
            await().until(() -> handler.held.size() == 8);
            assertServesOthers();
            assertThat(handler.held).hasSize(8);
            for (int i = 0; i < 20; i++) {
                await().until(() -> !handler.held.isEmpty());
                handler.held.remove().respond(0, "done");
                peer.read();
            }
        }
    }

    @Test
    void parkedRequestsDoNotStopReading() throws IOException {
        restart(settings(100, 8, 32 << 20));
        try (RawPeer peer = peer()) {
            for (int i = 0; i < 20; i++) {
                peer.send(RawPeer.request(TestHandler.PARK, i, ""));
            }
            await().until(() -> handler.held.size() == 20);
            handler.held.forEach(call -> call.respond(0, "woken"));
            for (int i = 0; i < 20; i++) {
                assertThat(peer.read().remark()).isEqualTo("woken");
            }
        }
    }

    @Test
    void aSlowReaderSlowsOnlyItselfAndIsServedWhenItReads() throws IOException {
        int each = 1 << 20;
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            requests.writeBytes(RawPeer.request(TestHandler.BYTES, each, ""));
        }
        try (RawPeer slow = peer()) {
            slow.send(requests.toByteArray());
            await().until(() -> handler.handled.get() > 0);
            assertServesOthers();
            assertServesOthers();
            assertThat(handler.handled.get()).isLessThan(50);
            for (int i = 0; i < 100; i++) {
                assertThat(slow.read().body()).hasSize(each);
            }
        }
    }

    /** Each keeps within its own limit, and all of them together would use up the memory. */
    @Test
    void aCrowdOfSlowReadersHasABoundTogether() throws IOException {
        int each = 15 << 20;
        restart(settings(100, 4096, 32 << 20, 16 << 20));
        List<RawPeer> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                slow.add(peer());
                slow.get(i).send(RawPeer.request(TestHandler.BYTES, each, ""));
            }
            await().until(() -> handler.handled.get() >= 8 && server.connections() < 8);
            assertServesOthers();
            int served = 0;
            for (RawPeer peer : slow) {
                served += isServed(peer, each) ? 1 : 0;
            }
            assertThat(served).isBetween(1, 7);
            for (int i = 0; i < 8; i++) {
                assertServesOthers();
            }
        } finally {
            for (RawPeer peer : slow) {
                peer.close();
            }
        }
    }

    private static boolean isServed(RawPeer peer, int bytes) {
        try {
            return peer.read().body().length == bytes;
        } catch (IOException ended) {
            return false;
        }
    }

    @Test
    void closingLetsTheAnswersOutThatAreOnTheirWay() throws Exception {
        try (RawPeer peer = peer();
                RawPeer parked = peer()) {
            peer.send(RawPeer.request(TestHandler.HOLD, 1, ""));
            parked.send(RawPeer.request(TestHandler.PARK, 2, ""));
            await().until(() -> handler.held.size() == 2);
            Thread closing = new Thread(server::close);
            closing.start();
            assertThat(parked.isEndedByPeer()).isTrue();
            handler.held.forEach(call -> call.respond(0, "last words"));
            assertThat(peer.read().remark()).isEqualTo("last words");
            assertThat(peer.isEndedByPeer()).isTrue();
            closing.join();
        }
    }

    @Test
    void closesWhenTheGraceIsOverThoughRequestsAreUnanswered() throws Exception {
        try (RawPeer peer = peer();
                RawPeer silent = peer()) {
            peer.send(RawPeer.request(TestHandler.HOLD, 1, ""));
            await().until(() -> handler.held.size() == 1 && server.connections() == 2);
            server.close();
            assertThat(peer.isEndedByPeer()).isTrue();
            assertThat(silent.isEndedByPeer()).isTrue();
            handler.held
                    .remove()
                    .respond(0, null, FieldSource.NONE, Unpooled.directBuffer(8).writeLong(1));
        }
    }

    @Test
    void saysWhyAnAddressCannotBeListenedOn() {
        assertThatThrownBy(
                        () -> RemotingServer.start(TransportSettings.defaults(), server.address(), handler, time, time))
                .isInstanceOfSatisfying(TransportException.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(TransportException.Kind.LISTEN);
                    assertThat(failure)
                            .hasMessageContaining("cannot listen on 127.0.0.1:"
                                    + server.address().getPort());
                });
    }

    @Test
    void callsTheOtherSideAndGetsItsAnswer() throws Exception {
        try (RawPeer peer = peer()) {
            peer.send(RawPeer.request(HeaderEncoding.BINARY, TestHandler.ECHO, 1, new byte[0]))
                    .read();
            Connection connection = handler.connections.element();
            var reply = connection.call(307, FieldSource.NONE, Unpooled.EMPTY_BUFFER, 3000);
            RawPeer.Frame asked = peer.read();
            assertThat(asked.code()).isEqualTo(307);
            assertThat(asked.encoding()).isEqualTo(HeaderEncoding.BINARY);
            peer.send(RawPeer.frame(HeaderEncoding.BINARY, 0, 1, asked.opaque(), "here".getBytes(US_ASCII)));
            assertThat(reply.get().body()).isEqualTo("here".getBytes(US_ASCII));
        }
    }

    @Test
    void aReplyThatNobodyWaitsForIsDropped() throws IOException {
        try (RawPeer peer = peer()) {
            peer.send(RawPeer.frame(HeaderEncoding.JSON, 0, 1, 4711, new byte[0]));
            peer.send(RawPeer.request(TestHandler.ECHO, 2, "on"));
            assertThat(peer.read().text()).isEqualTo("on");
        }
    }

    @Test
    void aSlotServesItsProtocolFromTheFirstByteOn() throws IOException {
        server.close();
        EventLoops loops = EventLoops.start(TransportSettings.defaults(), time);
        server = RemotingServer.start(
                loops, TransportSettings.defaults(), ANY, handler, time, time, List.of(new UpperCaseSlot()));
        try (RawPeer peer = peer()) {
            peer.send("PO".getBytes(US_ASCII));
            peer.send("ST /x".getBytes(US_ASCII));
            byte[] back = peer.socket.getInputStream().readNBytes(7);
            assertThat(new String(back, US_ASCII)).isEqualTo("post /x");
        }
        assertServesOthers();
        server.close();
        loops.close();
    }

    /** A protocol that sends everything back in lower case. */
    private static final class UpperCaseSlot implements ProtocolSlot {
        @Override
        public WireProtocol protocol() {
            return WireProtocol.HTTP1;
        }

        @Override
        public void install(Channel channel) {
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext ctx, Object message) {
                    ByteBuf bytes = (ByteBuf) message;
                    String text = bytes.toString(US_ASCII).toLowerCase(Locale.ROOT);
                    bytes.release();
                    ctx.writeAndFlush(Unpooled.wrappedBuffer(ByteBuffer.wrap(text.getBytes(US_ASCII))));
                }
            });
        }
    }

    private static TransportSettings settings(int maxConnections, int maxInFlight, long maxInFlightBytes) {
        return settings(
                maxConnections,
                maxInFlight,
                maxInFlightBytes,
                TransportSettings.defaults().maxAllPendingWriteBytes());
    }

    private static TransportSettings settings(
            int maxConnections, int maxInFlight, long maxInFlightBytes, long maxAllPendingWriteBytes) {
        TransportSettings d = TransportSettings.defaults();
        return new TransportSettings(
                d.eventLoops(),
                d.maxFrameBytes(),
                d.maxHeaderBytes(),
                maxConnections,
                d.acceptBacklog(),
                d.handshakeTimeoutMillis(),
                d.idleTimeoutMillis(),
                maxInFlight,
                maxInFlightBytes,
                d.writeHighWaterBytes(),
                d.maxPendingWriteBytes(),
                maxAllPendingWriteBytes,
                d.connectTimeoutMillis(),
                d.maxPendingCalls(),
                d.closeGraceMillis());
    }
}
