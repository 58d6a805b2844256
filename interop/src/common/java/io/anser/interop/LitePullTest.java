package io.anser.interop;

import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.numbered;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

class LitePullTest extends AgainstServer {
    @Test
    void aSubscribedConsumerGetsEverythingAndGoesOnWhereItStopped() throws Exception {
        String topic = clients.topic(2);
        String group = unique("group");
        send(topic, "a", 20);
        DefaultLitePullConsumer first = clients.litePullConsumer(group);
        first.subscribe(topic, "*");
        first.start();
        assertThat(bodies(poll(first, 20))).isEqualTo(numbered("a", 20));
        first.commitSync();
        first.shutdown();

        send(topic, "b", 20);
        DefaultLitePullConsumer second = clients.litePullConsumer(group);
        second.subscribe(topic, "*");
        second.start();

        assertThat(bodies(poll(second, 20))).isEqualTo(numbered("b", 20));
    }

    @Test
    void anAssignedConsumerReadsFromWhereItSeeks() throws Exception {
        String topic = clients.topic(1);
        MessageQueue queue = new MessageQueue(topic, Clients.BROKER, 0);
        send(topic, "m", 20);
        DefaultLitePullConsumer consumer = clients.litePullConsumer(unique("group"));
        consumer.setAutoCommit(false);
        consumer.start();
        consumer.assign(List.of(queue));
        consumer.seek(queue, 15);

        assertThat(poll(consumer, 5)).extracting(MessageExt::getQueueOffset).containsExactly(15L, 16L, 17L, 18L, 19L);
        consumer.seekToBegin(queue);
        assertThat(bodies(poll(consumer, 20))).isEqualTo(numbered("m", 20));
    }

    private void send(String topic, String prefix, int count) throws Exception {
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < count; i++) {
            producer.send(message(topic, prefix + i));
        }
    }

    private static List<MessageExt> poll(DefaultLitePullConsumer consumer, int count) {
        List<MessageExt> received = list();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            received.addAll(consumer.poll(200));
            return received.size() >= count;
        });
        return received;
    }
}
