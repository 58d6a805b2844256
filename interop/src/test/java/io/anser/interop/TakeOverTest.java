package io.anser.interop;

import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.body;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static org.apache.rocketmq.client.producer.LocalTransactionState.COMMIT_MESSAGE;
import static org.apache.rocketmq.client.producer.LocalTransactionState.ROLLBACK_MESSAGE;
import static org.apache.rocketmq.client.producer.LocalTransactionState.UNKNOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the unmodified Apache broker had accepted and not finished when it was stopped or killed: ours finishes it, once, also
 * when it is killed meanwhile; and what ours has not finished, Apache's finishes after an export.
 */
class TakeOverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String ORDERS = "orders";
    private static final String JOBS = "jobs";
    private static final String HELLO = "hello";
    private static final String WORKERS = "workers";
    private static final String TX_GROUP = "tx-group";

    /** So late that Apache's broker has ended by then, also on a machine that does other things. */
    private static final long SOON_MILLIS = 60_000;

    /** So long that our server runs before it is over. */
    private static final long INVISIBLE_MILLIS = 120_000;

    @TempDir
    Path directory;

    /** Wall times at which messages are due at the earliest. */
    private final Map<String, Long> due = new HashMap<>();

    private final List<MessageExt> asked = list();
    private List<MessageExt> popped = List.of();

    @Test
    @Timeout(600)
    void whatAKilledApacheHadNotFinishedIsFinishedOnce() throws Exception {
        finishWhatApacheHasLeft(true);
    }

    @Test
    @Tag("long")
    @Timeout(600)
    void whatAStoppedApacheHadNotFinishedIsFinishedOnce() throws Exception {
        finishWhatApacheHasLeft(false);
    }

    private void finishWhatApacheHasLeft(boolean killed) throws Exception {
        Path store = directory.resolve("store");
        try (ApacheBroker apache = startApache(store)) {
            try (Clients clients = new Clients(apache.address())) {
                fill(clients);
            }
            if (killed) {
                apache.kill();
            } else {
                apache.stop();
            }
        }
        Map<Path, String> before = AdoptionTest.fingerprints(store);
        asked.clear();

        AnserServer server = AnserServer.start(
                store, "--set", "transaction.first-check=1000", "--set", "transaction.check-interval=1000");
        try (server) {
            assertThat(server.output()).contains("taken over from the Apache store delayed=2 timers=2");
            server.kill();
            server.restart();
            try (Clients clients = new Clients(server.address())) {
                decide(clients);
                Pops pops = new Pops(clients, WORKERS, JOBS);
                assertThat(pops.ack(job("job-1"))).isTrue();
                awaitOrder(clients, "level-soon");
                server.kill();
                server.restart();
                awaitOrder(clients, "timer-soon");
                awaitOrder(clients, "tx-open-commit");
                await().atMost(PATIENCE).until(() -> bodies(asked).contains("tx-open-rollback"));
                assertThat(popAll(pops, 4)).containsExactlyInAnyOrder("job-3", "job-4", "job-5", "job-6");
                server.stop();
                server.restart();
                assertOrders(
                        clients,
                        "level-delivered",
                        "timer-delivered",
                        "tx-committed",
                        "tx-open-commit",
                        "level-soon",
                        "timer-soon");
                assertThat(pops.pop(INVISIBLE_MILLIS)).isEmpty();
                assertThat(bodies(asked)).containsExactlyInAnyOrder("tx-open-commit", "tx-open-rollback");
            }
        }
        assertThat(AdoptionTest.fingerprints(store)).isEqualTo(before);
    }

    @Test
    @Tag("long")
    @Timeout(600)
    void whatIsNotFinishedHereApacheFinishesAfterAnExport() throws Exception {
        Path store = directory.resolve("store");
        try (ApacheBroker apache = startApache(store)) {
            try (Clients clients = new Clients(apache.address())) {
                fill(clients);
            }
            apache.stop();
        }
        try (AnserServer server = AnserServer.start(store);
                Clients clients = new Clients(server.address())) {
            sendLate(clients.producer(), "ours-soon", 60_000);
            server.stop();
        }
        Path exported = directory.resolve("exported");
        AdoptionTest.export(store, exported);

        try (ApacheBroker apache = startApache(exported);
                Clients clients = new Clients(apache.address())) {
            awaitRegistered(clients);
            decide(clients);
            for (String body : List.of("level-soon", "timer-soon", "ours-soon", "tx-open-commit")) {
                awaitOrder(clients, body);
            }
            assertOrders(
                    clients,
                    "level-delivered",
                    "timer-delivered",
                    "tx-committed",
                    "tx-open-commit",
                    "level-soon",
                    "timer-soon",
                    "ours-soon");
            apache.stop();
        }
    }

    private ApacheBroker startApache(Path store) throws Exception {
        // Notes that are a minute old: a kill then makes the log tell. Decisions are noted every three seconds: who is
        // asked
        // again before that decides twice, and Apache's broker then stores the message twice.
        return ApacheBroker.start(
                directory.resolve("work-" + store.getFileName()),
                store,
                "flushDelayOffsetInterval=60000",
                "flushConsumerOffsetInterval=60000",
                "recallMessageEnable=true",
                "transactionTimeOut=2000",
                "transactionCheckInterval=10000");
    }

    private static void awaitRegistered(Clients clients) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> !clients.brokerAddress().isEmpty());
    }

    /** Leaves something of every kind behind, finished and unfinished. */
    private void fill(Clients clients) throws Exception {
        awaitRegistered(clients);
        for (String topic : List.of(ORDERS, JOBS, HELLO)) {
            clients.admin().createAndUpdateTopicConfig(clients.brokerAddress(), new TopicConfig(topic, 1, 1, 6));
        }
        DefaultMQProducer producer = clients.producer();
        popTwice(clients, producer);
        sendTransactions(clients);
        producer.send(level(1, "level-delivered"));
        sendLate(producer, "timer-delivered", 2_000);
        for (String body : List.of("level-delivered", "timer-delivered", "tx-committed")) {
            awaitOrder(clients, body);
        }
        producer.send(level(18, "level-far"));
        due.put("level-soon", System.currentTimeMillis() + 60_000);
        producer.send(level(5, "level-soon"));
        sendLate(producer, "timer-far", 3_600_000);
        sendLate(producer, "timer-soon", SOON_MILLIS);
        SendResult recalled = sendLate(producer, "timer-recalled", SOON_MILLIS);
        producer.recallMessage(ORDERS, recalled.getRecallHandle());
        popSome(clients, producer);
    }

    private static Message level(int level, String body) {
        Message message = message(ORDERS, body);
        message.setDelayTimeLevel(level);
        return message;
    }

    private SendResult sendLate(DefaultMQProducer producer, String body, long delayMillis) throws Exception {
        Message message = message(ORDERS, body);
        long at = System.currentTimeMillis() + delayMillis;
        message.setDeliverTimeMs(at);
        due.put(body, at);
        return producer.send(message);
    }

    /** Job 6 has come back once and is out again. */
    private static void popTwice(Clients clients, DefaultMQProducer producer) throws Exception {
        Pops pops = new Pops(clients, WORKERS, JOBS);
        producer.send(message(JOBS, "job-6"));
        popUntilThere(pops, 5_000);
        List<MessageExt> again = popUntilThere(pops, INVISIBLE_MILLIS);
        assertThat(again).extracting(Clients::body).containsExactly("job-6");
        assertThat(again.get(0).getReconsumeTimes()).isEqualTo(1);
    }

    /** Jobs 0 and 2 are acknowledged, four others are out. */
    private void popSome(Clients clients, DefaultMQProducer producer) throws Exception {
        Pops pops = new Pops(clients, WORKERS, JOBS);
        for (int i = 0; i < 6; i++) {
            producer.send(message(JOBS, "job-" + i));
        }
        popped = new ArrayList<>();
        while (popped.size() < 6) {
            popped.addAll(popUntilThere(pops, INVISIBLE_MILLIS));
        }
        assertThat(pops.ack(job("job-0"))).isTrue();
        assertThat(pops.ack(job("job-2"))).isTrue();
    }

    private MessageExt job(String body) {
        return popped.stream().filter(each -> body(each).equals(body)).findAny().orElseThrow();
    }

    private static List<MessageExt> popUntilThere(Pops pops, long invisibleMillis) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> pops.pop(invisibleMillis), found -> !found.isEmpty());
    }

    private static List<String> popAll(Pops pops, int count) throws Exception {
        List<String> bodies = new ArrayList<>();
        while (bodies.size() < count) {
            for (MessageExt each : popUntilThere(pops, INVISIBLE_MILLIS)) {
                bodies.add(body(each));
                assertThat(pops.ack(each)).isTrue();
            }
        }
        return bodies;
    }

    private void sendTransactions(Clients clients) throws Exception {
        Local local = new Local(UNKNOW, UNKNOW);
        TransactionMQProducer undecided = clients.transactionProducer(TX_GROUP, local);
        undecided.sendMessageInTransaction(message(ORDERS, "tx-open-commit"), null);
        undecided.sendMessageInTransaction(message(ORDERS, "tx-open-rollback"), null);
        clients.transactionProducer("tx-committing", new Local(COMMIT_MESSAGE, UNKNOW))
                .sendMessageInTransaction(message(ORDERS, "tx-committed"), null);
        clients.transactionProducer("tx-rolling-back", new Local(ROLLBACK_MESSAGE, UNKNOW))
                .sendMessageInTransaction(message(ORDERS, "tx-rolled-back"), null);
        // Asked about, they are written again.
        await().atMost(PATIENCE).until(() -> asked.size() >= 2);
    }

    /** Producers come back that know what became of the transactions. */
    private void decide(Clients clients) throws Exception {
        for (String group : List.of(TX_GROUP, "tx-committing", "tx-rolling-back")) {
            clients.transactionProducer(group, new Local(UNKNOW, COMMIT_MESSAGE) {
                        @Override
                        public LocalTransactionState checkLocalTransaction(MessageExt message) {
                            asked.add(message);
                            return body(message).contains("roll") ? ROLLBACK_MESSAGE : COMMIT_MESSAGE;
                        }
                    })
                    .send(message(HELLO, "hello")); // so that it knows the broker
        }
    }

    private void awaitOrder(Clients clients, String body) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .pollInterval(Duration.ofMillis(500))
                .until(() ->
                        orders(clients).stream().anyMatch(each -> body(each).equals(body)));
    }

    /** Each of these once, none before it was due, and nothing else. */
    private void assertOrders(Clients clients, String... bodies) throws Exception {
        List<MessageExt> all = orders(clients);
        assertThat(all).extracting(Clients::body).containsExactlyInAnyOrder(bodies);
        assertThat(all)
                .allSatisfy(each ->
                        assertThat(each.getStoreTimestamp()).isGreaterThanOrEqualTo(due.getOrDefault(body(each), 0L)));
    }

    @SuppressWarnings("deprecation") // the one class that reads a chosen offset
    private static List<MessageExt> orders(Clients clients) throws Exception {
        DefaultMQPullConsumer consumer = clients.reader();
        MessageQueue queue = new MessageQueue(ORDERS, Clients.BROKER, 0);
        List<MessageExt> all = new ArrayList<>();
        PullResult result = consumer.pull(queue, "*", 0, 32);
        while (result.getPullStatus() == PullStatus.FOUND) {
            all.addAll(result.getMsgFoundList());
            result = consumer.pull(queue, "*", result.getNextBeginOffset(), 32);
        }
        return all;
    }

    /** The producer's side: what it knows at once, and what it answers when it is asked. */
    private class Local implements TransactionListener {
        private final LocalTransactionState atOnce;
        private final LocalTransactionState later;

        Local(LocalTransactionState atOnce, LocalTransactionState later) {
            this.atOnce = atOnce;
            this.later = later;
        }

        @Override
        public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
            return atOnce;
        }

        @Override
        public LocalTransactionState checkLocalTransaction(MessageExt message) {
            asked.add(message);
            return later;
        }
    }
}
