package io.anser.broker;

import static io.anser.broker.PoppingClient.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.PoppingClient.Popped;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.DeleteSubscriptionGroup;
import io.anser.protocol.operation.DeleteTopicInBroker;
import io.anser.protocol.operation.Notification;
import io.anser.protocol.operation.PollingInfo;
import io.anser.protocol.operation.PopHandle;
import io.anser.protocol.operation.PopMessage;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pops of a whole broker over its port. */
class PopTest {
    private static final String GROUP = "workers";
    private static final String RETRY = "%RETRY%workers+Orders";
    private static final String DEAD = "%DLQ%workers";
    private static final long MINUTE = 60_000;

    @TempDir
    Path directory;

    private RunningBroker broker;
    private PoppingClient client;

    @BeforeEach
    void start() throws Exception {
        broker = RunningBroker.open(directory);
        client = newClient();
        createTopic("Orders", 1);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void aPoppedMessageIsSeenByNobodyElseAndAnAcknowledgedOneNeverAgain() throws Exception {
        send("a", "b", "c");

        List<Popped> first = client.pop(2, MINUTE);
        List<Popped> second = newClient().pop(32, MINUTE);

        assertThat(bodies(first)).containsExactly("a", "b");
        assertThat(bodies(second)).containsExactly("c");
        assertThat(client.pop(32, MINUTE)).isEmpty();
        for (Popped each : first) {
            assertThat(client.ack(each)).isZero();
        }
        assertThat(committed()).isEqualTo(2);
        assertThat(client.ack(second.get(0))).isZero();
        assertThat(committed()).isEqualTo(3);
        pass(MINUTE + 1000);
        assertThat(broker.maxOffset(RETRY, 0)).isEqualTo(-1);
        assertThat(client.pop(32, MINUTE)).isEmpty();
    }

    @Test
    void leasesAndAcknowledgementsSurviveARestart() throws Exception {
        send("a", "b", "c");
        List<Popped> popped = client.pop(3, MINUTE);
        assertThat(client.ack(popped.get(1))).isZero();

        restart();

        assertThat(client.pop(32, MINUTE)).isEmpty();
        assertThat(client.ack(popped.get(0))).isZero();
        assertThat(client.ack(popped.get(1))).isZero();
        pass(MINUTE);
        await().until(() -> broker.maxOffset(RETRY, 0) == 1);
        assertThat(bodies(client.pop(32, MINUTE))).containsExactly("c");
        assertThat(committed()).isEqualTo(3);
    }

    @Test
    void aGroupHasItsPlaceInEveryQueueBeforeItsFirstMessage() throws Exception {
        assertThat(committed()).isEqualTo(-1);

        assertThat(client.pop(1, MINUTE)).isEmpty();

        assertThat(committed()).isZero();
    }

    @Test
    void aGroupThatBeginsAtTheEndMissesNothingOfAYoungQueue() throws Exception {
        send("first");

        assertThat(bodies(client.pop(new PopMessage.Request(
                        GROUP, "Orders", -1, 32, MINUTE, 0, 0, PopMessage.INIT_MAX, "TAG", "*", false, ""))))
                .containsExactly("first");
    }

    @Test
    void anAcknowledgementCountsUntilTheMessageIsOnItsWayToSomebodyElse() throws Exception {
        pass(0);
        send("a");
        Popped popped = client.pop(1, 100).get(0);
        broker.time.advance(Duration.ofMillis(200));

        assertThat(client.ack(popped)).isZero();

        pass(MINUTE);
        assertThat(broker.maxOffset(RETRY, 0)).isEqualTo(-1);
        assertThat(committed()).isEqualTo(1);
    }

    @Test
    void anAcknowledgementMayBeRepeated() throws Exception {
        send("a", "b");
        List<Popped> popped = client.pop(2, MINUTE);

        assertThat(client.ack(popped.get(0))).isZero();
        assertThat(client.ack(popped.get(0))).isZero();
        assertThat(client.ack(popped.get(1))).isZero();
        assertThat(client.ack(popped.get(1))).isZero();
        assertThat(client.ack(popped.get(0))).isZero();
    }

    @Test
    void acknowledgementsOfOneBatchCountTogether() throws Exception {
        createTopic("Wide", 3);
        PoppingClient wide = new PoppingClient(broker.anotherClient(), GROUP, "Wide");
        for (int i = 0; i < 9; i++) {
            sendTo("Wide", "m" + i, "", i % 3);
        }
        List<Popped> popped = wide.pop(32, MINUTE);
        assertThat(bodies(popped)).hasSize(9);

        assertThat(wide.ackTogether(popped)).isZero();

        pass(MINUTE + 1000);
        assertThat(broker.maxOffset("%RETRY%workers+Wide", 0)).isEqualTo(-1);
    }

    @Test
    void aMessageThatIsNotAcknowledgedInTimeComesAgainWithItsTriesCounted() throws Exception {
        send("slow");
        Popped first = client.pop(1, MINUTE).get(0);
        pass(MINUTE);
        await().until(() -> broker.maxOffset(RETRY, 0) == 1);

        Popped second = client.pop(1, MINUTE).get(0);

        assertThat(second.body()).isEqualTo("slow");
        assertThat(second.reconsumeTimes()).isEqualTo(1);
        assertThat(second.storedTopic()).isEqualTo(RETRY);
        assertThat(client.ack(first)).isEqualTo(208);
        assertThat(client.ack(second)).isZero();
        pass(MINUTE + 1000);
        assertThat(client.pop(1, MINUTE)).isEmpty();
        assertThat(broker.maxOffset(RETRY, 0)).isEqualTo(1);
    }

    @Test
    void aMessageWithoutRoomForMorePropertiesComesAgainToo() throws Exception {
        byte[] full = ("K\u0001" + "v".repeat(32_760) + "\u0002").getBytes(StandardCharsets.UTF_8);
        broker.stored(
                new SendMessage.Request("p", "Orders", "TBW102", 4, 0, 0, 77, 0, full, 0, false, false, -1), "full");
        send("usual");
        assertThat(bodies(client.pop(1, MINUTE))).containsExactly("full");
        assertThat(bodies(client.pop(1, MINUTE))).containsExactly("usual");
        pass(MINUTE);
        await().until(() -> broker.maxOffset(RETRY, 0) == 2);

        assertThat(bodies(client.pop(2, MINUTE))).containsExactlyInAnyOrder("full", "usual");
    }

    @Test
    void afterItsLastTryAMessageIsADeadLetter() throws Exception {
        send("poison");
        for (int tries = 0; tries <= 16; tries++) {
            List<Popped> popped = client.pop(1, 1000);
            assertThat(popped).as("try %d", tries).hasSize(1);
            assertThat(popped.get(0).reconsumeTimes()).isEqualTo(tries);
            pass(1000);
            long copies = tries + 1L;
            String where = tries < 16 ? RETRY : DEAD;
            await().until(() -> broker.maxOffset(where, 0) == (where.equals(RETRY) ? copies : 1));
        }

        assertThat(client.pop(1, 1000)).isEmpty();
        MessageView dead = firstMessage(DEAD);
        assertThat(StandardCharsets.UTF_8.decode(dead.body()).toString()).isEqualTo("poison");
        assertThat(dead.property("DLQ_ORIGIN_TOPIC")).contains("Orders");
    }

    @Test
    void aChangedTimeMakesANewHandleAndVoidsTheOldOne() throws Exception {
        send("a", "b");
        List<Popped> popped = client.pop(2, 20_000);
        PopHandle old = popped.get(0).handle();

        PopHandle longer = client.change(old, 60_000);

        assertThat(client.ack(old)).isEqualTo(208);
        assertThat(client.askChange(old, MINUTE).code()).isEqualTo(208);
        pass(20_000);
        await().until(() -> broker.maxOffset(RETRY, 0) == 1);
        assertThat(bodies(client.pop(32, 20 * MINUTE))).containsExactly("b");
        pass(20_000);
        assertThat(client.pop(32, MINUTE)).isEmpty();
        assertThat(client.ack(longer)).isZero();
        pass(20_000);
        assertThat(client.pop(32, MINUTE)).isEmpty();
        assertThat(broker.maxOffset(RETRY, 0)).isEqualTo(1);
    }

    @Test
    void aTimeChangedToNothingMakesTheMessageVisibleAtOnce() throws Exception {
        send("a");
        client.change(client.pop(1, MINUTE).get(0).handle(), 0);

        pass(500);

        await().until(() -> broker.maxOffset(RETRY, 0) == 1);
        assertThat(client.pop(1, MINUTE).get(0).reconsumeTimes()).isEqualTo(1);
    }

    @Test
    void aWaitingPopIsAnsweredAsTheMessageCommits() throws Exception {
        CompletableFuture<Reply> waiting = client.start(client.request(-1, 32, MINUTE, 15_000));
        await().until(() -> parked() == 1);

        send("late");

        assertThat(bodies(PoppingClient.messages(RunningBroker.get(waiting)))).containsExactly("late");
        assertThat(parked()).isZero();
    }

    @Test
    void aWaitingPopIsAnsweredThatNothingCameWhenItsTimeIsOver() throws Exception {
        CompletableFuture<Reply> waiting = client.start(client.request(-1, 32, MINUTE, 15_000));
        await().until(() -> parked() == 1);

        broker.time.advance(Duration.ofSeconds(15));

        Reply reply = RunningBroker.get(waiting);
        assertThat(reply.code()).isEqualTo(210);
        assertThat(PopMessage.Response.decode(reply.header())).isEqualTo(PopMessage.Response.NOTHING);
        assertThat(parked()).isZero();
    }

    @Test
    void aWaitingPopGetsWhatSomebodyElseLetExpire() throws Exception {
        send("a");
        client.pop(1, MINUTE / 2);
        PoppingClient other = newClient();
        CompletableFuture<Reply> waiting = other.start(other.request(-1, 32, MINUTE, 60_000));
        await().until(() -> parked() == 1);

        pass(MINUTE / 2);

        await().until(() -> broker.maxOffset(RETRY, 0) == 1);
        assertThat(bodies(PoppingClient.messages(RunningBroker.get(waiting)))).containsExactly("a");
    }

    @Test
    void aPopThatIsGoneTakesNothing() throws Exception {
        RunningBroker.BrokerClient gone = broker.anotherClient();
        PoppingClient leaving = new PoppingClient(gone, GROUP, "Orders");
        leaving.start(leaving.request(-1, 32, MINUTE, 15_000));
        await().until(() -> parked() == 1);

        gone.close();
        await().until(() -> parked() == 0);
        send("a");

        assertThat(bodies(client.pop(1, MINUTE))).containsExactly("a");
    }

    @Test
    void manyPopsAtATimeNeverGetTheSameMessage() throws Exception {
        createTopic("Wide", 4);
        int count = 400;
        List<CompletableFuture<Reply>> waiting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            PoppingClient each = new PoppingClient(broker.anotherClient(), GROUP, "Wide");
            for (int pop = 0; pop < 8; pop++) {
                waiting.add(each.start(each.request(-1, 8, MINUTE, 15_000)));
            }
        }
        for (int i = 0; i < count; i++) {
            sendTo("Wide", "m" + i, "", i % 4);
        }
        PoppingClient rest = new PoppingClient(broker.anotherClient(), GROUP, "Wide");
        List<String> got = new ArrayList<>();
        for (List<Popped> more = rest.pop(32, MINUTE); !more.isEmpty(); more = rest.pop(32, MINUTE)) {
            got.addAll(bodies(more));
        }
        broker.time.advance(Duration.ofSeconds(15));
        for (CompletableFuture<Reply> each : waiting) {
            got.addAll(bodies(PoppingClient.messages(each.get(30, TimeUnit.SECONDS))));
        }

        assertThat(got).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void messagesThatAreNotWantedAreDoneWith() throws Exception {
        for (int i = 0; i < 6; i++) {
            sendTo("Orders", "m" + i, i % 2 == 0 ? "even" : "odd");
        }
        PopMessage.Request even =
                new PopMessage.Request(GROUP, "Orders", -1, 32, MINUTE, 0, 0, 0, "TAG", "even", false, "");

        List<Popped> popped = client.pop(even);

        assertThat(bodies(popped)).containsExactly("m0", "m2", "m4");
        for (Popped each : popped) {
            assertThat(client.ack(each)).isZero();
        }
        pass(500);
        await().until(() -> committed() == 6);
    }

    @Test
    void theOffsetOfAGroupMayBeSetBackAndForth() throws Exception {
        send("a", "b", "c");
        assertThat(client.ack(client.pop(1, MINUTE).get(0))).isZero();
        client.pop(1, MINUTE);

        commit(0);
        assertThat(bodies(client.pop(32, MINUTE))).containsExactly("a", "b", "c");

        commit(2);
        assertThat(bodies(client.pop(32, MINUTE))).containsExactly("c");
    }

    @Test
    void aDeletedTopicTakesItsLeasesWithIt() throws Exception {
        send("a");
        Popped old = client.pop(1, MINUTE).get(0);
        broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("Orders"));
        assertThat(client.ask(client.request(-1, 1, MINUTE, 0)).code()).isEqualTo(17);
        createTopic("Orders", 1);
        pass(1);
        send("new");

        assertThat(bodies(client.pop(1, MINUTE))).containsExactly("new");
        assertThat(client.ack(old)).isNotZero();
        assertThat(committed()).isZero();
    }

    @Test
    void whenATopicIsDeletedAllWhoWaitForItAreToldAtOnce() throws Exception {
        List<CompletableFuture<Reply>> waiting = waiting(4);

        broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("Orders"));

        for (CompletableFuture<Reply> each : waiting) {
            assertThat(RunningBroker.get(each).code()).isEqualTo(17);
        }
    }

    @Test
    void whenAGroupIsDeletedAllOfItWhoWaitAreToldAtOnce() throws Exception {
        List<CompletableFuture<Reply>> waiting = waiting(4);

        broker.ask(DeleteSubscriptionGroup.CODE, new DeleteSubscriptionGroup.Request(GROUP, true));

        for (CompletableFuture<Reply> each : waiting) {
            assertThat(RunningBroker.get(each).code()).isEqualTo(26);
        }
    }

    private List<CompletableFuture<Reply>> waiting(int count) {
        List<CompletableFuture<Reply>> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PoppingClient each = newClient();
            waiting.add(each.start(each.request(-1, 1, MINUTE, 15_000)));
        }
        await().until(() -> parked() == count);
        return waiting;
    }

    @Test
    void whatRunsOutInAQueueThatTheTopicHasNoMoreComesAgain() throws Exception {
        createTopic("Orders", 2);
        sendTo("Orders", "beyond", "", 1);
        assertThat(bodies(client.pop(1, MINUTE))).containsExactly("beyond");
        createTopic("Orders", 1);

        pass(MINUTE);
        await().until(() -> broker.maxOffset(RETRY, 0) == 1);

        assertThat(bodies(client.pop(1, MINUTE))).containsExactly("beyond");
    }

    @Test
    void whatAGroupHasLeftIsPoppedByWayOfItsTopicOnly() throws Exception {
        send("a");
        client.pop(1, 1000);
        pass(1000);
        await().until(() -> broker.maxOffset(RETRY, 0) == 1);

        PoppingClient direct = new PoppingClient(broker.anotherClient(), GROUP, RETRY);
        Reply refused = direct.ask(direct.request(-1, 1, MINUTE, 0));

        assertThat(refused.code()).isEqualTo(29);
        assertThat(refused.remark())
                .hasValue("topic=%RETRY%workers+Orders holds what consumerGroup=workers has popped of topic=Orders in"
                        + " vain: pop that topic");
        assertThat(bodies(client.pop(1, MINUTE))).containsExactly("a");
    }

    @Test
    void aDeletedTopicTakesWithItWhatWasPoppedInVain() throws Exception {
        createTopic("MoreOrders", 1);
        PoppingClient more = new PoppingClient(broker.anotherClient(), GROUP, "MoreOrders");
        send("old");
        sendTo("MoreOrders", "other", "");
        client.pop(1, MINUTE);
        more.pop(1, MINUTE);
        pass(MINUTE);
        await().until(() -> broker.maxOffset(RETRY, 0) == 1 && broker.maxOffset("%RETRY%workers+MoreOrders", 0) == 1);

        broker.ask(DeleteTopicInBroker.CODE, new DeleteTopicInBroker.Request("Orders"));
        assertThat(broker.maxOffset(RETRY, 0)).isEqualTo(-1);
        createTopic("Orders", 1);
        send("new");

        assertThat(bodies(client.pop(32, MINUTE))).containsExactly("new");
        assertThat(bodies(more.pop(32, MINUTE))).containsExactly("other");
    }

    @Test
    void inOrderAQueueIsOutWithOneMemberAtATime() throws Exception {
        send("a", "b", "c");

        List<Popped> first = client.pop(client.ordered(2, MINUTE, "one"));
        assertThat(bodies(first)).containsExactly("a", "b");
        assertThat(first.get(0).handle().reviveQid()).isEqualTo(999);
        assertThat(newClient().pop(client.ordered(2, MINUTE, "two"))).isEmpty();
        assertThat(bodies(client.pop(client.ordered(2, MINUTE, "one")))).containsExactly("a", "b");
        List<Popped> again = client.pop(client.ordered(2, MINUTE, "one"));
        assertThat(again.get(0).deliveredBefore()).isZero();
        assertThat(client.ack(again.get(0))).isZero();
        assertThat(client.pop(client.ordered(2, MINUTE, "two"))).isEmpty();
        assertThat(client.ack(again.get(1))).isZero();

        assertThat(bodies(client.pop(client.ordered(2, MINUTE, "two")))).containsExactly("c");
    }

    @Test
    void inOrderWhatIsLeftComesAgainBeforeAnythingElse() throws Exception {
        send("a", "b", "c");
        List<Popped> first = client.pop(client.ordered(2, MINUTE, "one"));
        assertThat(client.ack(first.get(1))).isZero();

        pass(MINUTE);
        List<Popped> again = newClient().pop(client.ordered(2, MINUTE, "two"));

        assertThat(bodies(again)).containsExactly("a");
        assertThat(again.get(0).deliveredBefore()).isEqualTo(1);
        assertThat(client.ack(first.get(0))).isEqualTo(208);
        assertThat(client.ack(again.get(0))).isZero();
        assertThat(bodies(client.pop(client.ordered(2, MINUTE, "")))).containsExactly("c");
        assertThat(broker.maxOffset(RETRY, 0)).isEqualTo(-1);
    }

    @Test
    void inOrderAHopelessMessageDoesNotHoldUpItsQueueForEver() throws Exception {
        send("poison", "next");
        for (int tries = 0; tries <= 16; tries++) {
            List<Popped> popped = client.pop(client.ordered(1, 1000, ""));
            assertThat(bodies(popped)).as("try %d", tries).containsExactly("poison");
            assertThat(popped.get(0).deliveredBefore()).isEqualTo(tries);
            pass(1000);
        }

        await().until(() -> broker.maxOffset(DEAD, 0) == 1);
        assertThat(bodies(client.pop(client.ordered(1, 1000, "")))).containsExactly("next");
    }

    @Test
    void inOrderAWaitingPopIsWokenWhenTheQueueIsFree() throws Exception {
        send("a", "b");
        Popped first = client.pop(client.ordered(1, MINUTE, "one")).get(0);
        PoppingClient other = newClient();
        PopMessage.Request patient =
                new PopMessage.Request(GROUP, "Orders", -1, 1, MINUTE, 15_000, 0, 0, "TAG", "*", true, "two");
        CompletableFuture<Reply> waiting = other.start(patient);
        await().until(() -> parked() == 1);

        assertThat(client.ack(first)).isZero();

        assertThat(bodies(PoppingClient.messages(RunningBroker.get(waiting)))).containsExactly("b");
    }

    @Test
    void aClientIsNotifiedOfMessages() throws Exception {
        Notification.Request now = new Notification.Request(GROUP, "Orders", -1, 0, 0, false, "");
        Notification.Request patient = new Notification.Request(GROUP, "Orders", -1, 15_000, 0, false, "");
        assertThat(notified(broker.ask(Notification.CODE, now))).isFalse();
        CompletableFuture<Reply> waiting = broker.call(Notification.CODE, patient, Unpooled.EMPTY_BUFFER);
        await().until(() -> parked() == 1);
        assertThat(PollingInfo.Response.decode(
                                broker.ask(PollingInfo.CODE, new PollingInfo.Request(GROUP, "Orders", -1))
                                        .header())
                        .pollingNum())
                .isEqualTo(1);

        send("a");

        assertThat(notified(RunningBroker.get(waiting))).isTrue();
        assertThat(notified(broker.ask(Notification.CODE, now))).isTrue();
    }

    @Test
    void askingForAGroupThatNobodyKnowsFindsNobodyWaiting() throws Exception {
        assertThat(PollingInfo.Response.decode(
                                broker.ask(PollingInfo.CODE, new PollingInfo.Request("nobody", "Orders", -1))
                                        .header())
                        .pollingNum())
                .isZero();
        send("a");
        assertThat(notified(broker.ask(
                        Notification.CODE, new Notification.Request("nobody", "Orders", -1, 0, 0, false, ""))))
                .isTrue();
    }

    @Test
    void aDeletedGroupLosesItsLeasesAndWhoWaitsIsTold() throws Exception {
        send("a");
        Popped old = client.pop(1, MINUTE).get(0);
        CompletableFuture<Reply> waiting = client.start(client.request(-1, 1, MINUTE, 15_000));
        await().until(() -> parked() == 1);

        broker.ask(DeleteSubscriptionGroup.CODE, new DeleteSubscriptionGroup.Request(GROUP, true));

        assertThat(RunningBroker.get(waiting).code()).isEqualTo(26);
        assertThat(client.ack(old)).isEqualTo(208);
        assertThat(bodies(newClient().pop(1, MINUTE))).containsExactly("a");
    }

    @Test
    void aMessageThatWasLeftInAnOldRetryTopicIsPoppedToo() throws Exception {
        createTopic("%RETRY%workers_Orders", 1);
        new PoppingClient(broker.anotherClient(), "workers_Orders", "Orders").pop(1, MINUTE); // a group of that name
        sendTo("%RETRY%workers_Orders", "old", "");

        Popped popped = client.pop(1, MINUTE).get(0);

        assertThat(popped.body()).isEqualTo("old");
        assertThat(popped.handle().mark()).isEqualTo(1);
        assertThat(client.ack(popped)).isZero();
        assertThat(client.pop(1, MINUTE)).isEmpty();
    }

    @Test
    void wrongPopsAreRefusedWithTheCodeAndTheReason() throws Exception {
        assertRefused(client.request(-1, 33, MINUTE, 0), 29, "maxMsgNums=33 is not in [1,32]");
        assertRefused(client.request(5, 1, MINUTE, 0), 29, "queueId=5 is not in [-1,1) of topic=Orders");
        assertRefused(client.request(-1, 1, -1, 0), 29, "invisibleTime=-1 is not in [0,86400000] ms");
        assertRefused(client.ordered(1, MINUTE, "x".repeat(256)), 29, "attemptId has 256 bytes, allowed 255");
        PoppingClient lost = new PoppingClient(broker.anotherClient(), GROUP, "Nowhere");
        assertThat(lost.ask(lost.request(-1, 1, MINUTE, 0)).code()).isEqualTo(17);
        send("a");
        PopHandle real = client.pop(1, MINUTE).get(0).handle();
        PopHandle forged = new PopHandle(0, real.popTime() + 7, MINUTE, 0, 0, "broker-a", 0, 5);
        assertThat(client.ack(forged)).isEqualTo(208);
        assertThat(client.ack(real)).isZero();
    }

    private void assertRefused(PopMessage.Request request, int code, String remark) throws Exception {
        Reply reply = client.ask(request);
        assertThat(reply.remark()).hasValue(remark);
        assertThat(reply.code()).isEqualTo(code);
    }

    private static boolean notified(Reply reply) {
        return Notification.Response.decode(reply.header()).hasMsg();
    }

    private int parked() {
        return broker.broker.consumption().parkedPops();
    }

    /** Lets time pass in steps, as the look for what has run out goes on beside. */
    private void pass(long millis) {
        broker.time.advance(Duration.ofMillis(millis));
        broker.time.advance(Duration.ofMillis(500));
    }

    private void restart() throws Exception {
        long now = broker.time.wallMillis();
        broker.close();
        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(now));
        client = newClient();
    }

    private PoppingClient newClient() {
        return new PoppingClient(broker.anotherClient(), GROUP, "Orders");
    }

    private long committed() throws Exception {
        Reply reply = broker.ask(QueryConsumerOffset.CODE, new QueryConsumerOffset.Request(GROUP, "Orders", 0, false));
        return reply.code() == 0
                ? QueryConsumerOffset.Response.decode(reply.header()).offset()
                : -1;
    }

    private void commit(long offset) throws Exception {
        assertThat(broker.ask(UpdateConsumerOffset.CODE, new UpdateConsumerOffset.Request(GROUP, "Orders", 0, offset))
                        .code())
                .isZero();
    }

    private MessageView firstMessage(String topic) throws Exception {
        Reply reply = broker.ask(
                PullMessage.CODE, new PullMessage.Request("readers", topic, 0, 0, 1, 4, 0, 0, "*", 0, "TAG", -1));
        assertThat(reply.code()).isZero();
        return new MessageView().wrap(ByteBuffer.wrap(reply.body()), 0);
    }

    private void createTopic(String name, int queues) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request(name, "TBW102", queues, queues, 6, "SINGLE_TAG", 0, false, "", false);
        assertThat(broker.ask(CreateTopic.CODE, request).code()).isZero();
    }

    private void send(String... bodies) throws Exception {
        for (String body : bodies) {
            sendTo("Orders", body, "");
        }
    }

    private void sendTo(String topic, String body, String tag) throws Exception {
        sendTo(topic, body, tag, 0);
    }

    private void sendTo(String topic, String body, String tag, int queueId) throws Exception {
        byte[] properties =
                tag.isEmpty() ? new byte[0] : ("TAGS\u0001" + tag + "\u0002").getBytes(StandardCharsets.UTF_8);
        broker.stored(
                new SendMessage.Request("p", topic, "TBW102", 4, queueId, 0, 77, 0, properties, 0, false, false, -1),
                body);
    }
}
