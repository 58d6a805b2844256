package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.numbered;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are over a quota. */
class QuotaTest {
    private static final int PER_SECOND = 20;

    @TempDir
    Path data;

    private AnserServer server;
    private Clients clients;

    private void start(String setting) {
        server = AnserServer.start(data, "--set", setting);
        clients = new Clients(server);
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    private Map<?, ?> figures() throws Exception {
        return clients.admin().fetchBrokerRuntimeStats(clients.brokerAddress()).getTable();
    }

    @Test
    void aProducerOverTheQuotaIsSlowedDownAndLosesNothing() throws Exception {
        start("quota.topic-produce-messages=" + PER_SECOND);
        String topic = clients.topic(4);
        List<MessageExt> received = list();
        clients.collect(unique("group"), topic, "*", received);
        DefaultMQProducer producer = clients.producer();
        producer.setSendMsgTimeout(3_000);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        long start = System.nanoTime();
        List<Future<SendResult>> sends = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String body = "m" + i;
            sends.add(threads.submit(() -> producer.send(message(topic, body))));
        }
        for (Future<SendResult> send : sends) {
            assertThat(send.get(60, TimeUnit.SECONDS).getSendStatus()).isEqualTo(SendStatus.SEND_OK);
        }
        threads.shutdown();

        // A second's worth goes at once, the other 80 take four seconds.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(3_500));
        awaitSize(received, 100);
        assertThat(received).hasSize(100);
        assertThat(bodies(received)).isEqualTo(numbered("m", 100));
        assertThat(String.valueOf(figures().get("quotaTopics")))
                .startsWith("topic=" + topic + " limit=" + PER_SECOND + " messages/s ")
                .endsWith(" refusals=0");
    }

    @Test
    void whoDoesNotWaitForAnswersIsToldAndWhatWasTakenArrives() throws Exception {
        start("quota.client-produce-messages=" + PER_SECOND);
        String topic = clients.topic(4);
        List<MessageExt> received = list();
        clients.collect(unique("group"), topic, "*", received);
        DefaultMQProducer producer = clients.producer();
        List<SendResult> stored = list();
        List<Throwable> refused = list();
        for (int i = 0; i < 200; i++) {
            producer.send(message(topic, "m" + i), new SendCallback() {
                @Override
                public void onSuccess(SendResult result) {
                    stored.add(result);
                }

                @Override
                public void onException(Throwable reason) {
                    refused.add(reason);
                }
            });
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> stored.size() + refused.size() == 200);

        assertThat(stored).hasSizeGreaterThanOrEqualTo(PER_SECOND);
        assertThat(refused)
                .isNotEmpty()
                .allSatisfy(reason -> assertThat(reason)
                        .isInstanceOfSatisfying(
                                MQBrokerException.class,
                                code -> assertThat(code.getResponseCode()).isEqualTo(2))
                        .hasMessageContaining("over the quota of client=")
                        .hasMessageContaining("limit=" + PER_SECOND + " messages/s asked="));
        awaitSize(received, stored.size());
        assertThat(received).hasSize(stored.size());
    }

    @Test
    void aMessageThatIsTooLargeForTheQuotaIsTakenAndTheNextOneHearsWhy() throws Exception {
        start("quota.topic-produce-bytes=10KiB");
        String topic = clients.topic(1);
        DefaultMQProducer producer = clients.producer();
        producer.setSendMsgTimeout(3_000);
        producer.setCompressMsgBodyOverHowmuch(1 << 20);
        String large = "x".repeat(100 << 10);
        assertThat(producer.send(message(topic, large)).getSendStatus()).isEqualTo(SendStatus.SEND_OK);

        long start = System.nanoTime();
        Throwable refusal = catchThrowable(() -> producer.send(message(topic, "next")));

        // Client 5 has sent it three times and tells the last answer as the cause; client 4 does so once.
        Throwable answer = refusal instanceof MQBrokerException ? refusal : refusal.getCause();
        assertThat(answer)
                .isInstanceOf(MQBrokerException.class)
                .hasMessageContaining("over the quota of topic=" + topic + ": limit=10240 bytes/s");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void aConsumerOverTheQuotaGetsEverythingMoreSlowly() throws Exception {
        start("quota.client-consume-messages=" + PER_SECOND);
        String topic = clients.topic(4);
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < 100; i++) {
            producer.send(message(topic, "m" + i));
        }
        List<MessageExt> received = list();
        long start = System.nanoTime();
        clients.collect(unique("group"), topic, "*", received);
        awaitSize(received, 100);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1_500));
        assertThat(received).hasSize(100);
        assertThat(bodies(received)).isEqualTo(numbered("m", 100));
        assertThat(String.valueOf(figures().get("quotaClients")))
                .contains(" consume limit=" + PER_SECOND + " messages/s ");
    }
}
