package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.MessageSelector;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

class SqlFilterTest extends AgainstServer {
    /** Twenty messages with a number; every fifth has no color. The last one is for everybody. */
    private void send(String topic) throws Exception {
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < 20; i++) {
            Message message = message(topic, "m" + i);
            message.setTags("T" + i % 2);
            message.putUserProperty("n", String.valueOf(i));
            if (i % 5 != 0) {
                message.putUserProperty("color", i % 2 == 0 ? "red" : "dark blue");
            }
            producer.send(message);
        }
        Message last = message(topic, "last");
        last.putUserProperty("last", "true");
        producer.send(last);
    }

    private List<MessageExt> collect(String topic, String expression) throws Exception {
        List<MessageExt> received = list();
        consumer(topic, expression, received).start();
        return received;
    }

    private DefaultMQPushConsumer consumer(String topic, String expression, List<MessageExt> into) throws Exception {
        DefaultMQPushConsumer consumer = clients.pushConsumer(unique("group"));
        consumer.subscribe(topic, MessageSelector.bySql(expression));
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            into.addAll(messages);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        return consumer;
    }

    @Test
    void expressionsGiveExactlyTheMatchingMessages() throws Exception {
        Map<String, Set<String>> wanted = Map.of(
                "n > 15 AND color = 'red'", Set.of("m16", "m18"),
                "n BETWEEN 3 AND 5", Set.of("m3", "m4", "m5"),
                "color IS NULL AND n IS NOT NULL", Set.of("m0", "m5", "m10", "m15"),
                "(color IN ('dark blue') AND n <= 3) OR TAGS = 'T1' AND n >= 19", Set.of("m1", "m3", "m19"),
                "color CONTAINS 'k b' AND NOT (n < 17)", Set.of("m17", "m19"));
        String topic = clients.topic(1);
        send(topic);

        for (Map.Entry<String, Set<String>> entry : wanted.entrySet()) {
            // The queue is read in its order, so all that matched is there when the last message is.
            List<MessageExt> received = collect(topic, "last = TRUE OR (" + entry.getKey() + ")");
            awaitSize(received, entry.getValue().size() + 1);

            assertThat(received).hasSize(entry.getValue().size() + 1);
            assertThat(bodies(received)).containsAll(entry.getValue()).contains("last");
        }
    }

    @Test
    void messagesThatComeLaterAreChosenToo() throws Exception {
        String topic = clients.topic(1);
        List<MessageExt> received = collect(topic, "last = TRUE OR n IN ('3', '17')");

        send(topic);

        awaitSize(received, 3);
        assertThat(bodies(received)).containsExactlyInAnyOrder("m3", "m17", "last");
    }

    @Test
    void malformedExpressionKeepsTheConsumerFromStartingAndNamesThePlace() throws Exception {
        DefaultMQPushConsumer consumer = consumer(clients.topic(1), "a > AND b", list());

        assertThatThrownBy(consumer::start)
                .isInstanceOf(MQClientException.class)
                .hasStackTraceContaining("SQL92 expression, character 5: expected a property");
    }
}
