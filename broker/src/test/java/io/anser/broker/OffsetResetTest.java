package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.testing.WireMessages;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.MessageRequestMode;
import io.anser.protocol.body.QueueOffsetTable;
import io.anser.protocol.body.RequestMode;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CloneGroupOffset;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.ResetOffset;
import io.anser.protocol.operation.SetMessageRequestMode;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups are put to other offsets, and everybody in them goes there. */
class OffsetResetTest {
    private static final MessageQueue QUEUE = new MessageQueue("Orders", "broker-a", 0);
    private static final int MOVED = 21;

    private RunningBroker broker;
    private Member member;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        broker = RunningBroker.open(directory);
        broker.ask(
                CreateTopic.CODE,
                new CreateTopic.Request("Orders", "TBW102", 2, 2, 6, "SINGLE_TAG", 0, false, "", false));
        for (int i = 0; i < 10; i++) {
            broker.stored(request("Orders", ""), "m" + i);
            broker.time.advance(Duration.ofSeconds(1));
        }
        member = new Member(broker.anotherClient(), "c1", "billing").joins("Orders", "*", MessageModel.CLUSTERING);
        assertThat(member.commit("Orders", 0, 10)).isZero();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void aGroupOnlineIsPutToATimeAndItsMemberIsSentThere() throws Exception {
        Reply answer = reset(-1, -1, 1_004_000, true);

        assertThat(QueueOffsetTable.read(answer.body()).offsetTable())
                .containsEntry(QUEUE, 4L)
                .containsEntry(new MessageQueue("Orders", "broker-a", 1), 0L);
        assertThat(committed("billing", 0)).isEqualTo(4);
        Reply sentThere = member.pull("Orders", 0, 10);
        assertThat(sentThere.code()).isEqualTo(MOVED);
        assertThat(PullMessage.Response.decode(sentThere.header()).nextBeginOffset())
                .isEqualTo(4);
        assertThat(WireMessages.bodies(member.pull("Orders", 0, 4).body()))
                .containsExactly("m4", "m5", "m6", "m7", "m8", "m9");
    }

    @Test
    void aPullThatWaitsIsSentToTheNewPlaceAtOnce() throws Exception {
        CompletableFuture<Reply> waiting = member.startPull("Orders", 0, 10);
        await().until(() -> broker.broker.consumption().parkedPulls().parked() == 1);

        reset(0, 3, 0, false);

        Reply answer = RunningBroker.get(waiting);
        assertThat(answer.code()).isEqualTo(MOVED);
        assertThat(PullMessage.Response.decode(answer.header()).nextBeginOffset())
                .isEqualTo(3);
    }

    @Test
    void whatAMemberCommitsOutOfWhatItStillHoldsDoesNotUndoTheReset() throws Exception {
        reset(0, 3, 0, false);

        assertThat(member.commit("Orders", 0, 9)).isEqualTo(2);
        assertThat(committed("billing", 0)).isEqualTo(3);
        member.pull("Orders", 0, 3);
        assertThat(member.commit("Orders", 0, 5)).isZero();
        assertThat(committed("billing", 0)).isEqualTo(5);
    }

    @Test
    void aMemberThatDoesNotGoWhereItWasSentIsLeftAloneAfterAWhile() throws Exception {
        reset(0, 3, 0, false);
        assertThat(member.pull("Orders", 0, 10).code()).isEqualTo(MOVED);

        broker.time.advance(Duration.ofSeconds(61));

        assertThat(member.pull("Orders", 0, 10).code()).isEqualTo(19);
    }

    @Test
    void withoutForceATimeMovesAGroupBackOnly() throws Exception {
        reset(0, 2, 0, false);
        member.pull("Orders", 0, 2);

        assertThat(QueueOffsetTable.read(reset(0, -1, 1_008_000, false).body()).offsetTable())
                .containsEntry(QUEUE, 2L);
        assertThat(QueueOffsetTable.read(reset(0, -1, 1_008_000, true).body()).offsetTable())
                .containsEntry(QUEUE, 8L);
        assertThat(QueueOffsetTable.read(reset(0, -1, -1, true).body()).offsetTable())
                .containsEntry(QUEUE, 10L);
    }

    @Test
    void aGroupOfflineIsPutElsewhereToo() throws Exception {
        member.client.close();
        await().until(() -> clone("billing", "probe", true).code() == 0);

        reset(0, 6, 0, true);

        assertThat(committed("billing", 0)).isEqualTo(6);
        Member again = new Member(broker.anotherClient(), "c2", "billing");
        assertThat(again.pull("Orders", 0, 9).code()).isZero();
    }

    @Test
    void aGroupThatPopsGetsTheMessagesAgain() throws Exception {
        broker.ask(
                CreateTopic.CODE,
                new CreateTopic.Request("Popped", "TBW102", 1, 1, 6, "SINGLE_TAG", 0, false, "", false));
        broker.stored(request("Popped", ""), "one");
        broker.stored(request("Popped", ""), "two");
        RequestMode mode = new RequestMode("Popped", "billing", MessageRequestMode.POP, 8);
        RunningBroker.get(
                broker.call(SetMessageRequestMode.CODE, FieldSource.NONE, Unpooled.wrappedBuffer(mode.write())));
        PoppingClient popping = new PoppingClient(broker.anotherClient(), "billing", "Popped");
        assertThat(popping.pop(32, 60_000))
                .extracting(PoppingClient.Popped::body)
                .containsExactly("one", "two");
        assertThat(popping.pop(32, 60_000)).isEmpty();

        Reply answer = broker.ask(ResetOffset.CODE, new ResetOffset.Request("Popped", "billing", 0, 1, 0, true));

        assertThat(answer.code()).isZero();
        assertThat(popping.pop(32, 60_000))
                .extracting(PoppingClient.Popped::body)
                .containsExactly("two");
    }

    @Test
    void membersThatKeepTheirOffsetsAreToldToMove() throws Exception {
        Member listener =
                new Member(broker.anotherClient(), "c3", "listeners").joins("Orders", "*", MessageModel.BROADCASTING);

        Reply answer = broker.ask(ResetOffset.CODE, new ResetOffset.Request("Orders", "listeners", 0, 2, 0, true));

        assertThat(answer.code()).isZero();
        await().until(() -> listener.client.requests().contains(220));
        RunningBroker.Received told = listener.client.received().stream()
                .filter(received -> received.code() == 220)
                .findFirst()
                .orElseThrow();
        assertThat(ResetOffset.Request.decode(told.header()).group()).isEqualTo("listeners");
        assertThat(QueueOffsetTable.read(told.body()).offsetTable()).containsEntry(QUEUE, 2L);
        assertThat(committed("listeners", 0)).isEqualTo(-1);
    }

    @Test
    void whatCannotBeIsRefusedWithTheFieldAndTheLimit() throws Exception {
        assertRefused(reset(2, 0, 0, true), 29, "queueId=2 is not in [0,2) of topic=Orders");
        assertRefused(reset(0, 11, 0, true), 29, "offset=11 is not in [0,10] of topic=Orders queueId=0");
        assertRefused(reset(-1, 3, 0, true), 29, "offset=3 needs a queueId: queues have offsets of their own");
        assertRefused(
                broker.ask(ResetOffset.CODE, new ResetOffset.Request("None", "billing", -1, -1, 0, true)),
                17,
                "topic=None does not exist");
        assertRefused(
                broker.ask(ResetOffset.CODE, new ResetOffset.Request("Orders", "nobody", -1, -1, 0, true)),
                26,
                "group=nobody does not exist");
        assertThat(committed("billing", 0)).isEqualTo(10);
    }

    @Test
    void aGroupIsPutWhereAnotherOneIs() throws Exception {
        assertThat(clone("billing", "audit", false).code()).isZero();

        assertThat(committed("audit", 0)).isEqualTo(10);
        assertThat(committed("audit", 1)).isEqualTo(-1);
        assertRefused(clone("nobody", "audit", false), 22, "srcGroup=nobody has no offset");
        assertRefused(
                clone("audit", "billing", true),
                29,
                "destGroup=billing has members online, and offline=true asks for none");
    }

    private Reply reset(int queueId, long offset, long timestamp, boolean force) throws Exception {
        return broker.ask(
                ResetOffset.CODE, new ResetOffset.Request("Orders", "billing", queueId, offset, timestamp, force));
    }

    private Reply clone(String from, String to, boolean offline) throws Exception {
        return broker.ask(CloneGroupOffset.CODE, new CloneGroupOffset.Request(from, to, "", offline));
    }

    private long committed(String group, int queueId) throws Exception {
        Reply reply =
                broker.ask(QueryConsumerOffset.CODE, new QueryConsumerOffset.Request(group, "Orders", queueId, false));
        return reply.code() == 22
                ? -1
                : QueryConsumerOffset.Response.decode(reply.header()).offset();
    }

    private static void assertRefused(Reply reply, int code, String remark) {
        assertThat(reply.code()).isEqualTo(code);
        assertThat(reply.remark()).contains(remark);
    }
}
