package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.broker.config.ChangeableSettings;
import io.anser.broker.testing.WireMessages;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.GetBrokerRuntimeInfo;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.store.StoreSettings;
import io.anser.store.log.AppendSettings;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole broker on a device that stops flushing, and whose log takes 16 sends. */
class OverloadTest {
    private RunningBroker broker;
    private StallingDevice device;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        StoreSettings settings = StoreSettings.defaults()
                .withDirectory(directory)
                .withSegmentBytes(16 << 20)
                .withAppends(new AppendSettings(17 << 20, 16, 1 << 20));
        broker = new RunningBroker(
                settings,
                storage -> {
                    device = new StallingDevice(storage);
                    return device;
                },
                BrokerSettings.defaults(),
                ChangeableSettings.NONE,
                new VirtualTime(1_000_000));
        broker.stored(request("T", ""), "first");
    }

    @AfterEach
    void close() {
        device.goOn();
        broker.close();
    }

    private static CompletableFuture<Reply> send(BrokerClient client, String body) {
        return client.call(SendMessageV2.CODE, new SendMessageV2.Request(request("T", "")), body.getBytes(UTF_8));
    }

    private static List<CompletableFuture<Reply>> sendForty(BrokerClient sender) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            replies.add(send(sender, "m" + i));
        }
        return replies;
    }

    private void awaitWaiting(int appends) {
        await().until(() -> broker.figures().get("appendsWaiting").equals(Integer.toString(appends)));
    }

    @Test
    void aHandfulOfSendersWaitsForADeviceThatTakesThreeSecondsAndIsNotRefused() throws Exception {
        List<BrokerClient> senders = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            senders.add(broker.anotherClient());
        }
        for (int round = 0; round < 3; round++) {
            device.stall();
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (BrokerClient sender : senders) {
                replies.add(send(sender, "m"));
            }
            awaitWaiting(5);
            broker.time.advance(Duration.ofSeconds(3));
            assertThat(replies).noneMatch(CompletableFuture::isDone);
            device.goOn();
            for (CompletableFuture<Reply> reply : replies) {
                assertThat(RunningBroker.get(reply).code()).isZero();
            }
        }

        assertThat(broker.maxOffset("T", 0)).isEqualTo(16);
        assertThat(broker.figures()).containsEntry("sendsHeld", "0").containsEntry("sendsRefused", "0");
    }

    @Test
    void aFloodIsHeldBackThenRefusedWithTheCauseWhileMemoryIsBounded() throws Exception {
        device.stall();
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        List<BrokerClient> senders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            senders.add(broker.anotherClient());
        }
        for (int i = 0; i < 400; i++) {
            replies.add(send(senders.get(i % 4), "m" + i));
        }
        awaitWaiting(14);
        assertThat(replies).as("none is refused before it has waited").noneMatch(CompletableFuture::isDone);

        for (int i = 0; i < 200 && broker.time.nanos() < Duration.ofSeconds(2).toNanos(); i++) {
            broker.time.advance(Duration.ofMillis(10));
            broker.figures();
        }
        await().until(() -> replies.stream().filter(CompletableFuture::isDone).count() == 386);

        assertThat(broker.figures()).containsEntry("appendsWaiting", "14");
        assertThat(replies.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
                .allSatisfy(refused -> {
                    assertThat(refused.code()).isEqualTo(2);
                    assertThat(refused.remark().orElse(""))
                            .matches("the device takes [1-9][0-9,]* ms to flush; appends waiting=14 limit=16"
                                    + " bytes=[0-9]+ limit=1048576; waited [0-9]+ ms");
                });

        device.goOn();
        for (CompletableFuture<Reply> reply : replies) {
            assertThat(RunningBroker.get(reply).code()).isIn(0, 2);
        }
        long stored = replies.stream().filter(reply -> reply.join().code() == 0).count();
        assertThat(stored).isEqualTo(14);
        assertThat(broker.maxOffset("T", 0)).isEqualTo(15);
    }

    @Test
    void ofLargeSendsOnlyThirtyTwoMebibytesAreKeptWhileTheyWait() throws Exception {
        device.stall();
        List<BrokerClient> senders = List.of(broker.anotherClient(), broker.anotherClient());
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        byte[] body = new byte[4 << 20];
        for (int i = 0; i < 14; i++) {
            replies.add(senders.get(i % 2).call(SendMessageV2.CODE, new SendMessageV2.Request(request("T", "")), body));
        }
        // One is alone in the log. Of the others eight are kept, and all wait.
        for (BrokerClient sender : senders) {
            // Requests of one connection are read in order: all its sends have come.
            assertThat(sender.ask(GetBrokerRuntimeInfo.CODE, FieldSource.NONE, new byte[0])
                            .code())
                    .isZero();
        }
        assertThat(broker.figures()).containsEntry("sendsHeld", "8");
        assertThat(replies).noneMatch(CompletableFuture::isDone);
        for (int i = 0;
                i < 300 && replies.stream().filter(CompletableFuture::isDone).count() < 13;
                i++) {
            broker.time.advance(Duration.ofMillis(10));
            broker.figures();
        }

        await().until(() -> replies.stream().filter(CompletableFuture::isDone).count() == 13);
        assertThat(broker.figures()).containsEntry("sendsHeld", "8").containsEntry("sendsRefused", "13");
    }

    @Test
    void aSendThatIsHeldGoesOnWhenTheDeviceDoesAndInItsOrder() throws Exception {
        device.stall();
        BrokerClient sender = broker.anotherClient();
        List<CompletableFuture<Reply>> replies = sendForty(sender);
        awaitWaiting(14);
        broker.time.advance(Duration.ofMillis(300));
        device.goOn();
        for (int i = 0; i < 100 && !replies.get(39).isDone(); i++) {
            awaitWaiting(0);
            broker.time.advance(Duration.ofMillis(5));
            broker.figures();
        }
        for (CompletableFuture<Reply> reply : replies) {
            assertThat(RunningBroker.get(reply).code()).isZero();
        }

        List<String> sent = new ArrayList<>(List.of("first"));
        for (int i = 0; i < 40; i++) {
            sent.add("m" + i);
        }
        assertThat(bodies()).isEqualTo(sent);
        assertThat(Long.parseLong(broker.figures().get("sendsHeld"))).isPositive();
    }

    private List<String> bodies() throws Exception {
        PullMessage.Request pull = new PullMessage.Request("g", "T", 0, 0, 100, 4, 0, 15_000, "*", 0, "TAG", -1);
        return WireMessages.bodies(broker.ask(PullMessage.CODE, pull).body());
    }

    @Test
    void stateChangesGoOnWhileMessagesFillTheLog() throws Exception {
        device.stall();
        BrokerClient sender = broker.anotherClient();
        List<CompletableFuture<Reply>> replies = sendForty(sender);
        awaitWaiting(14);
        SubscriptionGroupConfig newGroup = SubscriptionGroupConfig.defaults("new-group");
        CompletableFuture<Reply> group =
                broker.call(CreateSubscriptionGroup.CODE, FieldSource.NONE, Unpooled.wrappedBuffer(newGroup.write()));
        awaitWaiting(15);
        device.goOn();

        assertThat(RunningBroker.get(group).code()).isZero();
        assertThat(replies).hasSize(40);
    }

    @Test
    void aClientThatLeavesWhileItsSendIsHeldLeavesNothingBehind() throws Exception {
        device.stall();
        BrokerClient sender = broker.anotherClient();
        List<CompletableFuture<Reply>> replies = sendForty(sender);
        awaitWaiting(14);
        sender.close();
        broker.time.advance(Duration.ofSeconds(2));
        await().until(() -> broker.connections() == 1);
        device.goOn();

        awaitWaiting(0);
        assertThat(replies).allMatch(CompletableFuture::isDone);
        assertThat(broker.stored(request("T", ""), "next").queueOffset()).isEqualTo(15);
    }
}
