package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.testing.WireMessages;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.DeleteSubscriptionGroup;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.GetMaxOffset;
import io.anser.protocol.operation.GetMinOffset;
import io.anser.protocol.operation.GetSubscriptionGroupConfig;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.protocol.operation.ViewMessageById;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeletionTest {
    private static final String GROUP = "g";
    private static final int SUSPEND = PullMessage.FLAG_SUSPEND | PullMessage.FLAG_SUBSCRIPTION;

    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
        create("T");
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void aTopicMadeAnewStartsClean() throws Exception {
        send("old 1");
        send("old 2");
        commit(2);
        assertThat(delete("T").code()).isZero();
        assertThat(broker.maxOffset("T", 0)).as("the topic does not exist").isEqualTo(-1);

        create("T");

        assertCleanThenStores("new");
    }

    @Test
    void aTopicMadeAnewAfterARestartStartsClean() throws Exception {
        send("old");
        commit(1);
        delete("T");
        reopen();
        assertThat(broker.maxOffset("T", 0)).as("the topic does not exist").isEqualTo(-1);

        create("T");
        assertCleanThenStores("new");
        reopen();

        assertThat(WireMessages.bodies(pull(0, PullMessage.FLAG_SUBSCRIPTION).body()))
                .containsExactly("new");
    }

    private void assertCleanThenStores(String body) throws Exception {
        assertThat(GetMaxOffset.Response.decode(broker.ask(GetMaxOffset.CODE, new GetMaxOffset.Request("T", 0, true))
                                .header())
                        .offset())
                .isZero();
        assertThat(GetMinOffset.Response.decode(broker.ask(GetMinOffset.CODE, new GetMinOffset.Request("T", 0))
                                .header())
                        .offset())
                .isZero();
        assertThat(queryOffset().code()).as("no offset of the group").isEqualTo(22);
        assertThat(send(body).queueOffset()).isZero();
        assertThat(WireMessages.bodies(pull(0, PullMessage.FLAG_SUBSCRIPTION).body()))
                .containsExactly(body);
    }

    @Test
    void aParkedPullOfADeletedTopicIsAnsweredAtOnce() throws Exception {
        CompletableFuture<Reply> held = broker.call(PullMessage.CODE, pullRequest(0, SUSPEND), Unpooled.EMPTY_BUFFER);
        await().until(() -> broker.broker.consumption().parkedPulls().parked() == 1);

        delete("T");

        Reply reply = RunningBroker.get(held);
        assertThat(reply.code()).isEqualTo(17);
        assertThat(reply.remark()).contains("the topic was deleted");
        assertThat(broker.broker.consumption().parkedPulls().parked()).isZero();
    }

    @Test
    void aPullAtAnOffsetOfTheDeletedTopicGoesOnAtTheStartOfTheNewOne() throws Exception {
        send("old 1");
        send("old 2");
        delete("T");
        create("T");
        send("new");

        Reply reply = pull(2, PullMessage.FLAG_SUBSCRIPTION);

        assertThat(reply.code()).isEqualTo(21);
        assertThat(PullMessage.Response.decode(reply.header()).nextBeginOffset())
                .isZero();
    }

    @Test
    void aPullDoesNotBringADeletedTopicBack() throws Exception {
        delete("T");

        assertThat(pull(0, SUSPEND).code()).isEqualTo(17);
        assertThat(broker.maxOffset("T", 0)).isEqualTo(-1);
    }

    @Test
    void aMessageThatWaitsForADeletedTopicDoesNotReachTheNextOne() throws Exception {
        broker.stored(request("T", "DELAY\u00011\u0002"), "delayed");
        delete("T");
        create("T");

        broker.time.advance(Duration.ofSeconds(1));
        broker.stored(request("T", "DELAY\u00011\u0002"), "delayed too");
        broker.time.advance(Duration.ofSeconds(1));

        await().until(() -> broker.maxOffset("T", 0) == 1);
        assertThat(WireMessages.bodies(pull(0, PullMessage.FLAG_SUBSCRIPTION).body()))
                .containsExactly("delayed too");
    }

    @Test
    void anIdOfADeletedMessageFindsNothing() throws Exception {
        String id = send("old").msgId();
        assertThat(broker.message(id).topic()).isEqualTo("T");
        long position = broker.message(id).physicalOffset();

        delete("T");
        create("T");

        assertThat(broker.ask(ViewMessageById.CODE, new ViewMessageById.Request("T", position))
                        .code())
                .isNotZero();
    }

    @Test
    void theOrderLocksOfADeletedTopicAreFree() throws Exception {
        BrokerClient one = broker.anotherClient();
        BrokerClient two = broker.anotherClient();
        MessageQueue queue = new MessageQueue("T", BrokerSettings.defaults().name(), 0);
        assertThat(lock(one, "one", queue)).containsExactly(queue);
        assertThat(lock(two, "two", queue)).isEmpty();

        delete("T");
        create("T");

        assertThat(lock(two, "two", queue)).containsExactly(queue);
    }

    @Test
    void sendsThatRaceWithDeletionsEndUpInATopicOrAreRefused() throws Exception {
        List<CompletableFuture<Reply>> answers = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 20; i++) {
                answers.add(broker.sendLater(
                        request("T", ""), Unpooled.copiedBuffer(round + "/" + i, StandardCharsets.UTF_8)));
            }
            answers.add(
                    broker.call(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("T"), Unpooled.EMPTY_BUFFER));
        }
        Set<Integer> codes = new HashSet<>();
        for (CompletableFuture<Reply> answer : answers) {
            codes.add(RunningBroker.get(answer).code());
        }
        assertThat(codes).isSubsetOf(0, 17);

        delete("T");
        create("T");
        assertCleanThenStores("last");
    }

    @Test
    void whatTheBrokerKeepsForItselfIsNotDeleted() throws Exception {
        for (String topic : List.of("TBW102", "SCHEDULE_TOPIC_XXXX", "DefaultCluster")) {
            Reply reply = delete(topic);
            assertThat(reply.code()).isEqualTo(29);
            assertThat(reply.remark()).contains("topic=" + topic + " is kept by the broker for itself");
            assertThat(broker.maxOffset(topic, 0)).isZero();
        }
        assertThat(deleteGroup("CID_RMQ_SYS_TRANS", true).code()).isEqualTo(29);
    }

    @Test
    void whatIsNotThereIsDeletedAlready() throws Exception {
        assertThat(delete("Nowhere").code()).isZero();
        assertThat(deleteGroup("nobody", false).code()).isZero();
    }

    @Test
    void aDeletedGroupKeepsItsOffsetsUnlessTheyAreToGoToo() throws Exception {
        send("one");
        commit(1);

        assertThat(deleteGroup(GROUP, false).code()).isZero();
        assertThat(group()).isEqualTo(26);
        assertThat(QueryConsumerOffset.Response.decode(queryOffset().header()).offset())
                .isEqualTo(1);

        assertThat(deleteGroup(GROUP, true).code()).isZero();
        assertThat(queryOffset().code()).isEqualTo(22);
        reopen();
        assertThat(group()).isEqualTo(26);
        assertThat(queryOffset().code()).isEqualTo(22);
    }

    private int group() throws Exception {
        return broker.ask(GetSubscriptionGroupConfig.CODE, new GetSubscriptionGroupConfig.Request(GROUP))
                .code();
    }

    private void reopen() throws Exception {
        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(1_010_000));
    }

    private void create(String topic) throws Exception {
        CreateTopic.Request create =
                new CreateTopic.Request(topic, "TBW102", 2, 2, 6, "SINGLE_TAG", 0, false, "", false);
        assertThat(broker.ask(CreateTopic.CODE, create).code()).isZero();
    }

    private Reply delete(String topic) throws Exception {
        return broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request(topic));
    }

    private Reply deleteGroup(String group, boolean cleanOffset) throws Exception {
        return broker.ask(DeleteSubscriptionGroup.CODE, new DeleteSubscriptionGroup.Request(group, cleanOffset));
    }

    private SendMessage.Response send(String body) throws Exception {
        return broker.stored(request("T", ""), body);
    }

    private void commit(long offset) throws Exception {
        assertThat(broker.ask(UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request(GROUP, "T", 0, offset))
                        .code())
                .isZero();
    }

    private Reply queryOffset() throws Exception {
        return broker.ask(QueryConsumerOffset.CODE, new QueryConsumerOffset.Request(GROUP, "T", 0, false));
    }

    private Reply pull(long offset, int flags) throws Exception {
        return broker.ask(PullMessage.CODE, pullRequest(offset, flags));
    }

    private static PullMessage.Request pullRequest(long offset, int flags) {
        return new PullMessage.Request(GROUP, "T", 0, offset, 32, flags, 0, 15_000, "*", 0, "TAG", 0);
    }

    private static Set<MessageQueue> lock(BrokerClient client, String clientId, MessageQueue queue) throws Exception {
        Reply reply = client.ask(
                LockBatchQueues.CODE,
                FieldSource.NONE,
                new LockBatch.Request(GROUP, clientId, false, Set.of(queue)).write());
        return LockBatch.Response.read(reply.body()).lockOKMQSet();
    }
}
