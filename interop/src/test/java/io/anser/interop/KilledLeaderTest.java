package io.anser.interop;

import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.body;
import static io.anser.interop.Clients.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.message.MessageRequestMode;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified clients while the leader of a group is killed. */
@Timeout(300)
class KilledLeaderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int QUEUES = 4;

    private AnserGroup group;
    private Clients clients;
    private AnserServer leader;
    private String topic;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        group = new AnserGroup(data);
        clients = new Clients(group.nameServer());
        leader = group.leader(clients);
        topic = Clients.unique("topic");
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            clients.admin().createAndUpdateTopicConfig(leader.address(), new TopicConfig(topic, QUEUES, QUEUES, 6));
            return true;
        });
    }

    @AfterEach
    void stop() {
        clients.close();
        group.close();
    }

    private DefaultMQProducer producer() throws MQClientException {
        DefaultMQProducer producer = new DefaultMQProducer(Clients.unique("producers"));
        producer.setNamesrvAddr(group.nameServer());
        producer.setInstanceName(Clients.unique("producer"));
        producer.setPollNameServerInterval(1_000);
        producer.start();
        return producer;
    }

    @Test
    void consumersOfBothKindsGetWhatWasAcknowledgedAndInOrder() throws Exception {
        List<MessageExt> concurrently = Clients.list();
        clients.collect(Clients.unique("group"), topic, "*", concurrently);
        Map<Integer, List<String>> inOrder = new ConcurrentHashMap<>();
        DefaultMQPushConsumer ordered = clients.pushConsumer(Clients.unique("ordered"));
        ordered.subscribe(topic, "*");
        ordered.registerMessageListener((MessageListenerOrderly) (messages, context) -> {
            messages.forEach(each -> inOrder.computeIfAbsent(each.getQueueId(), id -> Clients.list())
                    .add(body(each)));
            return ConsumeOrderlyStatus.SUCCESS;
        });
        ordered.start();
        Map<Integer, List<String>> sent = new HashMap<>();
        DefaultMQProducer producer = producer();
        send(producer, "before", 400, sent);
        await().atMost(PATIENCE).until(() -> concurrently.size() >= 200);

        leader.kill();
        send(producer, "after", 400, sent);
        producer.shutdown();

        Set<String> all = ConcurrentHashMap.newKeySet();
        sent.values().forEach(all::addAll);
        await().atMost(PATIENCE).until(() -> bodies(concurrently).containsAll(all));
        await().atMost(PATIENCE).until(() -> {
            Set<String> got = ConcurrentHashMap.newKeySet();
            inOrder.values().forEach(got::addAll);
            return got.containsAll(all);
        });
        // A message may come again after the change; leaving out all but the first time, the order is that of the
        // sends.
        sent.forEach((queue, bodies) -> assertThat(new ArrayList<>(new LinkedHashSet<>(inOrder.get(queue))))
                .containsSubsequence(bodies));
    }

    @Test
    void popConsumersGetWhatWasAcknowledgedAndNothingTheyHaveAcked() throws Exception {
        String popping = Clients.unique("popping");
        clients.admin().setMessageRequestMode(leader.address(), topic, popping, MessageRequestMode.POP, 8, 5_000);
        List<MessageExt> got = Clients.list();
        DefaultMQPushConsumer consumer = clients.pushConsumer(popping);
        consumer.setClientRebalance(false);
        consumer.setPopInvisibleTime(20_000);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            got.addAll(messages);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();
        Map<Integer, List<String>> sent = new HashMap<>();
        DefaultMQProducer producer = producer();
        send(producer, "before", 200, sent);
        await().atMost(PATIENCE).until(() -> bodies(got).size() == 200);
        List<String> early = got.stream().map(Clients::body).toList();

        leader.kill();
        send(producer, "after", 200, sent);
        producer.shutdown();

        Set<String> all = ConcurrentHashMap.newKeySet();
        sent.values().forEach(all::addAll);
        await().atMost(PATIENCE).until(() -> bodies(got).containsAll(all));
        // What was in flight at the moment of the kill may come again: the last batch of each queue at most.
        long again = got.stream().map(Clients::body).filter(early::contains).count() - early.size();
        assertThat(again).isLessThanOrEqualTo(32L * QUEUES);
    }

    @Test
    void aDelayedMessageComesOnceAndAnOpenTransactionIsAskedAboutByTheNewLeader() throws Exception {
        List<MessageExt> got = Clients.list();
        clients.collect(Clients.unique("group"), topic, "*", got);
        AtomicReference<LocalTransactionState> decision = new AtomicReference<>(LocalTransactionState.UNKNOW);
        TransactionMQProducer transactions =
                clients.transactionProducer(Clients.unique("transactions"), new TransactionListener() {
                    @Override
                    public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
                        return LocalTransactionState.UNKNOW;
                    }

                    @Override
                    public LocalTransactionState checkLocalTransaction(MessageExt message) {
                        return decision.get();
                    }
                });
        transactions.sendMessageInTransaction(message(topic, "half"), null);
        Message delayed = message(topic, "delayed");
        delayed.setDelayTimeMs(8_000);
        assertThat(transactions.send(delayed).getSendStatus()).isEqualTo(SendStatus.SEND_OK);

        leader.kill();
        decision.set(LocalTransactionState.COMMIT_MESSAGE);

        await().atMost(PATIENCE).until(() -> bodies(got).equals(Set.of("half", "delayed")));
        Map<Integer, List<String>> sent = new HashMap<>();
        send(transactions, "behind", 20, sent);
        await().atMost(PATIENCE).until(() -> bodies(got).size() == 22);
        assertThat(got).hasSize(22);
    }

    /** Sends each message until it is acknowledged, and notes in which queue; a body that was not may be stored too. */
    private void send(DefaultMQProducer producer, String prefix, int count, Map<Integer, List<String>> sent) {
        for (int i = 0; i < count; i++) {
            String text = prefix + i;
            MessageQueue queue = new MessageQueue(topic, Clients.BROKER, i % QUEUES);
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> isStored(producer, text, queue));
            sent.computeIfAbsent(queue.getQueueId(), id -> new ArrayList<>()).add(text);
        }
    }

    private boolean isStored(DefaultMQProducer producer, String text, MessageQueue queue) throws InterruptedException {
        try {
            SendResult result = producer.send(message(topic, text), queue);
            return result.getSendStatus() == SendStatus.SEND_OK;
        } catch (MQClientException | RemotingException | MQBrokerException e) {
            return false;
        }
    }
}
