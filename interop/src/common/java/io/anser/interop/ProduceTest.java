package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.body;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.numbered;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

class ProduceTest extends AgainstServer {
    @Test
    void syncSendCountsQueueOffsetsFromZero() throws Exception {
        String topic = clients.topic(1);
        DefaultMQProducer producer = clients.producer();

        for (long expected = 0; expected < 5; expected++) {
            SendResult result = producer.send(message(topic, "m" + expected));

            assertThat(result.getSendStatus()).isEqualTo(SendStatus.SEND_OK);
            assertThat(result.getQueueOffset()).isEqualTo(expected);
            assertThat(result.getMessageQueue()).isEqualTo(new MessageQueue(topic, Clients.BROKER, 0));
            assertThat(result.getOffsetMsgId()).hasSize(32);
        }
    }

    @Test
    void asyncSendsCallBackOnceEach() throws Exception {
        String topic = clients.topic(4);
        DefaultMQProducer producer = clients.producer();
        List<SendResult> accepted = list();
        List<Throwable> failed = list();

        for (int i = 0; i < 200; i++) {
            producer.send(message(topic, "m" + i), new SendCallback() {
                @Override
                public void onSuccess(SendResult result) {
                    accepted.add(result);
                }

                @Override
                public void onException(Throwable cause) {
                    failed.add(cause);
                }
            });
        }

        awaitSize(accepted, 200);
        assertThat(failed).isEmpty();
        assertThat(accepted).extracting(SendResult::getOffsetMsgId).doesNotHaveDuplicates();
    }

    @Test
    void oneWaySendsAreStored() throws Exception {
        String topic = clients.topic(2);
        DefaultMQProducer producer = clients.producer();
        List<MessageExt> received = list();

        for (int i = 0; i < 50; i++) {
            producer.sendOneway(message(topic, "m" + i));
        }
        clients.collect(unique("group"), topic, "*", received);

        awaitSize(received, 50);
        assertThat(bodies(received)).isEqualTo(numbered("m", 50));
    }

    @Test
    void batchTakesConsecutiveOffsetsOfOneQueue() throws Exception {
        String topic = clients.topic(1);
        DefaultMQProducer producer = clients.producer();
        List<Message> batch = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            batch.add(message(topic, "m" + i));
        }

        SendResult first = producer.send(batch);
        SendResult after = producer.send(message(topic, "after"));

        assertThat(first.getQueueOffset()).isZero();
        assertThat(first.getOffsetMsgId().split(",")).hasSize(32);
        assertThat(after.getQueueOffset()).isEqualTo(32);
        List<MessageExt> received = list();
        clients.collect(unique("group"), topic, "*", received);
        awaitSize(received, 33);
        assertThat(bodies(received)).contains("m0", "m31", "after");
    }

    @Test
    void everythingTheProducerSetComesBack() throws Exception {
        String topic = clients.topic(1);
        DefaultMQProducer producer = clients.producer();
        Message sent = new Message(topic, "TagÄ", "key1 key2", "漢字 😀".getBytes(StandardCharsets.UTF_8));
        sent.setFlag(77);
        sent.putUserProperty("名", "值 = with & signs");
        List<MessageExt> received = list();

        SendResult result = producer.send(sent);
        clients.collect(unique("group"), topic, "*", received);

        awaitSize(received, 1);
        MessageExt message = received.get(0);
        assertThat(body(message)).isEqualTo("漢字 😀");
        assertThat(message.getTags()).isEqualTo("TagÄ");
        assertThat(message.getKeys()).isEqualTo("key1 key2");
        assertThat(message.getFlag()).isEqualTo(77);
        assertThat(message.getUserProperty("名")).isEqualTo("值 = with & signs");
        assertThat(message.getMsgId()).isEqualTo(result.getMsgId());
        assertThat(message.getReconsumeTimes()).isZero();
    }

    @Test
    void compressedBodiesComeBackWhole() throws Exception {
        String topic = clients.topic(1);
        DefaultMQProducer producer = clients.producer();
        String body = "compress me ".repeat(5_000);
        List<MessageExt> received = list();

        producer.send(message(topic, body));
        clients.collect(unique("group"), topic, "*", received);

        awaitSize(received, 1);
        assertThat(body(received.get(0))).isEqualTo(body);
        assertThat(received.get(0).getStoreSize()).isLessThan(body.length() / 4);
    }

    @Test
    void aSendToAnUnknownTopicCreatesIt() throws Exception {
        String topic = unique("new-topic");

        SendResult result = clients.producer().send(message(topic, "first"));

        assertThat(result.getSendStatus()).isEqualTo(SendStatus.SEND_OK);
        assertThat(clients.admin().examineTopicRouteInfo(topic).getQueueDatas()).hasSize(1);
    }

    @Test
    void aBodyAboveTheLimitIsRefusedWithItsSizeAndTheLimit() throws Exception {
        String topic = clients.topic(1);
        DefaultMQProducer producer = new DefaultMQProducer(unique("producers"));
        producer.setNamesrvAddr(server.address());
        producer.setInstanceName(unique("producer"));
        producer.setMaxMessageSize(16 << 20);
        producer.setCompressMsgBodyOverHowmuch(64 << 20);
        producer.setRetryTimesWhenSendFailed(0);
        producer.start();
        try {
            assertThatThrownBy(() -> producer.send(new Message(topic, new byte[5 << 20]), 30_000))
                    .isInstanceOfSatisfying(MQBrokerException.class, refused -> {
                        assertThat(refused.getResponseCode()).isEqualTo(13);
                        assertThat(refused.getErrorMessage()).contains("5242880", "4194304");
                    });
            assertThat(producer.send(message(topic, "small")).getSendStatus()).isEqualTo(SendStatus.SEND_OK);
        } finally {
            producer.shutdown();
        }
    }
}
