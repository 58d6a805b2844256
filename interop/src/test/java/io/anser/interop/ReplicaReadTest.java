package io.anser.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified clients of a primary and its replica: the replica goes on serving readers when the primary was killed. */
class ReplicaReadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int MESSAGES = 60;

    @TempDir
    Path data;

    @Test
    @Timeout(300)
    void aConsumerGroupReadsOnFromTheReplicaWhenThePrimaryIsKilled() throws Exception {
        try (AnserServer nameServer = AnserServer.start("nameserver", "127.0.0.1:0", data.resolve("names"));
                AnserServer primary = broker(nameServer, "primary", "--replication", "primary");
                AnserServer replica =
                        broker(nameServer, "replica", "--replication", "replica", "--primary", primary.address());
                Clients clients = new Clients(nameServer.address())) {
            String topic = Clients.unique("orders");
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(clients.admin()
                                    .examineBrokerClusterInfo()
                                    .getBrokerAddrTable()
                                    .get(Clients.BROKER)
                                    .getBrokerAddrs())
                            .containsEntry(0L, primary.address())
                            .containsEntry(1L, replica.address()));
            clients.admin().createAndUpdateTopicConfig(primary.address(), new TopicConfig(topic, 2, 2));
            String group = Clients.unique("billing");
            List<MessageExt> first = Clients.list();
            DefaultMQPushConsumer consumer = start(clients, group, topic, first);
            send(clients.producer(), topic, "before");
            await().atMost(PATIENCE).until(() -> Clients.bodies(first).size() == MESSAGES);
            consumer.shutdown(); // stores its offsets
            send(clients.producer(), topic, "unread");
            await().atMost(PATIENCE).until(() -> stored(clients, replica).equals(stored(clients, primary)));

            primary.kill();
            List<MessageExt> second = Clients.list();
            start(clients, group, topic, second);

            Set<String> unread = Clients.numbered("unread", MESSAGES);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Clients.bodies(second)).containsAll(unread));
            assertThat(Clients.bodies(second)).isEqualTo(unread);
            assertThat(second)
                    .allSatisfy(message -> assertThat(message.getTopic()).isEqualTo(topic));
        }
    }

    private AnserServer broker(AnserServer nameServer, String folder, String... flags) throws IOException {
        Path secret = data.resolve("secret");
        if (!Files.exists(secret)) {
            Files.createFile(
                    secret, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(secret, "0123456789abcdef0123456789abcdef\n");
        }
        String[] all = new String[flags.length + 4];
        System.arraycopy(flags, 0, all, 4, flags.length);
        all[0] = "--nameservers";
        all[1] = nameServer.address();
        all[2] = "--set";
        all[3] = "cluster.secret=" + secret;
        return AnserServer.start("broker", "127.0.0.1:0", data.resolve(folder), all);
    }

    private static DefaultMQPushConsumer start(Clients clients, String group, String topic, List<MessageExt> received)
            throws Exception {
        DefaultMQPushConsumer consumer = clients.pushConsumer(group);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            received.addAll(messages);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();
        return consumer;
    }

    private static void send(DefaultMQProducer producer, String topic, String name) throws Exception {
        for (String body : Clients.numbered(name, MESSAGES)) {
            assertThat(producer.send(Clients.message(topic, body)).getSendStatus())
                    .isEqualTo(SendStatus.SEND_OK);
        }
    }

    private static String stored(Clients clients, AnserServer broker) throws Exception {
        return clients.admin()
                .fetchBrokerRuntimeStats(broker.address())
                .getTable()
                .get("commitLogMaxOffset");
    }
}
