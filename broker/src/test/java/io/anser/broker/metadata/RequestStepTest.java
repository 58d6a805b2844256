package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.store.file.StoreException;
import io.anser.system.VirtualTime;
import io.anser.transport.Call;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingServer;
import io.anser.transport.TransportSettings;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RequestStepTest {
    private static final int CODE = 1;

    private final VirtualTime time = new VirtualTime();
    private final AtomicInteger ended = new AtomicInteger();

    private CommandHeader answerTo(Consumer<Outcome> ending, Runnable step) throws Exception {
        HandlerTable table = new HandlerTable(Runnable::run);
        table.register(CODE, Lane.NET, header -> FieldSource.NONE, (call, request, body) -> {
            ending.accept(step(call, step));
        });
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
            return client.call(address, CODE, FieldSource.NONE, Unpooled.EMPTY_BUFFER, 3000)
                    .get(30, TimeUnit.SECONDS)
                    .header();
        } finally {
            client.close();
            server.close();
            loops.close();
        }
    }

    private RequestStep step(Call call, Runnable step) {
        return new RequestStep(call) {
            @Override
            protected void goOn() {
                step.run();
            }

            @Override
            protected void end() {
                ended.incrementAndGet();
            }
        };
    }

    @Test
    void whatNobodyExpectedIsAnsweredAndEndsTheStep() throws Exception {
        CommandHeader answer = answerTo(Outcome::committed, () -> {
            throw new IllegalStateException("a fault of ours");
        });

        assertThat(answer.code()).isEqualTo(ResponseCode.SYSTEM_ERROR);
        assertThat(answer.remark().orElseThrow()).matches("internal error, id=\\d+");
        assertThat(ended).hasValue(1);
    }

    @Test
    void aMalformedMessageIsRefusedWithItsReason() throws Exception {
        CommandHeader answer = answerTo(Outcome::committed, () -> {
            throw new MalformedMessageException("too long");
        });

        assertThat(answer.code()).isEqualTo(ResponseCode.MESSAGE_ILLEGAL);
        assertThat(answer.remark()).contains("too long");
    }

    @Test
    void aChangeThatFailedIsToldWithTheReasonOfTheStore() throws Exception {
        CommandHeader answer =
                answerTo(outcome -> outcome.failed(new StoreException(StoreException.Kind.FULL, "no room")), () -> {});

        assertThat(answer.code()).isEqualTo(ResponseCode.SERVICE_NOT_AVAILABLE);
        assertThat(answer.remark()).contains("no room");
        assertThat(ended).hasValue(1);
    }
}
