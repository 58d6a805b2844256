package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.numbered;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

/** A deleted topic is gone, and one made anew under its name shows nothing of it. */
class DeleteTopicTest extends AgainstServer {
    @Test
    void aTopicMadeAnewHasNothingOfTheDeletedOne() throws Exception {
        String topic = clients.topic(2);
        String group = unique("group");
        List<MessageExt> old = list();
        DefaultMQPushConsumer consumer = clients.collect(group, topic, "*", old);
        send(topic, "old", 20);
        awaitSize(old, 20);
        consumer.shutdown(); // commits its offsets

        delete(topic);
        assertThatThrownBy(() -> clients.admin().examineTopicRouteInfo(topic))
                .isInstanceOfSatisfying(
                        MQClientException.class,
                        e -> assertThat(e.getResponseCode()).isEqualTo(17));
        assertThat(clients.admin().fetchAllTopicList().getTopicList()).doesNotContain(topic);

        clients.createTopic(topic, 2);
        send(topic, "new", 6);
        List<MessageExt> received = list();
        clients.collect(group, topic, "*", received);

        awaitSize(received, 6);
        assertThat(bodies(received)).isEqualTo(numbered("new", 6));
        assertThat(received).allMatch(each -> each.getQueueOffset() < 3);
    }

    @Test
    void aConsumerThatStaysConnectedReadsTheNewTopicFromItsStart() throws Exception {
        String topic = clients.topic(1);
        List<MessageExt> received = list();
        clients.collect(unique("group"), topic, "*", received);
        send(topic, "old", 20);
        awaitSize(received, 20);

        delete(topic);
        clients.createTopic(topic, 1);
        send(topic, "new", 6);

        // The client waits 10 s after it is told of an offset that is none, before it looks for its queues again.
        await().atMost(Duration.ofMinutes(2)).until(() -> received.size() >= 26);
        assertThat(bodies(received.subList(20, 26))).isEqualTo(numbered("new", 6));
    }

    private void delete(String topic) throws Exception {
        Set<String> addresses = Set.of(server.address());
        clients.admin().deleteTopicInBroker(addresses, topic);
        clients.admin().deleteTopicInNameServer(addresses, Clients.CLUSTER, topic);
    }

    private void send(String topic, String prefix, int count) throws Exception {
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < count; i++) {
            producer.send(message(topic, prefix + i));
        }
    }
}
