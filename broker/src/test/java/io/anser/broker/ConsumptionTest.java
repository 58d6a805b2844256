package io.anser.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.testing.WireMessages;
import io.anser.protocol.body.CheckClientConfigBody;
import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.ConsumeType;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.ConsumerIdList;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.ProducerData;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CheckClientConfig;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.GetConsumerListByGroup;
import io.anser.protocol.operation.GetMaxOffset;
import io.anser.protocol.operation.GetMinOffset;
import io.anser.protocol.operation.GetTopicConfig;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.UnlockBatchQueues;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.transport.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drives the consumers' operations of a whole broker over its port. */
class ConsumptionTest {
    private static final byte[] NOTHING = {};
    private static final String GROUP = "orders-group";
    private static final int SUSPEND = 2;
    private static final int SUBSCRIPTION = 4;

    private RunningBroker broker;
    private BrokerClient client;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        broker = RunningBroker.open(directory);
        client = broker.anotherClient();
        createTopic("Orders", 2, 6);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void pullDeliversMessagesWithTheBoundsOfTheQueue() throws Exception {
        send("one", "");
        send("two", "");
        send("three", "");

        Reply reply = pull(0, 2, "*", SUBSCRIPTION);

        assertThat(reply.code()).isZero();
        assertThat(WireMessages.bodies(reply.body())).containsExactly("one", "two");
        assertThat(PullMessage.Response.decode(reply.header())).isEqualTo(new PullMessage.Response(0, 2, 0, 3));
    }

    @Test
    void enormousNumberOfMessagesIsClamped() throws Exception {
        send("one", "");

        assertThat(WireMessages.bodies(
                        pull(0, Integer.MAX_VALUE, "*", SUBSCRIPTION).body()))
                .containsExactly("one");
    }

    @Test
    void pullAtTheEndFindsNothingNew() throws Exception {
        send("one", "");

        Reply reply = pull(1, 32, "*", SUBSCRIPTION);

        assertThat(reply.code()).isEqualTo(19);
        assertThat(PullMessage.Response.decode(reply.header()).nextBeginOffset())
                .isEqualTo(1);
    }

    @Test
    void pullOutsideOfTheQueueIsCorrected() throws Exception {
        send("one", "");

        Reply beyond = pull(50, 32, "*", SUBSCRIPTION);
        Reply below = pull(-9, 32, "*", SUBSCRIPTION);

        assertThat(beyond.code()).isEqualTo(21);
        assertThat(PullMessage.Response.decode(beyond.header()).nextBeginOffset())
                .isEqualTo(1);
        assertThat(below.code()).isEqualTo(21);
        assertThat(PullMessage.Response.decode(below.header()).nextBeginOffset())
                .isZero();
    }

    @Test
    void tagsChooseMessagesAndTheOffsetMovesPastTheOthers() throws Exception {
        for (int i = 0; i < 9; i++) {
            send("m" + i, "T" + i % 3);
        }

        Reply some = pull(0, 32, "T1", SUBSCRIPTION);
        Reply none = pull(0, 32, "none", SUBSCRIPTION);

        assertThat(WireMessages.bodies(some.body())).containsExactly("m1", "m4", "m7");
        assertThat(none.code()).isEqualTo(20);
        assertThat(PullMessage.Response.decode(none.header()).nextBeginOffset()).isEqualTo(9);
    }

    @Test
    void tagWithTheSameHashIsNotDelivered() throws Exception {
        send("mine", "Aa");
        send("collides", "BB");

        assertThat(WireMessages.bodies(pull(0, 32, "Aa", SUBSCRIPTION).body())).containsExactly("mine");
    }

    @Test
    void wrongPullsAreRefusedWithTheCodeAndTheReason() throws Exception {
        createTopic("WriteOnly", 1, 2);

        assertRefused(pull("Nowhere", 0, "*", SUBSCRIPTION), 17, "topic=Nowhere does not exist");
        assertRefused(pull("Orders", 2, "*", SUBSCRIPTION), 1, "queueId=2 is not in [0,2) of topic=Orders");
        assertRefused(pull("Orders", -1, "*", SUBSCRIPTION), 1, "queueId=-1 is not in [0,2) of topic=Orders");
        assertRefused(pull("WriteOnly", 0, "*", SUBSCRIPTION), 16, "topic=WriteOnly may not be read: perm=2");
        assertRefused(pull("Orders", 0, "||", SUBSCRIPTION), 23, "filter expression '||' names no tag");
        assertRefused(
                pull("Orders", 0, "*", 0),
                24,
                "consumerGroup=orders-group has no subscription to topic=Orders: no heartbeat has brought one yet");
    }

    @Test
    void pullWithoutSubscriptionUsesThatOfTheHeartbeatUnlessItIsOlder() throws Exception {
        send("a", "a");
        send("b", "b");
        heartbeat(client, "one", consumer(GROUP, SubscriptionData.ofTags("Orders", "b", 5)));

        Reply known = client.ask(PullMessage.CODE, pullRequest("Orders", 0, 0, 32, "", 0, 5), NOTHING);
        Reply newer = client.ask(PullMessage.CODE, pullRequest("Orders", 0, 0, 32, "", 0, 6), NOTHING);

        assertThat(WireMessages.bodies(known.body())).containsExactly("b");
        assertRefused(
                newer, 25, "consumerGroup=orders-group topic=Orders subVersion=6 is newer than the last heartbeat's 5");
    }

    @Test
    void expressionChoosesMessagesAndTheOffsetMovesPastTheOthers() throws Exception {
        for (int i = 0; i < 9; i++) {
            broker.stored(RunningBroker.request("Orders", "n\u0001" + i + "\u0002"), "m" + i);
        }

        Reply some = pullBySql("n BETWEEN 2 AND 4 OR n = 7");
        Reply none = pullBySql("n > 8");

        assertThat(WireMessages.bodies(some.body())).containsExactly("m2", "m3", "m4", "m7");
        assertThat(PullMessage.Response.decode(some.header()).nextBeginOffset()).isEqualTo(9);
        assertThat(none.code()).isEqualTo(20);
        assertThat(PullMessage.Response.decode(none.header()).nextBeginOffset()).isEqualTo(9);
    }

    @Test
    void malformedExpressionIsRefusedWithItsPlaceWhereverItTurnsUp() throws Exception {
        SubscriptionData malformed =
                new SubscriptionData("Orders", "a > AND b", Set.of(), Set.of(), 5, SubscriptionData.SQL92, false);
        String reason = "SQL92 expression, character 5: expected a property, a text, a number, TRUE, FALSE, NULL, NOT"
                + " or (, found 'AND'";

        HeartbeatData heartbeat = new HeartbeatData("one", List.of(), List.of(consumer(GROUP, malformed)));
        byte[] check = new CheckClientConfigBody("one", GROUP, "", malformed).write();

        assertRefused(pullBySql("a > AND b"), 23, reason);
        assertRefused(client.ask(CheckClientConfig.CODE, FieldSource.NONE, check), 23, reason);
        assertRefused(
                client.ask(Heartbeat.CODE, FieldSource.NONE, heartbeat.write()),
                23,
                "subscription of group=orders-group to topic=Orders: " + reason);
    }

    private Reply pullBySql(String expression) throws Exception {
        PullMessage.Request request =
                new PullMessage.Request(GROUP, "Orders", 0, 0, 32, SUBSCRIPTION, 0, 15_000, expression, 0, "SQL92", -1);
        return client.ask(PullMessage.CODE, request, NOTHING);
    }

    @Test
    void memberDoesNotPassWhatAnotherMemberWantsUntilThatOneIsGone() throws Exception {
        BrokerClient other = broker.anotherClient();
        heartbeat(client, "one", consumer(GROUP, SubscriptionData.ofTags("Orders", "a", 5)));
        heartbeat(other, "two", consumer(GROUP, SubscriptionData.ofTags("Orders", "b", 5)));
        send("for one", "a");
        send("for two", "b");

        Reply first = pullAsMember(0);
        Reply held = pullAsMember(1);
        assertThat(WireMessages.bodies(first.body())).containsExactly("for one");
        assertThat(PullMessage.Response.decode(first.header()).nextBeginOffset())
                .isEqualTo(1);
        assertThat(held.code()).isEqualTo(19);
        assertThat(PullMessage.Response.decode(held.header()).nextBeginOffset()).isEqualTo(1);
        assertThat(status("subscriptionConflicts")).isEqualTo("1");
        assertThat(status("subscriptionConflictGroups"))
                .isEqualTo("group=orders-group topic=Orders TAG 'a' members=[one]; TAG 'b' members=[two]");

        other.close();
        await().until(() -> status("subscriptionConflicts").equals("0"));

        Reply passed = pullAsMember(1);
        assertThat(passed.code()).isEqualTo(20);
        assertThat(PullMessage.Response.decode(passed.header()).nextBeginOffset())
                .isEqualTo(2);
    }

    private Reply pullAsMember(long offset) throws Exception {
        return client.ask(PullMessage.CODE, pullRequest("Orders", 0, offset, 32, "", 0, 5), NOTHING);
    }

    private String status(String figure) throws Exception {
        Reply reply = client.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE, NOTHING);
        return KvTable.read(reply.body()).table().get(figure);
    }

    @Test
    void suspendedPullIsAnsweredWhenAMessageArrives() throws Exception {
        CompletableFuture<Reply> held = startPull(0, "*");
        await().until(() -> broker.broker.consumption().parkedPulls().parked() == 1);
        assertThat(held).isNotDone();

        send("wake", "");

        Reply reply = held.get(30, TimeUnit.SECONDS);
        assertThat(reply.code()).isZero();
        assertThat(WireMessages.bodies(reply.body())).containsExactly("wake");
        assertThat(PullMessage.Response.decode(reply.header()).nextBeginOffset())
                .isEqualTo(1);
    }

    @Test
    void suspendedPullEndsWhenItsTimeIsOver() throws Exception {
        CompletableFuture<Reply> held = startPull(0, "*");
        await().until(() -> broker.broker.consumption().parkedPulls().parked() == 1);

        broker.time.advance(Duration.ofSeconds(15));

        assertThat(held.get(30, TimeUnit.SECONDS).code()).isEqualTo(19);
    }

    @Test
    void closedConnectionHoldsNoPulls() throws Exception {
        startPull(0, "*");
        await().until(() -> broker.broker.consumption().parkedPulls().parked() == 1);

        client.close();

        await().until(() -> broker.broker.consumption().parkedPulls().parked() == 0);
    }

    @Test
    void offsetRidingOnAPullIsCommitted() throws Exception {
        send("one", "");
        PullMessage.Request request =
                new PullMessage.Request(GROUP, "Orders", 0, 0, 32, SUBSCRIPTION | 1, 1, 0, "*", 0, "TAG", -1);
        client.ask(PullMessage.CODE, request, NOTHING);

        assertThat(queryOffset(0, true).code()).isZero();
        assertThat(QueryConsumerOffset.Response.decode(queryOffset(0, true).header())
                        .offset())
                .isEqualTo(1);
    }

    @Test
    void newGroupBeginsAYoungQueueAtZeroUnlessItAsksOtherwise() throws Exception {
        send("one", "");

        assertThat(QueryConsumerOffset.Response.decode(queryOffset(0, true).header())
                        .offset())
                .isZero();
        assertRefused(queryOffset(0, false), 22, "consumerGroup=orders-group has no offset for topic=Orders queueId=0");
    }

    @Test
    void committedOffsetIsReadBack() throws Exception {
        send("one", "");
        send("two", "");

        assertThat(commit("Orders", 0, 2).code()).isZero();

        assertThat(QueryConsumerOffset.Response.decode(queryOffset(0, true).header())
                        .offset())
                .isEqualTo(2);
    }

    @Test
    void offsetsThatMakeNoSenseAreRefused() throws Exception {
        send("one", "");

        assertRefused(
                commit("Orders", 0, Long.MAX_VALUE),
                1,
                "commitOffset=9223372036854775807 is not in [0,1] of topic=Orders queueId=0");
        assertRefused(commit("Orders", 0, -1), 1, "commitOffset=-1 is not in [0,1] of topic=Orders queueId=0");
        assertRefused(commit("Orders", 7, 0), 1, "queueId=7 is not in [0,2) of topic=Orders");
        assertRefused(commit("Nowhere", 0, 0), 17, "topic=Nowhere does not exist");
    }

    @Test
    void boundsOfQueuesAreTold() throws Exception {
        send("one", "");

        Reply max = client.ask(GetMaxOffset.CODE, new GetMaxOffset.Request("Orders", 0, true), NOTHING);
        Reply min = client.ask(GetMinOffset.CODE, new GetMinOffset.Request("Orders", 0), NOTHING);

        assertThat(GetMaxOffset.Response.decode(max.header()).offset()).isEqualTo(1);
        assertThat(GetMinOffset.Response.decode(min.header()).offset()).isZero();
    }

    @Test
    void heartbeatCreatesTheGroupsRetryTopicAndListsTheMember() throws Exception {
        assertRefused(consumerList(), 1, "no consumer for this group, orders-group");

        heartbeat(client, "one", consumer(GROUP, SubscriptionData.ofTags("Orders", "*", 1)));

        assertThat(ConsumerIdList.read(consumerList().body()).consumerIdList()).containsExactly("one");
        Reply retry = client.ask(GetTopicConfig.CODE, new GetTopicConfig.Request("%RETRY%orders-group"), NOTHING);
        assertThat(retry.code()).isZero();
    }

    @Test
    void groupConfiguredWithoutRetryQueuesGetsOne() throws Exception {
        byte[] config = utf8(
                "{\"groupName\":\"orders-group\",\"retryQueueNums\":0,\"retryMaxTimes\":16,\"consumeEnable\":true}");
        assertThat(client.ask(CreateSubscriptionGroup.CODE, FieldSource.NONE, config)
                        .code())
                .isZero();

        heartbeat(client, "one", consumer(GROUP, SubscriptionData.ofTags("Orders", "*", 1)));

        Reply retry = client.ask(GetTopicConfig.CODE, new GetTopicConfig.Request("%RETRY%orders-group"), NOTHING);
        assertThat(new String(retry.body(), StandardCharsets.UTF_8)).contains("\"writeQueueNums\":1");
    }

    @Test
    void membersAreToldWhenOneJoinsOrItsConnectionCloses() throws Exception {
        BrokerClient second = broker.anotherClient();
        heartbeat(client, "one", consumer(GROUP, SubscriptionData.ofTags("Orders", "*", 1)));
        heartbeat(second, "two", consumer(GROUP, SubscriptionData.ofTags("Orders", "*", 1)));
        await().untilAsserted(() -> assertThat(client.requests()).containsExactly(40, 40));

        second.close();

        await().untilAsserted(() -> assertThat(client.requests()).containsExactly(40, 40, 40));
        assertThat(ConsumerIdList.read(consumerList().body()).consumerIdList()).containsExactly("one");
    }

    @Test
    void wrongGroupInAHeartbeatIsNamedAndTheOthersCount() throws Exception {
        ConsumerData wrong = consumer("../etc", SubscriptionData.ofTags("Orders", "*", 1));
        ConsumerData right = consumer(GROUP, SubscriptionData.ofTags("Orders", "*", 1));
        HeartbeatData data = new HeartbeatData("one", List.of(), List.of(wrong, right));

        Reply reply = client.ask(Heartbeat.CODE, FieldSource.NONE, data.write());

        assertRefused(reply, 1, "group has the character U+002E at index 0; allowed are letters, digits and % | _ -");
        assertThat(ConsumerIdList.read(consumerList().body()).consumerIdList()).containsExactly("one");
    }

    @Test
    void orderLockBelongsToOneClientUntilItIsReleased() throws Exception {
        BrokerClient second = broker.anotherClient();
        MessageQueue here = new MessageQueue("Orders", "broker-a", 0);
        MessageQueue elsewhere = new MessageQueue("Orders", "broker-b", 0);
        MessageQueue unknown = new MessageQueue("Orders", "broker-a", 9);

        assertThat(lock(client, "one", here, elsewhere, unknown)).containsExactly(here);
        assertThat(lock(second, "two", here)).isEmpty();
        LockBatch.Request release = new LockBatch.Request(GROUP, "one", false, Set.of(here));
        assertThat(client.ask(UnlockBatchQueues.CODE, FieldSource.NONE, release.write())
                        .code())
                .isZero();
        assertThat(lock(second, "two", here)).containsExactly(here);
    }

    @Test
    void idleBrokerWithConnectedClientsAppendsNothing() throws Exception {
        send("one", "");
        MessageQueue queue = new MessageQueue("Orders", "broker-a", 0);
        beIdle(queue);
        long before = logEnd();

        for (int i = 0; i < 10; i++) {
            beIdle(queue);
            CompletableFuture<Reply> held = startPull(1, "*");
            await().until(() -> broker.broker.consumption().parkedPulls().parked() == 1);
            broker.time.advance(Duration.ofSeconds(20));
            assertThat(held.get(30, TimeUnit.SECONDS).code()).isEqualTo(19);
        }

        assertThat(logEnd()).isEqualTo(before);
    }

    private void beIdle(MessageQueue queue) throws Exception {
        heartbeat(client, "one", consumer(GROUP, SubscriptionData.ofTags("Orders", "*", 1)));
        assertThat(commit("Orders", 0, 1).code()).isZero();
        assertThat(lock(client, "one", queue)).containsExactly(queue);
    }

    private long logEnd() throws Exception {
        Reply reply = client.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE, NOTHING);
        return Long.parseLong(KvTable.read(reply.body()).table().get("commitLogMaxOffset"));
    }

    private static void assertRefused(Reply reply, int code, String remark) {
        assertThat(reply.remark()).hasValue(remark);
        assertThat(reply.code()).isEqualTo(code);
    }

    private void createTopic(String name, int queues, int perm) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request(name, "TBW102", queues, queues, perm, "SINGLE_TAG", 0, false, "", false);
        assertThat(client.ask(CreateTopic.CODE, request, NOTHING).code()).isZero();
    }

    private void send(String body, String tag) throws Exception {
        byte[] properties = tag.isEmpty() ? NOTHING : utf8("TAGS\u0001" + tag + "\u0002");
        SendMessage.Request request =
                new SendMessage.Request("makers", "Orders", "TBW102", 4, 0, 0, 0, 0, properties, 0, false, false, -1);
        Reply reply = client.ask(SendMessage.CODE, request, utf8(body));
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
    }

    private Reply pull(long offset, int messages, String expression, int flags) throws Exception {
        return client.ask(PullMessage.CODE, pullRequest("Orders", 0, offset, messages, expression, flags, 0), NOTHING);
    }

    private Reply pull(String topic, int queueId, String expression, int flags) throws Exception {
        return client.ask(PullMessage.CODE, pullRequest(topic, queueId, 0, 32, expression, flags, 0), NOTHING);
    }

    private CompletableFuture<Reply> startPull(long offset, String expression) {
        return client.call(
                PullMessage.CODE, pullRequest("Orders", 0, offset, 32, expression, SUSPEND | SUBSCRIPTION, 0), NOTHING);
    }

    @Test
    void aPullOfNoMessagesIsRefusedWithItsLimits() throws Exception {
        for (int messages : new int[] {0, -1}) {
            Reply refused =
                    client.ask(PullMessage.CODE, pullRequest("Orders", 0, 0, messages, "*", SUBSCRIPTION, 0), NOTHING);

            assertThat(refused.code()).isEqualTo(29);
            assertThat(refused.remark().orElse(""))
                    .matches("maxMsgNums=" + messages + " is below 1; an answer has at most [0-9]+ messages");
        }
    }

    private static PullMessage.Request pullRequest(
            String topic, int queueId, long offset, int messages, String expression, int flags, long version) {
        return new PullMessage.Request(
                GROUP, topic, queueId, offset, messages, flags, 0, 15_000, expression, version, "TAG", -1);
    }

    private Reply commit(String topic, int queueId, long offset) throws Exception {
        return client.ask(
                UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request(GROUP, topic, queueId, offset), NOTHING);
    }

    private Reply queryOffset(int queueId, boolean zeroIfYoung) throws Exception {
        return client.ask(
                QueryConsumerOffset.CODE,
                new QueryConsumerOffset.Request(GROUP, "Orders", queueId, zeroIfYoung),
                NOTHING);
    }

    private Reply consumerList() throws Exception {
        return client.ask(GetConsumerListByGroup.CODE, new GetConsumerListByGroup.Request(GROUP), NOTHING);
    }

    private static ConsumerData consumer(String group, SubscriptionData subscription) {
        return new ConsumerData(
                group,
                ConsumeType.CONSUME_PASSIVELY,
                MessageModel.CLUSTERING,
                ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET,
                List.of(subscription),
                false);
    }

    private static void heartbeat(BrokerClient client, String clientId, ConsumerData consumer) throws Exception {
        HeartbeatData data = new HeartbeatData(clientId, List.of(new ProducerData("makers")), List.of(consumer));
        assertThat(client.ask(Heartbeat.CODE, FieldSource.NONE, data.write()).code())
                .isZero();
    }

    private static Set<MessageQueue> lock(BrokerClient client, String clientId, MessageQueue... queues)
            throws Exception {
        LockBatch.Request request = new LockBatch.Request(GROUP, clientId, false, Set.of(queues));
        Reply reply = client.ask(LockBatchQueues.CODE, FieldSource.NONE, request.write());
        assertThat(reply.code()).isZero();
        return LockBatch.Response.read(reply.body()).lockOKMQSet();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
