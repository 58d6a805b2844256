package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.MessageQueue;
import io.anser.system.VirtualTime;
import io.anser.transport.RemotingClient;
import io.anser.transport.TransportSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemberQueuesTest {
    private static final MessageQueue FIRST = new MessageQueue("orders", "b", 0);
    private static final MessageQueue SECOND = new MessageQueue("orders", "b", 1);
    /** The member's thread when too many steps wait already. */
    private static final Executor DROPPING = step -> {};

    private final VirtualTime time = new VirtualTime();

    private ScriptedServer server;
    private RemotingClient connections;
    private MemberQueues queues;

    @BeforeEach
    void start() {
        server = ScriptedServer.start();
        connections = new RemotingClient(TransportSettings.defaults(), time, time, (call, header, body) -> {});
        Remoting remoting = new Remoting(connections);
        RouteCache routes = new RouteCache(new NameServers(remoting, List.of(server.address())), 4);
        ConsumerSettings settings = new ConsumerSettings(
                "g",
                Map.of("orders", TagFilter.all()),
                message -> {},
                1,
                1,
                Optional.empty(),
                StartFrom.START,
                false,
                true,
                new AlwaysAtSeven(),
                1,
                1);
        GroupCalls calls = new GroupCalls(settings, "me", 1, remoting, routes, null);
        FirstOffsets firstOffsets = new FirstOffsets(settings, calls, new QueueOffsets(remoting, routes));
        queues = new MemberQueues(settings, settings.topics(), calls, firstOffsets, Quiet::new, time, time, DROPPING);
    }

    @AfterEach
    void stop() {
        queues.leave();
        connections.close();
        server.close();
    }

    @Test
    void queueGivenUpWhileTooManyStepsWaitCanBeTakenUpAgain() {
        assertThat(queues.change("orders", List.of(FIRST, SECOND))).isTrue();
        assertThat(queues.change("orders", List.of(FIRST))).isTrue();
        assertThat(queues.now()).containsExactly(FIRST);

        assertThat(queues.change("orders", List.of(FIRST, SECOND))).isTrue();

        assertThat(queues.now()).containsExactly(FIRST, SECOND);
    }

    private static final class AlwaysAtSeven implements OffsetStore {
        @Override
        public OptionalLong load(MessageQueue queue) {
            return OptionalLong.of(7);
        }

        @Override
        public void save(Map<MessageQueue, Long> offsets) {}
    }

    /** No handler ever works here. */
    private static final class Quiet implements Delivery {
        @Override
        public void deliver(QueueFeed feed, List<ReceivedMessage> messages) {}

        @Override
        public void whenQuiet(Runnable action) {
            action.run();
        }
    }
}
