package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.numbered;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where new groups start, with a server for which every queue is old that has a message. */
class StartTest {
    /** The form in which clients want a time, to the second. */
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

    @TempDir
    private static Path data;

    private static AnserServer server;

    private Clients clients;
    private DefaultMQProducer producer;

    @BeforeAll
    static void startServer() {
        server = AnserServer.start(data, "--set", "group.young-queue=0");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void openClients() throws Exception {
        clients = new Clients(server);
        producer = clients.producer();
    }

    @AfterEach
    void closeClients() {
        clients.close();
    }

    @Test
    void latestIsTheEndAsItWasWhenTheGroupFirstCame() throws Exception {
        String topic = clients.topic(2);
        String group = unique("group");
        List<MessageExt> received = list();
        send(topic, "old", 20);

        collect(group, topic, ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, received);
        send(topic, "new", 20);

        awaitSize(received, 20);
        assertThat(bodies(received)).isEqualTo(numbered("new", 20));
    }

    @Test
    void latestIsNotTheEndAsItIsWhenTheGroupComesBack() throws Exception {
        String topic = clients.topic(2);
        String group = unique("group");
        send(topic, "old", 20);
        collect(group, topic, ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, list()).shutdown();
        send(topic, "new", 20);
        server.kill();
        server.restart();

        List<MessageExt> received = list();
        collect(group, topic, ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, received);

        awaitSize(received, 20);
        assertThat(bodies(received)).isEqualTo(numbered("new", 20));
    }

    @Test
    void queuesMadeLaterAreReadFromTheirFirstMessage() throws Exception {
        String topic = clients.topic(1);
        List<MessageExt> received = list();
        send(topic, "old", 20);
        collect(unique("group"), topic, ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET, received);

        clients.createTopic(topic, 3);
        for (int i = 0; i < 20; i++) {
            producer.send(message(topic, "new" + i), new MessageQueue(topic, Clients.BROKER, 1 + i % 2));
        }

        awaitSize(received, 20);
        assertThat(bodies(received)).isEqualTo(numbered("new", 20));
    }

    @Test
    void firstIsEverythingThatIsThere() throws Exception {
        String topic = clients.topic(2);
        List<MessageExt> received = list();
        send(topic, "m", 20);

        collect(unique("group"), topic, ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET, received);

        awaitSize(received, 20);
        assertThat(bodies(received)).isEqualTo(numbered("m", 20));
    }

    @Test
    void aStartAtATimeGetsWhatWasStoredFromThenOn() throws Exception {
        String topic = clients.topic(2);
        List<MessageExt> received = list();
        long lastOld = send(topic, "old", 20);
        // Clients name a time by its second: the next one begins after everything so far.
        Instant start = Instant.ofEpochSecond(lastOld / 1000 + 1);
        await().atMost(Duration.ofSeconds(10)).until(() -> Instant.now().isAfter(start));
        send(topic, "new", 20);

        DefaultMQPushConsumer consumer =
                consumer(unique("group"), topic, ConsumeFromWhere.CONSUME_FROM_TIMESTAMP, received);
        consumer.setConsumeTimestamp(SECONDS.format(LocalDateTime.ofInstant(start, ZoneId.systemDefault())));
        consumer.start();

        awaitSize(received, 20);
        assertThat(bodies(received)).isEqualTo(numbered("new", 20));
    }

    /** Sends, and returns the store time of the last message. */
    private long send(String topic, String prefix, int count) throws Exception {
        String last = "";
        for (int i = 0; i < count; i++) {
            last = producer.send(message(topic, prefix + i)).getOffsetMsgId();
        }
        return producer.viewMessage(topic, last).getStoreTimestamp();
    }

    private DefaultMQPushConsumer collect(String group, String topic, ConsumeFromWhere where, List<MessageExt> received)
            throws Exception {
        DefaultMQPushConsumer consumer = consumer(group, topic, where, received);
        consumer.start();
        return consumer;
    }

    private DefaultMQPushConsumer consumer(
            String group, String topic, ConsumeFromWhere where, List<MessageExt> received) throws Exception {
        DefaultMQPushConsumer consumer = clients.pushConsumer(group);
        consumer.setConsumeFromWhere(where);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            received.addAll(messages);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        return consumer;
    }
}
