package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.operation.GetTopicRoute;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client does by itself as time passes; time passes when the test says so. */
class PeriodsTest {
    private final ScriptedServer server = ScriptedServer.start().withTopic("orders", 1);
    private final VirtualTime time = new VirtualTime();
    private final AnserClient client = AnserClient.builder()
            .nameServers(server.address())
            .clientId("client-a")
            .time(time, time)
            .connect();
    private final Queue<String> received = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private ConsumerBuilder billing() {
        return client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(message -> received.add(message.text()));
    }

    @Test
    void commitsEveryFiveSecondsWhatIsDone() {
        billing().start();
        await().until(() -> server.count(UpdateConsumerOffset.CODE) == 2); // where the group begins
        client.send(Message.to("orders").text("one"));
        await().until(() -> received.size() == 1);
        assertThat(server.committed("billing", "orders", 0)).isZero();

        time.advance(Duration.ofSeconds(5));

        await().until(() -> server.committed("billing", "orders", 0) == 1);
    }

    @Test
    void commitsNoOffsetThatHasNotMoved() {
        Consumer consumer = billing().start();
        await().until(() -> consumer.queues().size() == 2);
        await().until(() -> server.count(UpdateConsumerOffset.CODE) == 2);

        time.advance(Duration.ofSeconds(60));
        consumer.close();

        assertThat(server.count(UpdateConsumerOffset.CODE)).isEqualTo(2);
    }

    @Test
    void tellsTheBrokerOfItselfOnceConnectedAndThenEveryThirtySeconds() {
        client.send(Message.to("orders").text("one"));
        time.advance(Duration.ofSeconds(1));
        await().until(() -> server.count(Heartbeat.CODE) == 1);

        time.advance(Duration.ofSeconds(30));
        await().until(() -> server.count(Heartbeat.CODE) == 2);
        time.advance(Duration.ofSeconds(30));
        await().until(() -> server.count(Heartbeat.CODE) == 3);
    }

    @Test
    void asksForRoutesInUseEveryThirtySeconds() {
        client.send(Message.to("orders").text("one"));
        assertThat(server.count(GetTopicRoute.CODE)).isEqualTo(1);

        time.advance(Duration.ofSeconds(30));

        await().until(() -> server.count(GetTopicRoute.CODE) == 2);
    }

    @Test
    void forgetsARouteThatNobodyHasUsedForTenMinutes() {
        client.send(Message.to("orders").text("one"));
        for (int refresh = 1; refresh <= 20; refresh++) {
            time.advance(Duration.ofSeconds(30));
            int asked = 1 + refresh;
            await().until(() -> server.count(GetTopicRoute.CODE) == asked);
        }

        time.advance(Duration.ofSeconds(90));
        client.send(Message.to("orders").text("two"));

        assertThat(server.count(GetTopicRoute.CODE)).isEqualTo(22);
    }

    @Test
    void showsItselfAgainAtOnceWhenItsConnectionWasLost() {
        Consumer consumer = billing().start();
        await().until(() -> consumer.queues().size() == 2);

        server.dropConnections();
        await().until(() -> server.members("billing").isEmpty());

        // Less than the period of heartbeats in all: the new connection is the reason.
        await().until(() -> {
            time.advance(Duration.ofMillis(50));
            return server.members("billing").contains("client-a");
        });
    }

    @Test
    void renewsItsLocksAndGivesUpAQueueWhoseLockItLost() {
        Consumer consumer = billing().orderly().start();
        MessageQueue queue = new MessageQueue("orders", ScriptedServer.BROKER, 0);
        await().until(() -> consumer.queues().size() == 2);
        int asked = server.count(LockBatchQueues.CODE);

        time.advance(Duration.ofSeconds(20));
        await().until(() -> server.count(LockBatchQueues.CODE) > asked);
        assertThat(consumer.queues()).contains(queue);

        server.lockFor("somebody-else", queue);
        time.advance(Duration.ofSeconds(20));
        await().until(() -> !consumer.queues().contains(queue));
    }
}
