package io.anser.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.system.VirtualTime;
import io.anser.transport.Call;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.RemotingServer;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a member takes to a leader that answers when the test says so, over real sockets. */
class ForwardToLeaderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SEND = 10;
    private static final FieldName POLL_TIME = FieldName.of("pollTime");
    private static final FieldSource POLL = out -> out.field(POLL_TIME, "20000");

    private final VirtualTime time = new VirtualTime();
    private final BlockingQueue<Call> atLeader = new LinkedBlockingQueue<>();
    private EventLoops loops;
    private RemotingServer leader;
    private RemotingServer member;
    private RemotingClient toLeader;
    private RemotingClient client;

    @BeforeEach
    void start() {
        loops = EventLoops.start(TransportSettings.defaults(), time);
        leader = listening((call, header, body) -> {
            if (header.has(POLL_TIME)) {
                call.park();
            }
            atLeader.add(call);
        });
        toLeader = connections();
        client = connections();
    }

    @AfterEach
    void end() {
        client.close();
        member.close();
        toLeader.close();
        leader.close();
        loops.close();
    }

    @Test
    void aPollTimeThatIsNoNumberIsTheLeadersToRefuseAndCostsNoPlace() throws Exception {
        member(new OnTheirWay(1, 1000), new OnTheirWay(1, 1000));

        CompletableFuture<Reply> wrong = call(out -> out.field(POLL_TIME, "soon"), 0);
        answerOne(ResponseCode.SYSTEM_ERROR);
        assertThat(code(wrong)).isEqualTo(ResponseCode.SYSTEM_ERROR);

        CompletableFuture<Reply> right = call(FieldSource.NONE, 0);
        answerOne(ResponseCode.SUCCESS);
        assertThat(code(right)).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void thoseThatWaitAtTheLeaderKeepOutOneAnotherOnly() throws Exception {
        member(new OnTheirWay(1, 1000), new OnTheirWay(2, 1000));
        call(POLL, 0);
        call(POLL, 0);
        awaitAtLeader(2);

        assertThat(code(call(POLL, 0))).isEqualTo(ResponseCode.SYSTEM_BUSY);
        CompletableFuture<Reply> send = call(FieldSource.NONE, 0);
        awaitAtLeader(3);
        assertThat(code(call(FieldSource.NONE, 0))).isEqualTo(ResponseCode.SYSTEM_BUSY);

        answerOne(ResponseCode.SUCCESS);
        answerOne(ResponseCode.SUCCESS);
        answerOne(ResponseCode.SUCCESS);
        assertThat(code(send)).isEqualTo(ResponseCode.SUCCESS);
    }

    @Test
    void manyBytesThatWaitForAnswersKeepOutMore() throws Exception {
        member(new OnTheirWay(100, 1000), new OnTheirWay(100, 1000));
        CompletableFuture<Reply> large = call(FieldSource.NONE, 1500); // one alone may be larger
        awaitAtLeader(1);
        assertThat(code(call(FieldSource.NONE, 10))).isEqualTo(ResponseCode.SYSTEM_BUSY);

        answerOne(ResponseCode.SUCCESS);
        assertThat(code(large)).isEqualTo(ResponseCode.SUCCESS);
        CompletableFuture<Reply> small = call(FieldSource.NONE, 10);
        answerOne(ResponseCode.SUCCESS);
        assertThat(code(small)).isEqualTo(ResponseCode.SUCCESS);
    }

    private void member(OnTheirWay answeredAtOnce, OnTheirWay polls) {
        ForwardToLeader forward = new ForwardToLeader(
                new HandlerTable(Runnable::run),
                "broker-a",
                new Forwarded(Set.of(SEND), Set.of()),
                toLeader,
                connection -> true,
                answeredAtOnce,
                polls);
        forward.ask(Leadership.of(address(leader)));
        member = listening(forward);
    }

    private CompletableFuture<Reply> call(FieldSource fields, int bodyBytes) {
        return client.call(address(member), SEND, fields, Unpooled.wrappedBuffer(new byte[bodyBytes]), 60_000);
    }

    private static int code(CompletableFuture<Reply> reply) throws Exception {
        return reply.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).code();
    }

    private void awaitAtLeader(int calls) {
        await().atMost(PATIENCE).until(() -> atLeader.size() == calls);
    }

    private void answerOne(int code) throws InterruptedException {
        Call call = atLeader.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(call).isNotNull();
        call.respond(code, "");
    }

    private RemotingServer listening(RemotingHandler handler) {
        return RemotingServer.start(
                loops,
                TransportSettings.defaults(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                handler,
                time,
                time,
                List.of());
    }

    private RemotingClient connections() {
        return new RemotingClient(loops, TransportSettings.defaults(), time, time, new HandlerTable(Runnable::run));
    }

    private static String address(RemotingServer server) {
        return "127.0.0.1:" + server.address().getPort();
    }
}
