package io.anser.interop;

import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.RequestTimeoutException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.utils.MessageUtil;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

class RequestReplyTest extends AgainstServer {
    @Test
    void aReplyComesToWhoAskedAndToNobodyElse() throws Exception {
        String topic = clients.topic(2);
        DefaultMQProducer replier = clients.producer();
        DefaultMQPushConsumer consumer = clients.pushConsumer(unique("repliers"));
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            for (MessageExt each : messages) {
                try {
                    replier.send(MessageUtil.createReplyMessage(each, ("re: " + Clients.body(each)).getBytes(UTF_8)));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();

        DefaultMQProducer one = clients.producer();
        DefaultMQProducer two = clients.producer();
        for (int i = 0; i < 5; i++) {
            assertThat(text(one.request(message(topic, "one " + i), 20_000))).isEqualTo("re: one " + i);
            assertThat(text(two.request(message(topic, "two " + i), 20_000))).isEqualTo("re: two " + i);
        }
    }

    @Test
    void aRequestThatNobodyAnswersTimesOut() throws Exception {
        String topic = clients.topic(1);
        DefaultMQProducer producer = clients.producer();

        assertThatThrownBy(() -> producer.request(message(topic, "anybody?"), 1_000))
                .isInstanceOf(RequestTimeoutException.class);
    }

    private static String text(Message message) {
        return new String(message.getBody(), UTF_8);
    }
}
