package io.anser.interop;

import static io.anser.interop.Clients.body;
import static io.anser.interop.Clients.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills the server with -9 again and again while producers send, and then reads every queue from end to end. */
class KillTest {
    private static final int KILLS = 10;
    private static final int QUEUES = 4;
    private static final int PRODUCERS = 6;
    private static final String TOPIC = "killed";

    /** Between two tries to reach a server that is down. */
    private static final long PAUSE_NANOS = 5_000_000;

    @TempDir
    Path data;

    /** One message that a producer was told is stored. */
    private record Acknowledged(MessageQueue queue, long queueOffset, String body) {}

    /** Ten kills at each level of durability: a killed process loses nothing at either. */
    @ParameterizedTest
    @ValueSource(strings = {"disk", "memory"})
    @Timeout(300)
    void everyAcknowledgedMessageIsThereOnceAtItsOffsetAndInOrder(String durability) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        try (AnserServer server = AnserServer.start(data, "--set", "store.durability=" + durability);
                Clients clients = new Clients(server)) {
            clients.createTopic(TOPIC, QUEUES);
            List<Producer> producers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                producers.add(new Producer(clients.producer(), i));
            }
            producers.forEach(Thread::start);

            killAtRandomMoments(server, producers, new Random(seed));

            producers.forEach(Producer::finish);
            for (Producer producer : producers) {
                producer.join();
            }
            verify(clients, producers);
        }
    }

    private static void killAtRandomMoments(AnserServer server, List<Producer> producers, Random random) {
        for (int kill = 0; kill < KILLS; kill++) {
            int target = acknowledged(producers) + 1 + random.nextInt(1_500);
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> acknowledged(producers) >= target);
            server.kill();
            server.restart();
        }
        int afterTheLast = acknowledged(producers) + 100;
        await().atMost(Duration.ofSeconds(60)).until(() -> acknowledged(producers) >= afterTheLast);
    }

    private static int acknowledged(List<Producer> producers) {
        return producers.stream().mapToInt(each -> each.count.get()).sum();
    }

    private static void verify(Clients clients, List<Producer> producers) throws Exception {
        Map<MessageQueue, List<String>> stored = readAll(clients);
        Set<String> seen = new HashSet<>();
        stored.values()
                .forEach(bodies -> bodies.forEach(each ->
                        assertThat(seen.add(each)).as("stored once: %s", each).isTrue()));
        for (Producer producer : producers) {
            Map<MessageQueue, Long> last = new HashMap<>();
            for (Acknowledged each : producer.acknowledged) {
                List<String> bodies = stored.get(each.queue());
                assertThat((long) bodies.size()).as("end of %s", each.queue()).isGreaterThan(each.queueOffset());
                assertThat(bodies.get((int) each.queueOffset())).isEqualTo(each.body());
                Long before = last.put(each.queue(), each.queueOffset());
                assertThat(before == null ? -1L : before).isLessThan(each.queueOffset());
            }
        }
    }

    /** Bodies of each queue by offset; fails on a gap. */
    @SuppressWarnings("deprecation") // see Clients.pullConsumer
    private static Map<MessageQueue, List<String>> readAll(Clients clients) throws Exception {
        DefaultMQPullConsumer consumer = clients.pullConsumer();
        Map<MessageQueue, List<String>> stored = new HashMap<>();
        for (int id = 0; id < QUEUES; id++) {
            MessageQueue queue = new MessageQueue(TOPIC, Clients.BROKER, id);
            long end = clients.admin().maxOffset(queue);
            List<String> bodies = new ArrayList<>();
            while (bodies.size() < end) {
                PullResult result = consumer.pull(queue, "*", bodies.size(), 32);
                assertThat(result.getPullStatus()).isEqualTo(PullStatus.FOUND);
                for (MessageExt each : result.getMsgFoundList()) {
                    assertThat(each.getQueueOffset()).isEqualTo(bodies.size());
                    bodies.add(body(each));
                }
            }
            stored.put(queue, bodies);
        }
        return stored;
    }

    /** Sends without retries, so that no body is sent twice, and notes what was acknowledged. */
    private static final class Producer extends Thread {
        private final DefaultMQProducer producer;
        private final int number;
        private final List<Acknowledged> acknowledged = new ArrayList<>();
        private final AtomicInteger count = new AtomicInteger();
        private volatile boolean finished;

        Producer(DefaultMQProducer producer, int number) {
            super("producer-" + number);
            this.producer = producer;
            this.number = number;
        }

        void finish() {
            finished = true;
        }

        @Override
        public void run() {
            for (int sequence = 0; !finished; sequence++) {
                MessageQueue queue = new MessageQueue(TOPIC, Clients.BROKER, sequence % QUEUES);
                String body = number + ":" + sequence;
                try {
                    SendResult result = producer.send(message(TOPIC, body), queue, 2_000);
                    if (result.getSendStatus() == SendStatus.SEND_OK) {
                        acknowledged.add(new Acknowledged(queue, result.getQueueOffset(), body));
                        count.incrementAndGet();
                    }
                } catch (MQClientException | RemotingException | MQBrokerException notAcknowledged) {
                    // The server is down: the next message is another one. Nothing may be concluded about this one.
                    LockSupport.parkNanos(PAUSE_NANOS);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    @Test
    void aCleanStopTakesLessThanTwoSecondsAndKeepsEverything() throws Exception {
        try (AnserServer server = AnserServer.start(data);
                Clients clients = new Clients(server)) {
            clients.createTopic(TOPIC, QUEUES);
            MessageQueue queue = new MessageQueue(TOPIC, Clients.BROKER, 0);
            DefaultMQProducer producer = clients.producer();
            for (int i = 0; i < 100; i++) {
                producer.send(message(TOPIC, "m" + i), queue);
            }

            long millis = server.stop();
            server.restart();

            assertThat(millis).isLessThan(2_500);
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> clients.admin().maxOffset(queue) == 100);
        }
    }
}
