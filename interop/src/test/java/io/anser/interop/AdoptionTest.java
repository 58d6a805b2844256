package io.anser.interop;

import static io.anser.interop.Clients.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.utils.NetworkUtil;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * From Apache's broker to ours and back: its store is made by the unmodified broker, adopted by the packaged server, made
 * longer, exported, and opened by the unmodified broker again.
 */
class AdoptionTest {
    private static final String TOPIC = "orders";
    private static final String GROUP = "readers";
    private static final int QUEUES = 4;
    private static final int EACH = 150;
    private static final int MORE = 50;
    private static final String LATE = "late";

    @TempDir
    Path directory;

    @Test
    @Timeout(600)
    void whatAnApacheBrokerStoredIsServedAndGoesBack() throws Exception {
        Path store = directory.resolve("store");
        Map<String, String> stored = makeStore(store);
        Map<Path, String> before = fingerprints(store);

        try (AnserServer server = AnserServer.start(store);
                Clients clients = new Clients(server.address())) {
            assertThat(server.output()).contains("delayed=1");
            assertThat(read(clients, TOPIC)).isEqualTo(stored);
            assertThat(committed(clients)).containsEntry(0, 10L).containsEntry(1, 20L);
            assertOldIdsResolve(clients);
            stored.putAll(send(clients, "more", MORE));
            assertThat(read(clients, TOPIC)).isEqualTo(stored);
            server.stop();
            server.restart();
            assertThat(read(clients, TOPIC)).isEqualTo(stored);
            server.stop();
        }
        assertThat(fingerprints(store)).isEqualTo(before);

        Path exported = directory.resolve("exported");
        export(store, exported);
        try (ApacheBroker apache = ApacheBroker.start(directory.resolve("back"), exported);
                Clients clients = new Clients(apache.address())) {
            // The broker may not be in the routes yet, and builds its queue index from the log.
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> read(clients, TOPIC).size() >= stored.size());
            assertThat(read(clients, TOPIC)).isEqualTo(stored);
            assertThat(committed(clients)).containsEntry(0, 10L).containsEntry(1, 20L);
            apache.stop();
        }
    }

    /** Has Apache's broker store messages in files of 1 MiB, and a group consume some; returns what is in each place. */
    private Map<String, String> makeStore(Path store) throws Exception {
        try (ApacheBroker apache = ApacheBroker.start(directory.resolve("work"), store)) {
            Map<String, String> stored = fill(apache);
            apache.stop();
            return stored;
        }
    }

    private static Map<String, String> fill(ApacheBroker apache) throws Exception {
        try (Clients clients = new Clients(apache.address())) {
            // The broker may not be in the routes yet.
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> !clients.brokerAddress().isEmpty());
            clients.admin()
                    .createAndUpdateTopicConfig(clients.brokerAddress(), new TopicConfig(TOPIC, QUEUES, QUEUES, 6));
            Map<String, String> stored = send(clients, "body", EACH);
            Message late = new Message(TOPIC, LATE.getBytes(StandardCharsets.UTF_8));
            late.setDelayTimeLevel(18); // two hours
            clients.producer().send(late);
            commit(clients, Map.of(0, 10L, 1, 20L));
            assertThat(read(clients, TOPIC)).isEqualTo(stored);
            return stored;
        }
    }

    /** Sends to each queue in turn, with tags and keys, so many to each; returns them by place. */
    private static Map<String, String> send(Clients clients, String prefix, int each) throws Exception {
        DefaultMQProducer producer = clients.producer();
        Map<String, String> sent = new TreeMap<>();
        for (int i = 0; i < each * QUEUES; i++) {
            String body = prefix + "-" + i + "-" + "x".repeat(2_000);
            Message message =
                    new Message(TOPIC, i % 2 == 0 ? "even" : "odd", "key-" + i, body.getBytes(StandardCharsets.UTF_8));
            var result = producer.send(message, new MessageQueue(TOPIC, Clients.BROKER, i % QUEUES));
            sent.put(place(i % QUEUES, result.getQueueOffset()), content(message, body));
        }
        return sent;
    }

    private static String place(int queueId, long queueOffset) {
        return String.format("%d#%06d", queueId, queueOffset);
    }

    private static String content(Message message, String body) {
        return message.getTags() + " " + message.getKeys() + " " + body.hashCode();
    }

    /** Everything in all queues of a topic, by place. */
    @SuppressWarnings("deprecation") // the one class that reads a chosen offset
    private static Map<String, String> read(Clients clients, String topic) throws Exception {
        DefaultMQPullConsumer consumer = clients.pullConsumer();
        Map<String, String> found = new TreeMap<>();
        for (int queueId = 0; queueId < QUEUES; queueId++) {
            MessageQueue queue = new MessageQueue(topic, Clients.BROKER, queueId);
            long offset = consumer.minOffset(queue);
            PullResult result = consumer.pull(queue, "*", offset, 64);
            while (result.getPullStatus() == PullStatus.FOUND) {
                for (MessageExt message : result.getMsgFoundList()) {
                    found.put(place(queueId, message.getQueueOffset()), content(message, body(message)));
                }
                offset = result.getNextBeginOffset();
                result = consumer.pull(queue, "*", offset, 64);
            }
        }
        return found;
    }

    private static void commit(Clients clients, Map<Integer, Long> offsets) throws Exception {
        DefaultMQPushConsumer consumer = clients.collect(GROUP, TOPIC, "nothing-has-this-tag", new ArrayList<>());
        consumer.shutdown();
        for (Map.Entry<Integer, Long> offset : offsets.entrySet()) {
            clients.admin()
                    .updateConsumeOffset(
                            clients.brokerAddress(),
                            GROUP,
                            new MessageQueue(TOPIC, Clients.BROKER, offset.getKey()),
                            offset.getValue());
        }
    }

    /** The group's committed offsets of the first two queues. */
    private static Map<Integer, Long> committed(Clients clients) throws Exception {
        Map<Integer, Long> found = new TreeMap<>();
        for (int queueId = 0; queueId < 2; queueId++) {
            QueryConsumerOffsetRequestHeader query = new QueryConsumerOffsetRequestHeader();
            query.setConsumerGroup(GROUP);
            query.setTopic(TOPIC);
            query.setQueueId(queueId);
            found.put(
                    queueId,
                    clients.admin()
                            .getDefaultMQAdminExtImpl()
                            .getMqClientInstance()
                            .getMQClientAPIImpl()
                            .queryConsumerOffset(clients.brokerAddress(), query, 10_000));
        }
        return found;
    }

    @SuppressWarnings("deprecation") // as above
    private static void assertOldIdsResolve(Clients clients) throws Exception {
        DefaultMQPullConsumer consumer = clients.pullConsumer();
        MessageExt stored = consumer.pull(new MessageQueue(TOPIC, Clients.BROKER, 2), "*", 7, 1)
                .getMsgFoundList()
                .get(0);
        // The id names the address of the broker that gave it; what finds the message is the position.
        String id = MessageDecoder.createMessageId(
                NetworkUtil.string2SocketAddress(clients.brokerAddress()), stored.getCommitLogOffset());
        MessageExt found = consumer.viewMessage(TOPIC, id);
        assertThat(body(found)).isEqualTo(body(stored));
        assertThat(found.getQueueOffset()).isEqualTo(7);
    }

    static void export(Path store, Path to) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("anser.home"), "bin", "anser")
                                .toString(),
                        "store",
                        "export",
                        "--data",
                        store.toString(),
                        "--to",
                        to.toString(),
                        "--file-size",
                        Integer.toString(ApacheBroker.FILE_BYTES))
                .redirectErrorStream(true)
                .start();
        String output;
        try (InputStream printed = process.getInputStream()) {
            output = new String(printed.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }

    /** Checksum, size and time of every file of Apache's. */
    static Map<Path, String> fingerprints(Path store) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(store)) {
            files = found.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(store.resolve("anser")))
                    .toList();
        }
        Map<Path, String> fingerprints = new TreeMap<>();
        for (Path file : files) {
            CRC32 crc = new CRC32();
            byte[] buffer = new byte[1 << 20];
            try (InputStream in = Files.newInputStream(file)) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    crc.update(buffer, 0, count);
                }
            }
            fingerprints.put(file, crc.getValue() + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
        }
        return fingerprints;
    }
}
