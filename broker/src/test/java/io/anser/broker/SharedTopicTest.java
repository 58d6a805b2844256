package io.anser.broker;

import static io.anser.broker.PoppingClient.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.ConsumeType;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.PopMessage;
import io.anser.protocol.operation.PullMessage;
import io.anser.transport.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pops of members that do not want the same messages, or not in the order in which they came. */
class SharedTopicTest {
    private static final String GROUP = "workers";
    private static final long MINUTE = 60_000;

    private RunningBroker broker;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        broker = RunningBroker.open(directory);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void membersWithDifferentTagsPopAllMessagesBetweenThemAndPassNone() throws Exception {
        createTopic("Orders", 1, "");
        PoppingClient one = member("one", "a");
        PoppingClient two = member("two", "b");
        for (int i = 0; i < 2; i++) {
            broker.stored(RunningBroker.request("Orders", "TAGS\u0001a\u0002"), "a" + i);
            broker.stored(RunningBroker.request("Orders", "TAGS\u0001none\u0002"), "nobodys" + i);
            broker.stored(RunningBroker.request("Orders", "TAGS\u0001b\u0002"), "b" + i);
        }

        assertThat(bodies(one.pop(tags("a", 0)))).containsExactly("a0");
        assertThat(one.pop(tags("a", 0))).isEmpty();
        assertThat(bodies(two.pop(tags("b", 0)))).containsExactly("b0");
        assertThat(two.pop(tags("b", 0))).isEmpty();
        assertThat(bodies(one.pop(tags("a", 0)))).containsExactly("a1");
        assertThat(bodies(two.pop(tags("b", 0)))).containsExactly("b1");
    }

    @Test
    void memberThatWaitsIsToldWhenAnotherOneHasTakenWhatStoodBeforeItsMessages() throws Exception {
        createTopic("Orders", 1, "");
        PoppingClient one = member("one", "a");
        PoppingClient two = member("two", "b");
        broker.stored(RunningBroker.request("Orders", "TAGS\u0001a\u0002"), "a0");
        broker.stored(RunningBroker.request("Orders", "TAGS\u0001b\u0002"), "b0");
        CompletableFuture<Reply> waiting = two.start(tags("b", 15_000));
        await().until(() -> broker.broker.consumption().parkedPops() == 1);

        assertThat(bodies(one.pop(tags("a", 0)))).containsExactly("a0");

        assertThat(bodies(PoppingClient.messages(RunningBroker.get(waiting)))).containsExactly("b0");
    }

    @Test
    void popThatWaitsDoesNotPassWhatAMemberWantsThatHasJoinedSince() throws Exception {
        createTopic("Orders", 1, "");
        PoppingClient one = member("one", "a");
        CompletableFuture<Reply> waiting = one.start(tags("a", 15_000));
        await().until(() -> broker.broker.consumption().parkedPops() == 1);
        PoppingClient two = member("two", "b");

        broker.stored(RunningBroker.request("Orders", "TAGS\u0001b\u0002"), "b0");
        broker.stored(RunningBroker.request("Orders", "TAGS\u0001a\u0002"), "a0");

        assertThat(bodies(two.pop(tags("b", 0)))).containsExactly("b0");
        assertThat(bodies(PoppingClient.messages(RunningBroker.get(waiting)))).containsExactly("a0");
    }

    @Test
    void pullThatWaitsDoesNotPassWhatItsMemberWantsMeanwhile() throws Exception {
        createTopic("Orders", 1, "");
        BrokerClient client = broker.anotherClient();
        heartbeat(client, "one", "a");
        CompletableFuture<Reply> waiting = client.call(
                PullMessage.CODE,
                new PullMessage.Request(GROUP, "Orders", 0, 0, 32, 2, 0, 15_000, "a", 1, "TAG", -1),
                new byte[0]);
        await().until(() -> broker.broker.consumption().parkedPulls().parked() == 1);
        heartbeat(client, "one", "b");

        broker.stored(RunningBroker.request("Orders", "TAGS\u0001b\u0002"), "b0");
        broker.time.advance(Duration.ofSeconds(15));

        Reply nothing = RunningBroker.get(waiting);
        assertThat(nothing.code()).isEqualTo(19);
        assertThat(PullMessage.Response.decode(nothing.header()).nextBeginOffset())
                .isZero();
    }

    @Test
    void messagesOfHigherPriorityArePoppedFirst() throws Exception {
        createTopic("Orders", 3, "+message.type=PRIORITY");
        for (String priority : List.of("0", "1", "2", "1")) {
            broker.stored(
                    RunningBroker.request("Orders", "_SYS_MSG_PRIORITY_\u0001" + priority + "\u0002"), "p" + priority);
        }
        PoppingClient client = new PoppingClient(broker.anotherClient(), GROUP, "Orders");

        for (String body : List.of("p2", "p1", "p1", "p0")) {
            assertThat(bodies(client.pop(1, MINUTE))).containsExactly(body);
        }
    }

    private PoppingClient member(String clientId, String tag) throws Exception {
        BrokerClient client = broker.anotherClient();
        heartbeat(client, clientId, tag);
        return new PoppingClient(client, GROUP, "Orders");
    }

    private static void heartbeat(BrokerClient client, String clientId, String tag) throws Exception {
        ConsumerData consumer = new ConsumerData(
                GROUP,
                ConsumeType.CONSUME_POP,
                MessageModel.CLUSTERING,
                ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET,
                List.of(SubscriptionData.ofTags("Orders", tag, 1)),
                false);
        HeartbeatData data = new HeartbeatData(clientId, List.of(), List.of(consumer));
        assertThat(client.ask(Heartbeat.CODE, FieldSource.NONE, data.write()).code())
                .isZero();
    }

    private static PopMessage.Request tags(String tag, long pollMillis) {
        return new PopMessage.Request(GROUP, "Orders", -1, 32, MINUTE, pollMillis, 0, 0, "TAG", tag, false, "");
    }

    private void createTopic(String name, int queues, String attributes) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request(name, "TBW102", queues, queues, 6, "SINGLE_TAG", 0, false, attributes, false);
        assertThat(broker.ask(CreateTopic.CODE, request).code()).isZero();
    }
}
