package io.anser.server;

import static io.anser.client.TagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.client.AnserClient;
import io.anser.client.Backoff;
import io.anser.client.Consumer;
import io.anser.client.Message;
import io.anser.client.ReceivedMessage;
import io.anser.client.SendReceipt;
import io.anser.client.StartFrom;
import io.anser.protocol.body.MessageQueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our client against our server, over real sockets. */
class ClientEndToEndTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path data;

    private RunningServer server;
    private AnserClient client;
    private final List<AnserClient> clients = new ArrayList<>();

    @BeforeEach
    void start() {
        server = RunningServer.start(data);
        client = newClient();
    }

    @AfterEach
    void stop() {
        clients.forEach(AnserClient::close);
        server.close();
    }

    private AnserClient newClient() {
        AnserClient made = AnserClient.connect(server.address());
        clients.add(made);
        return made;
    }

    /** Messages as one member received them. */
    private static final class Inbox {
        final ConcurrentLinkedQueue<ReceivedMessage> messages = new ConcurrentLinkedQueue<>();

        void take(ReceivedMessage message) {
            messages.add(message);
        }

        Set<String> texts() {
            Set<String> texts = new HashSet<>();
            messages.forEach(message -> texts.add(message.text()));
            return texts;
        }

        List<String> inOrder() {
            return messages.stream().map(ReceivedMessage::text).toList();
        }
    }

    private static Set<String> numbered(int count) {
        Set<String> texts = new HashSet<>();
        IntStream.range(0, count).forEach(i -> texts.add("m" + i));
        return texts;
    }

    private void send(String topic, int count) {
        List<CompletableFuture<SendReceipt>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(client.sendAsync(Message.to(topic).text("m" + i)));
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
    }

    private static void awaitAll(Inbox inbox, int count) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(inbox.texts()).isEqualTo(numbered(count)));
    }

    @Test
    void deliversWhatWasSentInEveryWay() {
        client.createTopic("orders", 4);
        Inbox inbox = new Inbox();
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(inbox::take)
                .start();

        SendReceipt first = client.send(Message.to("orders")
                .key("o-17")
                .tag("new")
                .property("colour", "blue")
                .text("m0"));
        client.sendAsync(Message.to("orders").text("m1")).join();
        client.sendOneWay(Message.to("orders").text("m2"));
        List<SendReceipt> batch = client.sendBatch(
                List.of(Message.to("orders").text("m3"), Message.to("orders").text("m4")));

        awaitAll(inbox, 5);
        ReceivedMessage received = inbox.messages.stream()
                .filter(message -> message.text().equals("m0"))
                .findFirst()
                .orElseThrow();
        assertThat(received.id()).isEqualTo(first.messageId());
        assertThat(received.topic()).isEqualTo("orders");
        assertThat(received.key()).isEqualTo("o-17");
        assertThat(received.tag()).isEqualTo("new");
        assertThat(received.property("colour")).contains("blue");
        assertThat(received.attempt()).isEqualTo(1);
        assertThat(received.queue()).isEqualTo(new MessageQueue("orders", first.brokerName(), first.queueId()));
        assertThat(received.queueOffset()).isEqualTo(first.queueOffset());
        assertThat(batch.get(1).queueOffset()).isEqualTo(batch.get(0).queueOffset() + 1);
        assertThat(batch.get(1).queueId()).isEqualTo(batch.get(0).queueId());
        assertThat(client.maxOffset(received.queue())).isGreaterThan(received.queueOffset());
        assertThat(client.minOffset(received.queue())).isZero();
    }

    @Test
    void deliversTheFirstMessagesOfATopicThatTheyMake() {
        Inbox inbox = new Inbox();
        client.consumer("billing").topic("fresh").onMessage(inbox::take).start();

        send("fresh", 20);

        awaitAll(inbox, 20);
        assertThat(inbox.messages).hasSize(20);
    }

    @Test
    void deliversOnlyTheTagsAskedFor() {
        client.createTopic("orders", 2);
        Inbox inbox = new Inbox();
        client.consumer("billing")
                .topic("orders", tag("new").or(tag("paid")))
                .from(StartFrom.START)
                .onMessage(inbox::take)
                .start();

        client.send(Message.to("orders").tag("new").text("m0"));
        client.send(Message.to("orders").tag("lost").text("x"));
        client.send(Message.to("orders").text("y"));
        client.send(Message.to("orders").tag("paid").text("m1"));

        awaitAll(inbox, 2);
    }

    @Test
    void sharesQueuesAmongThreeMembersAndGoesOnWhenOneLeaves() {
        client.createTopic("orders", 8);
        Inbox inbox = new Inbox();
        List<Consumer> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            members.add(newClient()
                    .consumer("billing")
                    .topic("orders")
                    .from(StartFrom.START)
                    .onMessage(inbox::take)
                    .start());
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(members.stream().map(ClientEndToEndTest::orderQueues))
                        .containsExactlyInAnyOrder(3, 3, 2));
        send("orders", 100);
        awaitAll(inbox, 100);

        members.get(0).close();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(members.subList(1, 3).stream().map(ClientEndToEndTest::orderQueues))
                        .containsExactlyInAnyOrder(4, 4));
        send("orders", 200);
        awaitAll(inbox, 200);
    }

    private static int orderQueues(Consumer member) {
        return (int) member.queues().stream()
                .filter(queue -> queue.topic().equals("orders"))
                .count();
    }

    @Test
    void deliversEverythingToEveryBroadcastingMember() {
        client.createTopic("orders", 4);
        List<Inbox> inboxes = List.of(new Inbox(), new Inbox());
        for (Inbox inbox : inboxes) {
            newClient()
                    .consumer("screens")
                    .topic("orders")
                    .broadcasting()
                    .onMessage(inbox::take)
                    .start();
        }

        send("orders", 50);

        inboxes.forEach(inbox -> awaitAll(inbox, 50));
        inboxes.forEach(inbox -> assertThat(inbox.messages).hasSize(50));
    }

    @Test
    void keepsTheOrderOfEachKeyWhileMembersComeAndGo() {
        client.createTopic("orders", 8);
        Map<String, List<Integer>> seen = new HashMap<>();
        List<Consumer> members = new ArrayList<>();
        members.add(orderly(seen));
        members.add(orderly(seen));
        int keys = 20;
        int events = 30;
        for (int event = 0; event < events; event++) {
            for (int key = 0; key < keys; key++) {
                client.send(Message.to("orders").orderKey("k" + key).text("k" + key + ":" + event));
            }
            if (event == 10) {
                members.add(orderly(seen));
            } else if (event == 20) {
                members.get(0).close();
            }
        }

        List<Integer> inOrder = IntStream.range(0, events).boxed().toList();
        await().atMost(PATIENCE).untilAsserted(() -> {
            synchronized (seen) {
                assertThat(seen).hasSize(keys);
                assertThat(seen.values()).allSatisfy(each -> assertThat(each).isEqualTo(inOrder));
            }
        });
    }

    /** Notes for each key the first arrival of each event; a member that leaves may hand some over twice. */
    private Consumer orderly(Map<String, List<Integer>> seen) {
        return newClient()
                .consumer("ledger")
                .topic("orders")
                .from(StartFrom.START)
                .orderly()
                .onMessage(message -> {
                    String[] parts = message.text().split(":");
                    synchronized (seen) {
                        List<Integer> events = seen.computeIfAbsent(parts[0], key -> new ArrayList<>());
                        Integer event = Integer.valueOf(parts[1]);
                        if (!events.contains(event)) {
                            events.add(event);
                        }
                    }
                })
                .start();
    }

    @Test
    void bringsAFailedMessageAgainAndMovesItToTheDeadLettersAfterTheLastAttempt() {
        client.createTopic("orders", 2);
        Inbox attempts = new Inbox();
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .maxAttempts(2)
                .retry(Backoff.fixed(Duration.ofSeconds(1)))
                .onMessage(message -> {
                    attempts.take(message);
                    throw new IllegalStateException("on purpose");
                })
                .start();
        SendReceipt sent = client.send(Message.to("orders").key("o-17").text("bad"));
        Inbox dead = new Inbox();
        newClient()
                .consumer("undertaker")
                .topic("%DLQ%billing")
                .from(StartFrom.START)
                .onMessage(dead::take)
                .start();

        await().atMost(PATIENCE).until(() -> dead.messages.size() == 1);
        assertThat(attempts.messages).extracting(ReceivedMessage::attempt).containsExactly(1, 2);
        assertThat(attempts.messages).extracting(ReceivedMessage::topic).containsOnly("orders");
        assertThat(attempts.messages).extracting(ReceivedMessage::id).containsOnly(sent.messageId());
        assertThat(dead.messages.peek().text()).isEqualTo("bad");
        assertThat(dead.messages.peek().key()).isEqualTo("o-17");
    }

    @Test
    void movesAnOrderedMessageToTheDeadLettersAndGoesOnBehindIt() {
        client.createTopic("orders", 2);
        Inbox inbox = new Inbox();
        client.consumer("ledger")
                .topic("orders")
                .from(StartFrom.START)
                .orderly()
                .maxAttempts(3)
                .retry(Backoff.fixed(Duration.ofMillis(10)))
                .onMessage(message -> {
                    inbox.take(message);
                    if (message.text().equals("bad")) {
                        throw new IllegalStateException("on purpose");
                    }
                })
                .start();

        client.send(Message.to("orders").orderKey("k").text("bad"));
        client.send(Message.to("orders").orderKey("k").text("good"));

        await().atMost(PATIENCE).until(() -> inbox.messages.size() == 4);
        assertThat(inbox.inOrder()).containsExactly("bad", "bad", "bad", "good");
        await().atMost(PATIENCE).until(() -> client.queues("%DLQ%ledger").size() == 1);
        assertThat(client.maxOffset(client.queues("%DLQ%ledger").get(0))).isEqualTo(1);
    }

    @Test
    void deliversADelayedMessageLater() {
        client.createTopic("orders", 2);
        Inbox inbox = new Inbox();
        client.consumer("billing").topic("orders").onMessage(inbox::take).start();

        client.send(Message.to("orders").delay(Duration.ofSeconds(1)).text("m0"));

        awaitAll(inbox, 1);
        ReceivedMessage message = inbox.messages.peek();
        assertThat(Duration.between(message.bornAt(), message.storedAt())).isGreaterThan(Duration.ofMillis(900));
    }

    @Test
    void goesOnWhereItStoppedAfterARestart() {
        client.createTopic("orders", 4);
        send("orders", 40);
        Inbox before = new Inbox();
        Consumer first = client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(before::take)
                .start();
        awaitAll(before, 40);
        first.close();

        server.stop();
        server.startAgain();

        Inbox after = new Inbox();
        newClient().consumer("billing").topic("orders").onMessage(after::take).start();
        client.send(Message.to("orders").text("later"));
        await().atMost(PATIENCE).until(() -> !after.messages.isEmpty());
        assertThat(after.texts()).containsExactly("later");
    }

    @Test
    void losesNothingWhenTheServerIsRestartedUnderIt() {
        client.createTopic("orders", 4);
        Inbox clustered = new Inbox();
        Inbox broadcast = new Inbox();
        newClient()
                .consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(clustered::take)
                .start();
        newClient()
                .consumer("screens")
                .topic("orders")
                .from(StartFrom.START)
                .broadcasting()
                .onMessage(broadcast::take)
                .start();
        List<CompletableFuture<SendReceipt>> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(client.sendAsync(Message.to("orders").text("m" + i)));
            if (i == 150) {
                server.stop();
            }
        }

        server.startAgain();

        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
        awaitAll(clustered, 300);
        awaitAll(broadcast, 300);
    }
}
