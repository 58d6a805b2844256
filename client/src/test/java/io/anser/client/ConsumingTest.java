package io.anser.client;

import static io.anser.client.TagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.PullMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumingTest {
    private final ScriptedServer server = ScriptedServer.start().withTopic("orders", 4);
    private final List<AnserClient> clients = new ArrayList<>();
    private final AnserClient client = newClient("client-b");
    private final List<ReceivedMessage> received = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        clients.forEach(AnserClient::close);
        server.close();
    }

    private AnserClient newClient(String id) {
        AnserClient made =
                AnserClient.builder().nameServers(server.address()).clientId(id).connect();
        clients.add(made);
        return made;
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            client.send(Message.to("orders").text("m" + i));
        }
    }

    private Set<String> texts() {
        synchronized (received) {
            Set<String> texts = new HashSet<>();
            received.forEach(message -> texts.add(message.text()));
            return texts;
        }
    }

    @Test
    void receivesEveryMessageWithAllThatTheSenderGave() {
        SendReceipt receipt = client.send(Message.to("orders")
                .key("o-17")
                .tag("new")
                .property("colour", "blue")
                .text("one"));
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();

        await().until(() -> received.size() == 1);
        ReceivedMessage message = received.get(0);
        assertThat(message.text()).isEqualTo("one");
        assertThat(message.bytes()).containsExactly('o', 'n', 'e');
        assertThat(message.id()).isEqualTo(receipt.messageId());
        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.key()).isEqualTo("o-17");
        assertThat(message.keys()).containsExactly("o-17");
        assertThat(message.tag()).isEqualTo("new");
        assertThat(message.property("colour")).contains("blue");
        assertThat(message.attempt()).isEqualTo(1);
        assertThat(message.queueOffset()).isEqualTo(receipt.queueOffset());
        assertThat(message.bornAt().toEpochMilli()).isEqualTo(1000);
        assertThat(message.storedAt().toEpochMilli()).isEqualTo(2000);
    }

    @Test
    void receivesCompressedBodiesAsTheyWereSent() {
        String text = "long text ".repeat(1000);
        try (AnserClient thrifty = AnserClient.builder()
                .nameServers(server.address())
                .compressAbove(4096)
                .connect()) {
            thrifty.send(Message.to("orders").text(text));
        }
        assertThat(server.stored("orders").get(0).body().length).isLessThan(1000);

        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();

        await().until(() -> received.size() == 1);
        assertThat(received.get(0).text()).isEqualTo(text);
    }

    @Test
    void receivesOnlyTheTagsItAskedFor() {
        client.send(Message.to("orders").tag("new").text("a"));
        client.send(Message.to("orders").tag("paid").text("b"));
        client.send(Message.to("orders").tag("lost").text("c"));
        client.send(Message.to("orders").text("d"));
        Consumer consumer = client.consumer("billing")
                .topic("orders", tag("new").or(tag("paid")))
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();

        await().until(() -> received.size() == 2);
        consumer.close();
        assertThat(texts()).containsExactlyInAnyOrder("a", "b");
        assertThat(server.pullTags()).contains("new || paid", "*");
        // What the filter left out counts as done too.
        for (int queue = 0; queue < 4; queue++) {
            assertThat(server.committed("billing", "orders", queue)).isEqualTo(1);
        }
    }

    @Test
    void goesOnWhereTheGroupStopped() {
        send(8);
        for (int queue = 0; queue < 4; queue++) {
            server.commit("billing", "orders", queue, 1);
        }
        client.consumer("billing").topic("orders").onMessage(received::add).start();

        await().until(() -> received.size() == 4);
        assertThat(received).allMatch(message -> message.queueOffset() == 1);
    }

    @Test
    void beginsAtTheEndUnlessToldOtherwiseAndRemembersWhereThatWas() {
        send(4);
        client.consumer("billing").topic("orders").onMessage(received::add).start();
        assertThat(server.committed("billing", "orders", 0)).isEqualTo(1);

        client.send(Message.to("orders").text("later"));

        await().until(() -> received.size() == 1);
        assertThat(texts()).containsExactly("later");
    }

    @Test
    void missesNothingOfATopicThatIsMadeAfterItStarted() {
        client.consumer("billing").topic("late").onMessage(received::add).start();

        client.send(Message.to("late").text("first"));

        await().until(() -> received.size() == 1);
        assertThat(texts()).containsExactly("first");
    }

    @Test
    void commitsOnlyWhatIsDoneWhenItCloses() {
        send(4);
        Consumer consumer = client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();
        await().until(() -> received.size() == 4);

        consumer.close();

        for (int queue = 0; queue < 4; queue++) {
            assertThat(server.committed("billing", "orders", queue)).isEqualTo(1);
        }
        assertThat(server.members("billing")).isEmpty();
    }

    @Test
    void doesNotPassTheOldestMessageThatIsStillInTheHandler() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            client.send(Message.to("orders").orderKey("same").text("m" + i));
        }
        CountDownLatch hold = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(4);
        Consumer consumer = client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(message -> {
                    if (message.text().equals("m0")) {
                        hold.await();
                        throw new IllegalStateException("not done, whatever the end");
                    }
                    others.countDown();
                })
                .start();
        server.refuse(ConsumerSendMessageBack.CODE, 1);
        assertThat(others.await(10, TimeUnit.SECONDS)).isTrue();
        hold.countDown();
        await().until(() -> server.count(ConsumerSendMessageBack.CODE) == 1);

        consumer.close();

        int queue = Math.abs("same".hashCode() % 4);
        assertThat(server.committed("billing", "orders", queue)).isZero();
    }

    @Test
    void bringsAFailedMessageAgainUnderItsOwnTopicAndThenGivesItUp() {
        client.send(Message.to("orders").key("k").text("bad"));
        List<Integer> attempts = Collections.synchronizedList(new ArrayList<>());
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .maxAttempts(3)
                .onMessage(message -> {
                    received.add(message);
                    attempts.add(message.attempt());
                    throw new IllegalStateException("scripted");
                })
                .start();

        await().until(() -> server.stored("%DLQ%billing").size() == 1);
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(received).allMatch(message -> message.topic().equals("orders"));
        assertThat(received).allMatch(message -> message.key().equals("k"));
        assertThat(received.get(0).id()).isEqualTo(received.get(2).id());
        assertThat(received.get(2).queue().topic()).isEqualTo("%RETRY%billing");
    }

    @Test
    void beginsAnewWhereTheBrokerSaysWhenItsOffsetIsGone() {
        server.queue("orders", 0).beginAt(50);
        server.commit("billing", "orders", 0, 7);
        client.consumer("billing").topic("orders").onMessage(received::add).start();

        await().until(() -> server.committed("billing", "orders", 0) == 50);
    }

    @Test
    void sharesTheQueuesAmongThreeMembersAndAgainWhenOneLeaves() {
        Consumer b = client.consumer("billing")
                .topic("orders")
                .onMessage(received::add)
                .start();
        Consumer a = newClient("client-a")
                .consumer("billing")
                .topic("orders")
                .onMessage(received::add)
                .start();
        Consumer c = newClient("client-c")
                .consumer("billing")
                .topic("orders")
                .onMessage(received::add)
                .start();

        await().untilAsserted(() -> {
            assertThat(orderQueues(a)).containsExactlyInAnyOrder(0, 1);
            assertThat(orderQueues(b)).containsExactly(2);
            assertThat(orderQueues(c)).containsExactly(3);
        });

        b.close();
        await().untilAsserted(() -> {
            assertThat(orderQueues(a)).containsExactlyInAnyOrder(0, 1);
            assertThat(orderQueues(c)).containsExactlyInAnyOrder(2, 3);
        });
    }

    private static List<Integer> orderQueues(Consumer consumer) {
        return consumer.queues().stream()
                .filter(queue -> queue.topic().equals("orders"))
                .map(MessageQueue::queueId)
                .toList();
    }

    @Test
    void givesEveryMessageToEveryBroadcastingMember() {
        List<ReceivedMessage> other = Collections.synchronizedList(new ArrayList<>());
        client.consumer("screens")
                .topic("orders")
                .broadcasting()
                .onMessage(received::add)
                .start();
        newClient("client-a")
                .consumer("screens")
                .topic("orders")
                .broadcasting()
                .onMessage(other::add)
                .start();

        send(8);

        await().until(() -> received.size() == 8 && other.size() == 8);
        assertThat(server.committed("screens", "orders", 0)).isEqualTo(-1);
    }

    @Test
    void keepsABroadcastingMembersOffsetsInTheStoreItIsGiven() {
        Map<MessageQueue, Long> kept = new ConcurrentHashMap<>();
        OffsetStore store = new OffsetStore() {
            @Override
            public OptionalLong load(MessageQueue queue) {
                return kept.containsKey(queue) ? OptionalLong.of(kept.get(queue)) : OptionalLong.empty();
            }

            @Override
            public void save(Map<MessageQueue, Long> offsets) {
                kept.putAll(offsets);
            }
        };
        kept.put(new MessageQueue("orders", ScriptedServer.BROKER, 0), 1L);
        send(8);
        Consumer consumer = client.consumer("screens")
                .topic("orders")
                .broadcasting(store)
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();
        await().until(() -> received.size() == 7);

        consumer.close();

        assertThat(kept.values()).containsOnly(2L);
    }

    @Test
    void triesABroadcastMessageAgainInItsOwnProcess() {
        AtomicInteger attempts = new AtomicInteger();
        client.consumer("screens")
                .topic("orders")
                .broadcasting()
                .retry(Backoff.fixed(Duration.ofMillis(1)))
                .onMessage(message -> {
                    attempts.set(message.attempt());
                    if (message.attempt() < 3) {
                        throw new IllegalStateException("scripted");
                    }
                    received.add(message);
                })
                .start();

        send(1);

        await().until(() -> received.size() == 1);
        assertThat(attempts).hasValue(3);
        assertThat(server.count(ConsumerSendMessageBack.CODE)).isZero();
    }

    @Test
    void handlesTheMessagesOfAQueueInOrderAndAFailedOneBeforeThoseBehindIt() {
        for (int i = 0; i < 20; i++) {
            client.send(Message.to("orders").orderKey("same").text("m" + i));
        }
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        client.consumer("ledger")
                .topic("orders")
                .from(StartFrom.START)
                .orderly()
                .retry(Backoff.fixed(Duration.ofMillis(1)))
                .onMessage(message -> {
                    seen.add(message.text() + "/" + message.attempt());
                    if (message.text().equals("m3") && message.attempt() < 3) {
                        throw new IllegalStateException("scripted");
                    }
                })
                .start();

        await().until(() -> seen.contains("m19/1"));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            expected.add("m" + i + "/1");
        }
        expected.add(4, "m3/2");
        expected.add(5, "m3/3");
        assertThat(seen).containsExactlyElementsOf(expected);
    }

    @Test
    void sendsAnOrderedMessageToTheDeadLettersAfterItsLastAttemptAndGoesOn() {
        client.send(Message.to("orders").orderKey("same").text("bad"));
        client.send(Message.to("orders").orderKey("same").text("good"));
        client.consumer("ledger")
                .topic("orders")
                .from(StartFrom.START)
                .orderly()
                .maxAttempts(2)
                .retry(Backoff.fixed(Duration.ofMillis(1)))
                .onMessage(message -> {
                    if (message.text().equals("bad")) {
                        throw new IllegalStateException("scripted");
                    }
                    received.add(message);
                })
                .start();

        await().until(() -> received.size() == 1);
        assertThat(server.stored("%DLQ%ledger"))
                .extracting(StoredQueue.Entry::text)
                .containsExactly("bad");
    }

    @Test
    void readsNoQueueInOrderThatAnotherMemberHasLocked() {
        MessageQueue queue = new MessageQueue("orders", ScriptedServer.BROKER, 0);
        server.lockFor("somebody-else", queue);
        Consumer consumer = client.consumer("ledger")
                .topic("orders")
                .orderly()
                .onMessage(received::add)
                .start();

        await().until(() -> orderQueues(consumer).size() == 3);
        assertThat(orderQueues(consumer)).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(server.locks()).containsEntry(new MessageQueue("orders", ScriptedServer.BROKER, 1), "client-b");

        consumer.close();
        await().untilAsserted(() -> assertThat(server.locks()).containsOnlyKeys(queue));
    }

    @Test
    void readsNoFurtherThanItsBufferWhileTheHandlerIsStuck() throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            client.send(Message.to("orders").orderKey("same").text("m" + i));
        }
        CountDownLatch hold = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .concurrency(1)
                .buffer(40, 1 << 20)
                .onMessage(message -> {
                    begun.countDown();
                    hold.await();
                    received.add(message);
                })
                .start();
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        // 32 in the first pull, 32 in the second one, then the buffer of 40 is full; the retry queue and three empty
        // ones
        // are asked once each.
        await().until(() -> server.count(PullMessage.CODE) >= 6);
        assertThat(server.count(PullMessage.CODE)).isEqualTo(6);

        hold.countDown();
        await().until(() -> received.size() == 200);
        assertThat(texts()).hasSize(200);
    }

    @Test
    void pullsAgainAfterTheBrokerFailed() {
        server.refuse(PullMessage.CODE, 1, 2, 24, 1);
        send(4);
        client.consumer("billing")
                .topic("orders")
                .from(StartFrom.START)
                .onMessage(received::add)
                .start();

        await().until(() -> received.size() == 4);
    }

    @Test
    void refusesASecondMemberOfTheSameGroup() {
        client.consumer("billing").topic("orders").onMessage(received::add).start();

        assertThatThrownBy(() -> client.consumer("billing")
                        .topic("orders")
                        .onMessage(received::add)
                        .start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("use a second client for a second member");
    }
}
