package io.anser.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.protocol.body.Assignment;
import io.anser.protocol.body.Assignment.Assigned;
import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.ConsumeType;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.GroupList;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.MessageRequestMode;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.NotifyConsumerIdsChanged;
import io.anser.protocol.operation.QueryAssignment;
import io.anser.protocol.operation.QueryTopicConsumeByWho;
import io.anser.protocol.operation.SetMessageRequestMode;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Division of queues by a whole broker, over its port; it has no name server and so only its own queues. */
class AssignmentTest {
    private static final String GROUP = "workers";

    @TempDir
    Path directory;

    private RunningBroker broker;
    private BrokerClient one;
    private BrokerClient two;

    @BeforeEach
    void start() throws Exception {
        broker = RunningBroker.open(directory);
        one = broker.anotherClient();
        two = broker.anotherClient();
        CreateTopic.Request topic =
                new CreateTopic.Request("Orders", "TBW102", 4, 4, 6, "SINGLE_TAG", 0, false, "", false);
        assertThat(broker.ask(CreateTopic.CODE, topic).code()).isZero();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void membersDivideTheQueuesThatTheyPull() throws Exception {
        heartbeat(one, "one", "Orders");
        heartbeat(two, "two", "Orders");

        assertThat(assigned("one")).containsExactlyInAnyOrder(queue(0, "PULL"), queue(1, "PULL"));
        assertThat(assigned("two")).containsExactlyInAnyOrder(queue(2, "PULL"), queue(3, "PULL"));
    }

    @Test
    void aMemberThatDoesNotWantTheTopicGetsNoShareOfIt() throws Exception {
        heartbeat(one, "one", "Orders");
        heartbeat(two, "two", "Payments");

        assertThat(assigned("one")).hasSize(4);
        assertThat(text(ask("two", "AVG"))).isEqualTo("{}");
    }

    @Test
    void whoIsNotKnownYetIsToldNothingAndKeepsWhatItHas() throws Exception {
        assertThat(text(ask("one", "AVG"))).isEqualTo("{}");
    }

    @Test
    void aRuleThatIsUnknownIsLeftToTheClient() throws Exception {
        heartbeat(one, "one", "Orders");

        Reply reply = ask("one", "MY_OWN");

        assertThat(reply.code()).isEqualTo(29);
        assertThat(reply.remark().orElse("")).startsWith("strategyName=MY_OWN is unknown here");
    }

    @Test
    void aGroupIsToldToPopAndItsMembersHearOfItAtOnce() throws Exception {
        heartbeat(one, "one", "Orders");
        await().until(() -> !one.requests().isEmpty()); // that it has joined
        int before = one.requests().size();

        assertThat(setMode("Orders", "POP").code()).isZero();

        await().until(() -> one.requests().size() > before);
        assertThat(one.requests()).containsOnly(NotifyConsumerIdsChanged.CODE);
        assertThat(assigned("one")).containsExactly(queue(-1, "POP"));
    }

    @Test
    void howAGroupConsumesSurvivesARestart() throws Exception {
        assertThat(setMode("Orders", "POP").code()).isZero();
        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(2_000_000));
        one = broker.anotherClient();
        heartbeat(one, "one", "Orders");

        assertThat(assigned("one")).containsExactly(queue(-1, "POP"));
        assertThat(setMode("Orders", "PULL").code()).isZero();
        assertThat(assigned("one")).hasSize(4);
    }

    @Test
    void wrongModesAreRefusedWithTheReason() throws Exception {
        assertThat(setMode("%RETRY%workers", "POP").code()).isEqualTo(16);
        assertThat(setMode("Orders", "PUSH").remark()).hasValue("mode has an unknown value, length=4");
        assertThat(setMode("../etc", "POP").code()).isEqualTo(29);
    }

    @Test
    void theGroupsOfATopicAreThoseThatWantItAndThoseThatHaveAnOffset() throws Exception {
        heartbeat(one, "one", "Orders");
        broker.ask(UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request("gone", "Orders", 0, 0));
        broker.ask(UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request("other", "Payments", 0, 0));

        Reply reply = broker.ask(QueryTopicConsumeByWho.CODE, new QueryTopicConsumeByWho.Request("Orders"));

        assertThat(GroupList.read(reply.body()).groupList()).containsExactlyInAnyOrder("gone", GROUP);
    }

    private static Assigned queue(int id, String mode) {
        return new Assigned(new MessageQueue("Orders", "broker-a", id), MessageRequestMode.valueOf(mode));
    }

    private Set<Assigned> assigned(String clientId) throws Exception {
        Reply reply = ask(clientId, "AVG");
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        return Assignment.Response.read(reply.body()).messageQueueAssignments();
    }

    private Reply ask(String clientId, String strategy) throws Exception {
        Assignment.Request request =
                new Assignment.Request("Orders", GROUP, clientId, strategy, MessageModel.CLUSTERING);
        return one.ask(QueryAssignment.CODE, FieldSource.NONE, request.write());
    }

    private Reply setMode(String topic, String mode) throws Exception {
        return one.ask(
                SetMessageRequestMode.CODE,
                FieldSource.NONE,
                ("{\"consumerGroup\":\"" + GROUP + "\",\"mode\":\"" + mode + "\",\"popShareQueueNum\":8,\"topic\":\""
                                + topic + "\"}")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static void heartbeat(BrokerClient client, String clientId, String topic) throws Exception {
        ConsumerData consumer = new ConsumerData(
                GROUP,
                ConsumeType.CONSUME_PASSIVELY,
                MessageModel.CLUSTERING,
                ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET,
                List.of(SubscriptionData.ofTags(topic, "*", 1)),
                false);
        HeartbeatData data = new HeartbeatData(clientId, List.of(), List.of(consumer));
        assertThat(client.ask(Heartbeat.CODE, FieldSource.NONE, data.write()).code())
                .isZero();
    }
}
