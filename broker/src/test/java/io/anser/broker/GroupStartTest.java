package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.group.GroupSettings;
import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.ConsumeType;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a group starts that has consumed nothing. Queues are young for ten minutes. */
class GroupStartTest {
    private static final byte[] NOTHING = {};
    private static final String GROUP = "g";
    private static final int CLIENT_DECIDES = -1;
    private static final Duration OLD = Duration.ofMinutes(11);

    @TempDir
    Path directory;

    private RunningBroker broker;
    private BrokerClient client;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
        client = broker.anotherClient();
        createTopic("T", 1);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = ConsumeFromWhere.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"CONSUME_FROM_FIRST_OFFSET", "CONSUME_FROM_TIMESTAMP"})
    void theEndIsSettledWhenTheGroupFirstComesAndSurvivesARestart(ConsumeFromWhere end) throws Exception {
        send("T", 0, 3);
        pass(OLD);

        heartbeat(client, "one", end, "T");
        send("T", 0, 2);
        heartbeat(broker.anotherClient(), "two", end, "T");

        assertThat(start("T", 0)).isEqualTo(3);
        restart();
        heartbeat(client, "one", end, "T");
        assertThat(start("T", 0)).isEqualTo(3);
    }

    @Test
    void aYoungQueueBelongsToTheGroupFromItsFirstMessageOn() throws Exception {
        send("T", 0, 3);
        pass(Duration.ofMinutes(10).minusMillis(1));

        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");
        pass(OLD);

        assertThat(start("T", 0)).isZero();
        restart();
        assertThat(start("T", 0)).isZero();
    }

    @Test
    void theAgeOfAQueueIsKnownAfterARestart() throws Exception {
        send("T", 0, 3);
        restart();
        pass(Duration.ofMinutes(9));
        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");

        assertThat(start("T", 0)).isZero();
    }

    @Test
    void aQueueTurnsOldWithTheTenthMinute() throws Exception {
        send("T", 0, 3);
        pass(Duration.ofMinutes(10));

        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");

        assertThat(start("T", 0)).isEqualTo(3);
    }

    @Test
    void theAgeThatMakesAQueueOldIsASetting() throws Exception {
        broker.close();
        broker = new RunningBroker(directory, settings(0), new VirtualTime(5_000_000));
        client = broker.anotherClient();
        send("T", 0, 3);

        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");

        assertThat(start("T", 0)).isEqualTo(3);
    }

    @Test
    void queuesAndTopicsMadeLaterStartAtZeroHoweverOldTheyAre() throws Exception {
        send("T", 0, 3);
        pass(OLD);
        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T", "Later");

        createTopic("T", 2);
        createTopic("Later", 2);
        send("T", 1, 4);
        send("Later", 1, 5);
        pass(OLD);

        assertStartsOfLateQueues();
        restart();
        assertStartsOfLateQueues();
        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T", "Later");
        assertStartsOfLateQueues();
    }

    private void assertStartsOfLateQueues() throws Exception {
        assertThat(start("T", 0)).isEqualTo(3);
        assertThat(start("T", 1)).isZero();
        assertThat(start("Later", 0)).isZero();
        assertThat(start("Later", 1)).isZero();
    }

    @Test
    void aTopicMadeAnewIsNotTheOldOne() throws Exception {
        send("T", 0, 3);
        pass(OLD);
        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");
        client.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("T"), NOTHING);
        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");

        createTopic("T", 1);
        send("T", 0, 1);
        pass(OLD);
        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");

        assertThat(start("T", 0)).isZero();
    }

    @ParameterizedTest
    @EnumSource(ConsumeFromWhere.class)
    void nothingThatHasFailedBeforeIsSkipped(ConsumeFromWhere where) throws Exception {
        heartbeat(client, "one", where, "T", "%RETRY%g");
        send("%RETRY%g", 0, 3);
        pass(OLD);
        heartbeat(client, "one", where, "T", "%RETRY%g");

        assertThat(start("%RETRY%g", 0)).isZero();
    }

    @Test
    void whoStartsAtATimeLooksForItItselfInYoungAndOldQueues() throws Exception {
        send("T", 0, 3);
        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_TIMESTAMP, "T");

        assertThat(start("T", 0)).isEqualTo(CLIENT_DECIDES);
        restart();
        assertThat(start("T", 0)).isEqualTo(CLIENT_DECIDES);
        pass(OLD);
        assertThat(start("T", 0)).isEqualTo(CLIENT_DECIDES);

        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");
        assertThat(start("T", 0)).isEqualTo(3);
    }

    @Test
    void whoStartsAtTheFirstMessageIsNotMovedByAMemberWithAnotherWish() throws Exception {
        send("T", 0, 3);
        pass(OLD);
        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET, "T");
        heartbeat(broker.anotherClient(), "two", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");

        assertThat(start("T", 0)).isZero();
    }

    @Test
    void aGroupThatNobodySpokeForGoesByTheAgeOfTheQueue() throws Exception {
        send("T", 0, 3);

        assertThat(start("T", 0)).isZero();
        pass(OLD);
        assertThat(start("T", 0)).isEqualTo(CLIENT_DECIDES);
    }

    @Test
    void nothingIsSettledForAGroupWhoseMembersAllGetEverything() throws Exception {
        send("T", 0, 3);
        pass(OLD);

        heartbeat(client, "one", MessageModel.BROADCASTING, ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");

        assertThat(start("T", 0)).isEqualTo(CLIENT_DECIDES);
    }

    @Test
    void whatTheGroupHasCommittedCountsMore() throws Exception {
        createTopic("T", 2);
        send("T", 0, 3);
        send("T", 1, 3);
        pass(OLD);
        commit("T", 0, 1);

        heartbeat(client, "one", ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, "T");

        assertThat(start("T", 0)).isEqualTo(1);
        assertThat(start("T", 1)).isEqualTo(3);
    }

    @Test
    void aPullOutsideOfTheQueueLeavesTheGroupWhereItWas() throws Exception {
        send("T", 0, 3);
        commit("T", 0, 2);

        Reply beyond = pull(50);
        Reply below = pull(-9);

        assertThat(beyond.code()).isEqualTo(21);
        assertThat(PullMessage.Response.decode(beyond.header()).nextBeginOffset())
                .isEqualTo(3);
        assertThat(below.code()).isEqualTo(21);
        assertThat(PullMessage.Response.decode(below.header()).nextBeginOffset())
                .as("a client without an offset goes on where its group is")
                .isEqualTo(2);
        assertThat(start("T", 0)).isEqualTo(2);
    }

    private Reply pull(long offset) throws Exception {
        PullMessage.Request request = new PullMessage.Request(
                GROUP, "T", 0, offset, 32, PullMessage.FLAG_SUBSCRIPTION, 0, 0, "*", 0, "TAG", -1);
        return client.ask(PullMessage.CODE, request, NOTHING);
    }

    /** Connections that were idle for so long are closed. */
    private void pass(Duration time) {
        broker.time.advance(time);
        client = broker.anotherClient();
        await().ignoreExceptions().until(() -> broker.maxOffset("TBW102", 0) == 0);
    }

    /** Where a client is sent that asks for its offset. */
    private long start(String topic, int queueId) throws Exception {
        Reply reply = client.ask(
                QueryConsumerOffset.CODE, new QueryConsumerOffset.Request(GROUP, topic, queueId, true), NOTHING);
        if (reply.code() == 22) {
            return CLIENT_DECIDES;
        }
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        return QueryConsumerOffset.Response.decode(reply.header()).offset();
    }

    private void commit(String topic, int queueId, long offset) throws Exception {
        UpdateConsumerOffset.Request request = new UpdateConsumerOffset.Request(GROUP, topic, queueId, offset);
        assertThat(client.ask(UpdateConsumerOffset.CODE, request, NOTHING).code())
                .isZero();
    }

    private void restart() throws Exception {
        long now = broker.time.wallMillis();
        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(now));
        client = broker.anotherClient();
    }

    private static BrokerSettings settings(long youngMillis) {
        BrokerSettings known = BrokerSettings.defaults();
        return new BrokerSettings(
                known.name(),
                known.cluster(),
                known.nameservers(),
                known.advertise(),
                known.maxMessageBytes(),
                known.autoCreateTopic(),
                known.autoCreateGroup(),
                known.defaultTopicQueues(),
                known.maxDelayedMessages(),
                known.registrationMillis(),
                known.followerReadsBehindBytes(),
                new GroupSettings(youngMillis),
                known.transactions(),
                known.flow());
    }

    private void createTopic(String name, int queues) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request(name, "TBW102", queues, queues, 6, "SINGLE_TAG", 0, false, "", false);
        assertThat(client.ask(CreateTopic.CODE, request, NOTHING).code()).isZero();
    }

    private void send(String topic, int queueId, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            SendMessage.Request plain = request(topic, "");
            broker.stored(
                    new SendMessage.Request(
                            "p", topic, "TBW102", 4, queueId, 0, 77, 5, plain.properties(), 0, false, false, -1),
                    "m" + i);
        }
    }

    private static void heartbeat(BrokerClient from, String clientId, ConsumeFromWhere where, String... topics)
            throws Exception {
        heartbeat(from, clientId, MessageModel.CLUSTERING, where, topics);
    }

    private static void heartbeat(
            BrokerClient from, String clientId, MessageModel model, ConsumeFromWhere where, String... topics)
            throws Exception {
        List<SubscriptionData> subscriptions = Arrays.stream(topics)
                .map(topic -> SubscriptionData.ofTags(topic, "*", 1))
                .toList();
        ConsumerData consumer =
                new ConsumerData(GROUP, ConsumeType.CONSUME_PASSIVELY, model, where, subscriptions, false);
        HeartbeatData data = new HeartbeatData(clientId, List.of(), List.of(consumer));
        Reply reply = from.ask(Heartbeat.CODE, FieldSource.NONE, data.write());
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
    }
}
