package io.anser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.operation.GetTopicRoute;
import io.anser.protocol.operation.SendMessageV2;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SendingTest {
    private final ScriptedServer server = ScriptedServer.start().withTopic("orders", 4);
    private final AnserClient client = AnserClient.connect(server.address());

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void sendsAMessageAndTellsWhereItIs() {
        SendReceipt receipt =
                client.send(Message.to("orders").key("o-17").tag("new").text("one"));

        StoredQueue.Entry stored = server.stored("orders").get(0);
        assertThat(stored.text()).isEqualTo("one");
        assertThat(stored.property("KEYS")).isEqualTo("o-17");
        assertThat(stored.property("TAGS")).isEqualTo("new");
        assertThat(stored.property("UNIQ_KEY")).isEqualTo(receipt.messageId()).hasSize(32);
        assertThat(receipt.topic()).isEqualTo("orders");
        assertThat(receipt.brokerName()).isEqualTo("broker-a");
        assertThat(receipt.queueOffset()).isZero();
        assertThat(receipt.offsetMessageId()).isEqualTo("OFFSET-ID");
        assertThat(receipt.status()).isEqualTo(SendReceipt.Status.STORED);
    }

    @Test
    void spreadsMessagesOverAllQueues() {
        for (int i = 0; i < 8; i++) {
            client.send(Message.to("orders").text("m"));
        }

        for (int queue = 0; queue < 4; queue++) {
            assertThat(server.queue("orders", queue).maxOffset()).isEqualTo(2);
        }
    }

    @Test
    void keepsMessagesOfOneOrderKeyInOneQueue() {
        for (int i = 0; i < 8; i++) {
            client.send(Message.to("orders").orderKey("o-17").text("m" + i));
        }

        int expected = Math.abs("o-17".hashCode() % 4);
        assertThat(server.queue("orders", expected).maxOffset()).isEqualTo(8);
    }

    @Test
    void asksForTheRouteOnceHoweverManyMessagesAreSent() {
        List<CompletableFuture<SendReceipt>> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sent.add(client.sendAsync(Message.to("orders").text("m" + i)));
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();

        assertThat(server.count(GetTopicRoute.CODE)).isEqualTo(1);
        assertThat(server.stored("orders")).hasSize(100);
    }

    @Test
    void makesAnUnknownTopicByTheFirstMessageAsApacheClientsDo() {
        SendReceipt receipt = client.send(Message.to("fresh").text("one"));

        assertThat(receipt.topic()).isEqualTo("fresh");
        assertThat(server.stored("fresh")).hasSize(1);
        await().until(() -> client.queues("fresh").size() == 4);
    }

    @Test
    void waitsForANameServerThatHasJustStarted() {
        server.refuse(GetTopicRoute.CODE, 1, 1, 1, 1);

        client.send(Message.to("orders").text("one"));

        assertThat(server.stored("orders")).hasSize(1);
    }

    @Test
    void sendsABatchIntoOneQueueWithOneReceiptEach() {
        List<SendReceipt> receipts = client.sendBatch(List.of(
                Message.to("orders").text("a"),
                Message.to("orders").text("b"),
                Message.to("orders").text("c")));

        assertThat(receipts).extracting(SendReceipt::queueOffset).containsExactly(0L, 1L, 2L);
        assertThat(receipts)
                .extracting(SendReceipt::offsetMessageId)
                .containsExactly("OFFSET-ID-0", "OFFSET-ID-1", "OFFSET-ID-2");
        assertThat(server.stored("orders")).extracting(StoredQueue.Entry::text).containsExactly("a", "b", "c");
        assertThat(server.stored("orders"))
                .extracting(entry -> entry.property("UNIQ_KEY"))
                .containsExactlyElementsOf(
                        receipts.stream().map(SendReceipt::messageId).toList());
    }

    @Test
    void sendsOneWayWithoutAnAnswer() {
        client.sendOneWay(Message.to("orders").text("quiet"));

        await().until(() -> server.stored("orders").size() == 1);
        assertThat(server.stored("orders").get(0).text()).isEqualTo("quiet");
    }

    @Test
    void repeatsASendUnderTheSameIdWhenTheBrokerIsBusy() {
        server.refuse(SendMessageV2.CODE, 2, 2);

        SendReceipt receipt = client.send(Message.to("orders").text("one"));

        assertThat(server.count(SendMessageV2.CODE)).isEqualTo(3);
        assertThat(server.stored("orders")).hasSize(1);
        assertThat(server.stored("orders").get(0).property("UNIQ_KEY")).isEqualTo(receipt.messageId());
    }

    @Test
    void repeatsASendThatGotNoAnswer() {
        server.refuse(SendMessageV2.CODE, ScriptedServer.SILENCE);
        try (AnserClient hasty = AnserClient.builder()
                .nameServers(server.address())
                .attemptTimeout(Duration.ofMillis(200))
                .connect()) {
            hasty.send(Message.to("orders").text("one"));
        }

        assertThat(server.count(SendMessageV2.CODE)).isEqualTo(2);
    }

    @Test
    void failsAtOnceWhereTheBrokerRefusesTheMessageItself() {
        server.refuse(SendMessageV2.CODE, 13);

        assertThatThrownBy(() -> client.send(Message.to("orders").text("one")))
                .isInstanceOfSatisfying(AnserException.class, e -> {
                    assertThat(e.code()).isEqualTo(13);
                    assertThat(e.retrySafe()).isTrue();
                    assertThat(e).hasMessageContaining("topic=orders").hasMessageContaining("after 1 attempts");
                });
        assertThat(server.count(SendMessageV2.CODE)).isEqualTo(1);
    }

    @Test
    void failsWithinItsTimeWhenNobodyListens() {
        try (AnserClient lost = AnserClient.builder()
                .nameServers("127.0.0.1:1")
                .sendTimeout(Duration.ofMillis(300))
                .connect()) {
            assertThatThrownBy(() -> lost.send(Message.to("orders").text("one")))
                    .isInstanceOfSatisfying(AnserException.class, e -> {
                        assertThat(e.code()).isEqualTo(AnserException.NO_ANSWER);
                        assertThat(e.retrySafe()).isTrue();
                        assertThat(e).hasMessageContaining("127.0.0.1:1");
                    });
        }
    }

    @Test
    void findsTheOneNameServerThatAnswers() {
        try (AnserClient patient = AnserClient.connect("127.0.0.1:1;" + server.address() + ";127.0.0.1:2")) {
            assertThat(patient.send(Message.to("orders").text("one")).topic()).isEqualTo("orders");
        }
    }

    @Test
    void asksAgainWhileANameServerIsStillWarmingUp() {
        server.refuse(GetTopicRoute.CODE, 1, 1);

        assertThat(client.send(Message.to("orders").text("one")).topic()).isEqualTo("orders");
    }

    @Test
    void neverWaitsOnANetworkThread() {
        server.refuse(SendMessageV2.CODE, ScriptedServer.SILENCE);
        try (AnserClient narrow = narrowClient()) {
            narrow.sendAsync(Message.to("orders").text("silent"));
            CompletableFuture<SendReceipt> second = new CompletableFuture<>();
            new FastThreadLocalThread(() -> {
                        try {
                            second.complete(
                                    narrow.sendAsync(Message.to("orders").text("second"))
                                            .join());
                        } catch (AnserException e) {
                            second.completeExceptionally(e);
                        }
                    })
                    .start();

            assertThatThrownBy(second::join)
                    .hasCauseInstanceOf(AnserException.class)
                    .hasMessageContaining("1 messages or 1048576 bytes wait for an answer already");
        }
    }

    /** One place in the window. */
    private AnserClient narrowClient() {
        return AnserClient.builder()
                .nameServers(server.address())
                .maxInFlight(1, 1 << 20)
                .connect();
    }

    @Test
    void failsASendThatWaitsForItsNextAttemptWhenTheClientCloses() {
        int[] busy = new int[100];
        Arrays.fill(busy, 2);
        server.refuse(SendMessageV2.CODE, busy);
        CompletableFuture<SendReceipt> sent =
                client.sendAsync(Message.to("orders").text("one"));
        await().until(() -> server.count(SendMessageV2.CODE) > 2);

        client.close();

        assertThat(sent).isCompletedExceptionally();
    }

    @Test
    void sendsNothingAnyMoreOnceClosed() {
        client.close();

        assertThatThrownBy(() -> client.send(Message.to("orders").text("late")))
                .isInstanceOfSatisfying(
                        AnserException.class, e -> assertThat(e.code()).isEqualTo(AnserException.CLOSED));
    }

    @Test
    void makesATopicAndKnowsItsQueues() {
        client.createTopic("made", 3);

        assertThat(client.queues("made")).hasSize(3);
        client.send(Message.to("made").text("one"));
        long stored =
                client.queues("made").stream().mapToLong(client::maxOffset).sum();
        assertThat(stored).isEqualTo(1);
        assertThat(client.minOffset(client.queues("made").get(0))).isZero();
    }
}
