package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.body;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.numbered;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

class ConsumeTest extends AgainstServer {
    private void send(String topic, String prefix, int count) throws Exception {
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < count; i++) {
            producer.send(message(topic, prefix + i));
        }
    }

    @Test
    void concurrentConsumerGetsEveryMessageOnce() throws Exception {
        String topic = clients.topic(4);
        List<MessageExt> received = list();
        clients.collect(unique("group"), topic, "*", received);

        send(topic, "m", 100);

        awaitSize(received, 100);
        assertThat(received).hasSize(100);
        assertThat(bodies(received)).isEqualTo(numbered("m", 100));
    }

    @Test
    void orderlyConsumerSeesEachQueueInOffsetOrder() throws Exception {
        String topic = clients.topic(3);
        send(topic, "m", 90);
        Map<Integer, List<Long>> offsets = new ConcurrentHashMap<>();
        DefaultMQPushConsumer consumer = clients.pushConsumer(unique("group"));
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerOrderly) (messages, context) -> {
            messages.forEach(each -> offsets.computeIfAbsent(each.getQueueId(), id -> new CopyOnWriteArrayList<>())
                    .add(each.getQueueOffset()));
            return ConsumeOrderlyStatus.SUCCESS;
        });
        consumer.start();

        await().atMost(Duration.ofSeconds(60))
                .until(() -> offsets.values().stream().mapToInt(List::size).sum() >= 90);
        List<Long> zeroTo29 = LongStream.range(0, 30).boxed().toList();
        assertThat(offsets).containsOnly(Map.entry(0, zeroTo29), Map.entry(1, zeroTo29), Map.entry(2, zeroTo29));
    }

    @Test
    void orderlyConsumerRetriesInPlaceBeforeItGoesOn() throws Exception {
        String topic = clients.topic(1);
        send(topic, "m", 6);
        List<String> handled = list();
        AtomicInteger failures = new AtomicInteger();
        DefaultMQPushConsumer consumer = clients.pushConsumer(unique("group"));
        consumer.setConsumeMessageBatchMaxSize(1);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerOrderly) (messages, context) -> {
            String body = body(messages.get(0));
            if (body.equals("m2") && failures.getAndIncrement() < 2) {
                context.setSuspendCurrentQueueTimeMillis(100);
                return ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT;
            }
            handled.add(body);
            return ConsumeOrderlyStatus.SUCCESS;
        });
        consumer.start();

        awaitSize(handled, 6);
        assertThat(handled).containsExactly("m0", "m1", "m2", "m3", "m4", "m5");
        assertThat(failures).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void broadcastingGivesEveryMemberEverything() throws Exception {
        String topic = clients.topic(2);
        String group = unique("group");
        List<List<MessageExt>> members = List.of(list(), list());
        for (List<MessageExt> member : members) {
            DefaultMQPushConsumer consumer = clients.pushConsumer(group);
            Broadcasting.set(consumer);
            consumer.subscribe(topic, "*");
            consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
                member.addAll(messages);
                return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            });
            consumer.start();
        }

        send(topic, "m", 40);

        for (List<MessageExt> member : members) {
            awaitSize(member, 40);
            assertThat(bodies(member)).isEqualTo(numbered("m", 40));
        }
    }

    @Test
    void threeMembersShareTheQueuesAndTakeOverFromOneThatLeaves() throws Exception {
        String topic = clients.topic(6);
        String group = unique("group");
        List<List<MessageExt>> members = List.of(list(), list(), list());
        List<DefaultMQPushConsumer> consumers = new ArrayList<>();
        for (List<MessageExt> member : members) {
            consumers.add(clients.collect(group, topic, "*", member));
        }
        DefaultMQProducer producer = clients.producer();
        AtomicInteger sent = new AtomicInteger();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            sendToEachQueue(producer, topic, 6, sent);
            return members.stream().noneMatch(List::isEmpty);
        });

        consumers.get(1).shutdown();
        for (int i = 0; i < 10; i++) {
            sendToEachQueue(producer, topic, 6, sent);
        }

        await().atMost(Duration.ofSeconds(60)).until(() -> {
            Set<String> seen = new TreeSet<>();
            members.forEach(member -> seen.addAll(bodies(member)));
            return seen.size() == sent.get();
        });
    }

    private static void sendToEachQueue(DefaultMQProducer producer, String topic, int queues, AtomicInteger sent)
            throws Exception {
        for (int queue = 0; queue < queues; queue++) {
            Message next = message(topic, "m" + sent.getAndIncrement());
            producer.send(next, new MessageQueue(topic, Clients.BROKER, queue));
        }
    }

    @Test
    void tagsChooseWhatIsDelivered() throws Exception {
        String topic = clients.topic(2);
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < 30; i++) {
            String tag = List.of("a", "b", "c").get(i % 3);
            producer.send(new Message(topic, tag, ("m" + i).getBytes(StandardCharsets.UTF_8)));
        }
        List<MessageExt> received = list();

        clients.collect(unique("group"), topic, "a || c", received);

        awaitSize(received, 20);
        assertThat(received).hasSize(20).extracting(MessageExt::getTags).containsOnly("a", "c");
    }

    @Test
    void aFailedMessageComesAgainWithItsCountItsTopicAndItsId() throws Exception {
        String topic = clients.topic(1);
        String id = clients.producer()
                .send(new Message(topic, "tag", "key", "again".getBytes(StandardCharsets.UTF_8)))
                .getMsgId();
        List<MessageExt> deliveries = list();
        DefaultMQPushConsumer consumer = clients.pushConsumer(unique("group"));
        consumer.subscribe(topic, "tag");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            context.setDelayLevelWhenNextConsume(1);
            deliveries.addAll(messages);
            return messages.get(0).getReconsumeTimes() < 2
                    ? ConsumeConcurrentlyStatus.RECONSUME_LATER
                    : ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();

        awaitSize(deliveries, 3);
        assertThat(deliveries).extracting(MessageExt::getReconsumeTimes).containsExactly(0, 1, 2);
        assertThat(deliveries).extracting(MessageExt::getTopic).containsOnly(topic);
        assertThat(deliveries).extracting(MessageExt::getMsgId).containsOnly(id);
        assertThat(deliveries).extracting(Clients::body).containsOnly("again");
    }

    @Test
    void aMessageThatFailsTooOftenIsFoundInTheDeadLetterQueue() throws Exception {
        String topic = clients.topic(1);
        String group = unique("group");
        clients.producer().send(message(topic, "poison"));
        DefaultMQPushConsumer consumer = clients.pushConsumer(group);
        consumer.setMaxReconsumeTimes(1);
        consumer.subscribe(topic, "*");
        AtomicInteger deliveries = new AtomicInteger();
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            context.setDelayLevelWhenNextConsume(1);
            deliveries.incrementAndGet();
            return ConsumeConcurrentlyStatus.RECONSUME_LATER;
        });
        consumer.start();
        List<MessageExt> dead = list();

        await().atMost(Duration.ofSeconds(60)).until(() -> hasRoute("%DLQ%" + group));
        clients.collect(unique("group"), "%DLQ%" + group, "*", dead);

        awaitSize(dead, 1);
        assertThat(dead).extracting(Clients::body).containsExactly("poison");
        assertThat(deliveries).hasValue(2);
    }

    @Test
    void aMessageThatFailsTooOftenInOrderIsADeadLetterAtOnceAndTheQueueGoesOn() throws Exception {
        String topic = clients.topic(1);
        String group = unique("group");
        send(topic, "m", 2);
        List<String> handled = list();
        DefaultMQPushConsumer consumer = clients.pushConsumer(group);
        consumer.setMaxReconsumeTimes(2);
        consumer.setConsumeMessageBatchMaxSize(1);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerOrderly) (messages, context) -> {
            context.setSuspendCurrentQueueTimeMillis(100);
            handled.add(body(messages.get(0)));
            return body(messages.get(0)).equals("m0")
                    ? ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT
                    : ConsumeOrderlyStatus.SUCCESS;
        });
        consumer.start();

        awaitSize(handled, 4);
        assertThat(handled).containsExactly("m0", "m0", "m0", "m1");
        List<MessageExt> dead = list();
        await().atMost(Duration.ofSeconds(60)).until(() -> hasRoute("%DLQ%" + group));
        clients.collect(unique("group"), "%DLQ%" + group, "*", dead);
        awaitSize(dead, 1);
        assertThat(dead).extracting(Clients::body).containsExactly("m0");
        assertThat(dead.get(0).getStoreTimestamp() - dead.get(0).getBornTimestamp())
                .as("without the delay of another retry")
                .isLessThan(10_000);
    }

    private boolean hasRoute(String topic) throws Exception {
        try {
            return !clients.admin().examineTopicRouteInfo(topic).getQueueDatas().isEmpty();
        } catch (org.apache.rocketmq.client.exception.MQClientException noRouteYet) {
            return false;
        }
    }

    @Test
    void delayedMessagesArriveWhenTheyAreDue() throws Exception {
        String topic = clients.topic(1);
        List<MessageExt> received = list();
        clients.collect(unique("group"), topic, "*", received);
        Message delayed = message(topic, "later");
        delayed.setDelayTimeLevel(2);

        clients.producer().send(delayed);

        awaitSize(received, 1);
        MessageExt message = received.get(0);
        assertThat(message.getStoreTimestamp() - message.getBornTimestamp()).isBetween(4_900L, 7_000L);
    }

    @Test
    void aGroupGoesOnWhereItStopped() throws Exception {
        String topic = clients.topic(2);
        String group = unique("group");
        List<MessageExt> before = list();
        List<MessageExt> after = list();
        send(topic, "a", 20);
        DefaultMQPushConsumer first = clients.collect(group, topic, "*", before);
        awaitSize(before, 20);
        first.shutdown();

        send(topic, "b", 20);
        clients.collect(group, topic, "*", after);

        awaitSize(after, 20);
        assertThat(bodies(after)).isEqualTo(numbered("b", 20));
    }
}
