package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.CreateSubscriptionGroup;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.system.VirtualTime;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelayedDeliveryTest {
    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
        createTopic("T");
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void aDelayedMessageAppearsWhenItIsDueAndNotBefore() throws Exception {
        SendMessage.Response answer =
                broker.stored(request("T", "DELAY\u00011\u0002UNIQ_KEY\u0001u\u0002TAGS\u0001x\u0002"), "late");
        assertThat(answer.queueId()).isZero();

        pass(999);
        assertThat(broker.maxOffset("T", 0)).isZero();
        pass(1);
        await().until(() -> broker.maxOffset("T", 0) == 1);

        MessageView message = onlyMessage("T");
        assertThat(UTF_8.decode(message.body()).toString()).isEqualTo("late");
        assertThat(new String(message.properties(), UTF_8))
                .isEqualTo("UNIQ_KEY\u0001u\u0002TAGS\u0001x\u0002MSG_REGION\u0001DefaultRegion\u0002");
        assertThat(message.bornTimestamp()).isEqualTo(77);
    }

    @Test
    void anEarlierMessageDoesNotWaitForALaterOne() throws Exception {
        broker.stored(request("T", "DELAY\u00013\u0002"), "in ten seconds");
        broker.stored(request("T", "TIMER_DELAY_MS\u0001300\u0002"), "soon");

        pass(300);

        await().until(() -> broker.maxOffset("T", 0) == 1);
        assertThat(UTF_8.decode(onlyMessage("T").body()).toString()).isEqualTo("soon");
    }

    @Test
    void whatFellDueWhileTheBrokerWasAwayIsDeliveredOnce() throws Exception {
        broker.stored(request("T", "DELAY\u00011\u0002"), "one");
        broker.stored(request("T", "DELAY\u00012\u0002"), "five");
        pass(1000);
        await().until(() -> broker.maxOffset("T", 0) == 1);
        broker.close();

        broker = new RunningBroker(directory, BrokerSettings.defaults(), new VirtualTime(1_010_000));

        await().until(() -> broker.maxOffset("T", 0) == 2);
        pass(60_000);
        assertThat(broker.stored(request("T", ""), "next").queueOffset()).isEqualTo(2);
    }

    @Test
    void manyMessagesDueAtOnceAreAllDelivered() throws Exception {
        int count = 1500;
        for (int i = 0; i < count; i++) {
            broker.sendLater(request("T", "DELAY\u00011\u0002"), Unpooled.copiedBuffer("m", UTF_8));
        }
        await().until(() -> broker.maxOffset("SCHEDULE_TOPIC_XXXX", 0) == count);

        pass(1000);

        await().until(() -> broker.maxOffset("T", 0) == count);
    }

    @Test
    void aMessageSentBackComesToTheRetryTopicAndThenToTheDeadLetters() throws Exception {
        createGroup("g");
        String id =
                broker.stored(request("T", "UNIQ_KEY\u0001u\u0002"), "poison").msgId();

        assertThat(sendBack(id, 1).code()).isZero();
        pass(10_000);
        await().until(() -> broker.maxOffset("%RETRY%g", 0) == 1);
        MessageView retry = onlyMessage("%RETRY%g");
        assertThat(retry.reconsumeTimes()).isEqualTo(1);
        assertThat(retry.property("RETRY_TOPIC")).contains("T");
        assertThat(retry.property("ORIGIN_MESSAGE_ID")).contains(id);
        assertThat(retry.property("UNIQ_KEY")).contains("u");
        assertThat(retry.property("DELAY")).isEmpty();

        assertThat(sendBack(retry.physicalOffset(), 1).code()).isZero();
        assertThat(broker.maxOffset("%DLQ%g", 0)).isEqualTo(1);
        MessageView dead = onlyMessage("%DLQ%g");
        assertThat(UTF_8.decode(dead.body()).toString()).isEqualTo("poison");
        assertThat(dead.property("DLQ_ORIGIN_TOPIC")).contains("T");
        assertThat(dead.property("DLQ_ORIGIN_MESSAGE_ID")).contains(id);
    }

    @Test
    void aMessageSentBackByAnUnknownGroupOrFromNowhereIsRefused() throws Exception {
        String id = broker.stored(request("T", ""), "m").msgId();
        assertThat(sendBack(id, 1).code()).isEqualTo(26);

        createGroup("g");
        Reply reply = sendBack(OffsetMessageId.decode(id).physicalOffset() + 1, 1);

        assertThat(reply.code()).isEqualTo(1);
        assertThat(reply.remark())
                .contains("offset=" + (OffsetMessageId.decode(id).physicalOffset() + 1) + " is not that of a message");
    }

    private Reply sendBack(String messageId, int maxReconsumeTimes) throws Exception {
        return sendBack(OffsetMessageId.decode(messageId).physicalOffset(), maxReconsumeTimes);
    }

    private Reply sendBack(long position, int maxReconsumeTimes) throws Exception {
        return broker.ask(
                ConsumerSendMessageBack.CODE,
                new ConsumerSendMessageBack.Request(position, "g", 0, "", "T", false, maxReconsumeTimes));
    }

    private void createTopic(String name) throws Exception {
        CreateTopic.Request request =
                new CreateTopic.Request(name, "TBW102", 4, 4, 6, "SINGLE_TAG", 0, false, "", false);
        assertThat(broker.ask(CreateTopic.CODE, request).code()).isZero();
    }

    private void createGroup(String name) throws Exception {
        byte[] body = SubscriptionGroupConfig.defaults(name).write();
        Reply reply = RunningBroker.get(
                broker.call(CreateSubscriptionGroup.CODE, FieldSource.NONE, Unpooled.wrappedBuffer(body)));
        assertThat(reply.code()).isZero();
    }

    private MessageView onlyMessage(String topic) throws Exception {
        PullMessage.Request request =
                new PullMessage.Request("reader", topic, 0, 0, 1, 4, 0, 0, "*", 0, "TAG", 1 << 20);
        Reply reply = broker.ask(PullMessage.CODE, request);
        assertThat(reply.code()).isZero();
        return new MessageView().wrap(ByteBuffer.wrap(reply.body()), 0);
    }

    private void pass(long millis) {
        broker.time.advance(Duration.ofMillis(millis));
    }
}
