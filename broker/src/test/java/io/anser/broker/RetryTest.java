package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a message that always fails, from its first delivery to the dead letters. */
class RetryTest {
    private static final String RETRIES = "%RETRY%g";
    private static final String DEAD = "%DLQ%g";
    private static final int[] STEPS = {10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200
    };

    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void sixteenRetriesWithGrowingWaitsAndThenDeadAtOnce() throws Exception {
        createGroup("{\"groupName\":\"g\"}");
        long position = store("poison");
        for (int tries = 0; tries < STEPS.length; tries++) {
            position = failAndWait(position, tries, STEPS[tries] * 1000L);
        }

        assertThat(sendBack(position).code()).isZero();

        assertDead("poison", 17);
    }

    @Test
    void aGroupMayHaveFewerRetriesAndWaitsOfItsOwn() throws Exception {
        createGroup("{\"groupName\":\"g\",\"retryMaxTimes\":3,\"groupRetryPolicy\":{\"type\":\"EXPONENTIAL\","
                + "\"exponentialRetryPolicy\":{\"initial\":1500,\"max\":4000,\"multiplier\":2}}}");
        long position = store("poison");
        position = failAndWait(position, 0, 1_500);
        position = failAndWait(position, 1, 3_000);
        position = failAndWait(position, 2, 4_000);

        assertThat(sendBack(position).code()).isZero();

        assertDead("poison", 4);
    }

    @Test
    void aGroupMayRetryAtOnce() throws Exception {
        createGroup("{\"groupName\":\"g\",\"groupRetryPolicy\":{\"customizedRetryPolicy\":{\"next\":[0]}}}");

        assertThat(sendBack(store("again")).code()).isZero();

        assertThat(broker.maxOffset(RETRIES, 0)).isEqualTo(1);
        assertThat(message(RETRIES, 0).reconsumeTimes()).isEqualTo(1);
    }

    @Test
    void whoPutsAMessageBackItselfGetsAsManyRetries() throws Exception {
        createGroup("{\"groupName\":\"g\",\"retryMaxTimes\":1}");

        broker.stored(putBack(1, 3), "failed once");
        pass(Duration.ofSeconds(10));
        await().until(() -> broker.maxOffset(RETRIES, 0) == 1);
        assertThat(broker.maxOffset(DEAD, 0)).isEqualTo(-1);

        broker.stored(putBack(2, 4), "failed twice");
        assertDead("failed twice", 2);
    }

    /** An ordered consumer of 4.x does not count the last failure. */
    @Test
    void whatFailedInOrderIsDeadAtOnce() throws Exception {
        createGroup("{\"groupName\":\"g\",\"retryMaxTimes\":1}");

        broker.stored(putBack(1, 4), "failed in order");

        assertDead("failed in order", 1);
    }

    private static SendMessage.Request putBack(int reconsumeTimes, int level) {
        byte[] properties = ("RETRY_TOPIC\u0001T\u0002DELAY\u0001" + level + "\u0002").getBytes(UTF_8);
        return new SendMessage.Request(
                "inner", RETRIES, "TBW102", 4, 0, 0, 77, 5, properties, reconsumeTimes, false, false, 1);
    }

    private long store(String body) throws Exception {
        return OffsetMessageId.decode(broker.stored(request("T", ""), body).msgId())
                .physicalOffset();
    }

    /** Lets a delivery fail, and returns where the next one lies, which must come after exactly this wait. */
    private long failAndWait(long position, int tries, long waitMillis) throws Exception {
        assertThat(sendBack(position).code()).isZero();
        pass(Duration.ofMillis(waitMillis - 1));
        assertThat(broker.maxOffset(RETRIES, 0))
                .as("before retry %d", tries + 1)
                .isIn(-1L, 0L, (long) tries);
        pass(Duration.ofMillis(1));
        await().until(() -> broker.maxOffset(RETRIES, 0) == tries + 1);
        MessageView retry = message(RETRIES, tries);
        assertThat(retry.reconsumeTimes()).isEqualTo(tries + 1);
        return retry.physicalOffset();
    }

    private void assertDead(String body, int reconsumeTimes) throws Exception {
        assertThat(broker.maxOffset(DEAD, 0)).isEqualTo(1);
        MessageView dead = message(DEAD, 0);
        assertThat(UTF_8.decode(dead.body()).toString()).isEqualTo(body);
        assertThat(dead.reconsumeTimes()).isEqualTo(reconsumeTimes);
        assertThat(dead.property("DLQ_ORIGIN_TOPIC")).contains("T");
    }

    private Reply sendBack(long position) throws Exception {
        return broker.ask(
                ConsumerSendMessageBack.CODE,
                new ConsumerSendMessageBack.Request(position, "g", 0, "", "T", false, -1));
    }

    private void createGroup(String json) throws Exception {
        Reply reply = RunningBroker.get(
                broker.call(CreateSubscriptionGroup.CODE, FieldSource.NONE, Unpooled.copiedBuffer(json, UTF_8)));
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
    }

    private MessageView message(String topic, long offset) throws Exception {
        PullMessage.Request request =
                new PullMessage.Request("reader", topic, 0, offset, 1, 4, 0, 0, "*", 0, "TAG", 1 << 20);
        Reply reply = broker.ask(PullMessage.CODE, request);
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        return new MessageView().wrap(ByteBuffer.wrap(reply.body()), 0);
    }

    /** Connections that were idle for so long are closed. */
    private void pass(Duration time) {
        broker.time.advance(time);
        await().ignoreExceptions().until(() -> broker.maxOffset("TBW102", 0) == 0);
    }
}
