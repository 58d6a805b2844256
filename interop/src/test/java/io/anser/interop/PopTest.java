package io.anser.interop;

import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.message.MessageRequestMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The push consumer of client 5.5.0 in pop mode: the broker divides the queues and leases the messages. */
class PopTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private AnserServer server;
    private Clients clients;

    @BeforeEach
    void start(@TempDir Path data) {
        server = AnserServer.start(data);
        clients = new Clients(server);
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void everyMessageIsConsumedOnceByOneOfTheMembers() throws Exception {
        String topic = clients.topic(4);
        String group = popGroup(topic);
        List<MessageExt> got = Clients.list();
        pop(group, topic, "*", got);
        pop(group, topic, "*", got);

        send(topic, "m", 100);

        await().atMost(PATIENCE).until(() -> bodies(got).equals(numbered("m", 100)));
        assertThat(got).allMatch(each -> each.getProperty("POP_CK") != null);
        awaitConsumed(group, topic);
        assertThat(got).hasSize(100);
    }

    @Test
    void anAcknowledgedMessageDoesNotComeBackAfterTheBrokerWasKilled() throws Exception {
        String topic = clients.topic(4);
        String group = popGroup(topic);
        List<MessageExt> got = Clients.list();
        pop(group, topic, "*", got);
        send(topic, "before", 40);
        await().atMost(PATIENCE).until(() -> bodies(got).size() == 40);
        awaitConsumed(group, topic);

        server.kill();
        server.restart();
        send(topic, "after", 40);

        await().atMost(PATIENCE).until(() -> bodies(got).size() == 80);
        assertThat(got).hasSize(80);
    }

    @Test
    void aMessageThatFailedIsConsumedAgainLater() throws Exception {
        String topic = clients.topic(1);
        String group = popGroup(topic);
        List<MessageExt> got = Clients.list();
        AtomicInteger failures = new AtomicInteger();
        DefaultMQPushConsumer consumer = popConsumer(group);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            if (failures.getAndIncrement() == 0) {
                return ConsumeConcurrentlyStatus.RECONSUME_LATER;
            }
            got.addAll(messages);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();

        send(topic, "m", 1);

        await().atMost(PATIENCE).until(() -> got.size() == 1);
        assertThat(got.get(0).getReconsumeTimes()).isEqualTo(1);
        assertThat(got.get(0).getTopic()).isEqualTo(topic);
        awaitConsumed(group, topic);
    }

    @Test
    void tagsAreFiltered() throws Exception {
        String topic = clients.topic(2);
        String group = popGroup(topic);
        List<MessageExt> got = Clients.list();
        pop(group, topic, "a || b", got);
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < 30; i++) {
            Message message = message(topic, "m" + i);
            message.setTags(List.of("a", "b", "c").get(i % 3));
            producer.send(message);
        }

        await().atMost(PATIENCE).until(() -> bodies(got).size() == 20);
        assertThat(got).allMatch(each -> !each.getTags().equals("c"));
        awaitConsumed(group, topic);
    }

    private String popGroup(String topic) throws Exception {
        String group = Clients.unique("pop-group");
        clients.admin().setMessageRequestMode(server.address(), topic, group, MessageRequestMode.POP, 8, 5_000);
        return group;
    }

    private DefaultMQPushConsumer popConsumer(String group) {
        DefaultMQPushConsumer consumer = clients.pushConsumer(group);
        consumer.setClientRebalance(false);
        consumer.setPopInvisibleTime(20_000);
        return consumer;
    }

    private void pop(String group, String topic, String tags, List<MessageExt> into) throws Exception {
        DefaultMQPushConsumer consumer = popConsumer(group);
        consumer.subscribe(topic, tags);
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            into.addAll(messages);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();
    }

    private void send(String topic, String prefix, int count) throws Exception {
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < count; i++) {
            producer.send(message(topic, prefix + i));
        }
    }

    /** Waits until the group's offsets, which follow the acknowledgements, are at the end of all queues. */
    @SuppressWarnings("deprecation") // the one class that reads the offset of a group
    private void awaitConsumed(String group, String topic) throws Exception {
        DefaultMQPullConsumer reader = clients.pullConsumer(group);
        for (MessageQueue queue : reader.fetchSubscribeMessageQueues(topic)) {
            await().atMost(PATIENCE).until(() -> reader.fetchConsumeOffset(queue, true) == reader.maxOffset(queue));
        }
    }
}
