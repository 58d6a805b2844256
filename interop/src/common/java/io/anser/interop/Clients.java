package io.anser.interop;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.tools.admin.DefaultMQAdminExt;

/** Apache clients with names of their own, shut down in reverse order of their start. */
final class Clients implements AutoCloseable {
    static final String CLUSTER = "DefaultCluster";
    static final String BROKER = "broker-a";

    /** Broadcasting clients keep offsets in files: names must differ from those of any run before. */
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String nameServer;
    private final Deque<Runnable> shutdowns = new ArrayDeque<>();
    private DefaultMQAdminExt admin;

    @SuppressWarnings("deprecation") // the one class of both generations that reads a chosen offset
    private DefaultMQPullConsumer reader;

    Clients(AnserServer server) {
        this(server.address());
    }

    /** Clients of whatever has its name server there. */
    Clients(String nameServer) {
        this.nameServer = nameServer;
    }

    /** A name nobody else uses. */
    static String unique(String prefix) {
        return prefix + "-" + RUN + "-" + NAMES.incrementAndGet();
    }

    DefaultMQProducer producer() throws MQClientException {
        DefaultMQProducer producer = new DefaultMQProducer(unique("producers"));
        producer.setNamesrvAddr(nameServer);
        producer.setInstanceName(unique("producer"));
        producer.setSendMsgTimeout(10_000);
        shutdowns.push(producer::shutdown);
        producer.start();
        return producer;
    }

    /** A started producer of transactions; several may share a group. */
    TransactionMQProducer transactionProducer(String group, TransactionListener listener) throws MQClientException {
        TransactionMQProducer producer = new TransactionMQProducer(group);
        producer.setNamesrvAddr(nameServer);
        producer.setInstanceName(unique("producer"));
        producer.setSendMsgTimeout(10_000);
        producer.setPollNameServerInterval(1_000);
        producer.setHeartbeatBrokerInterval(1_000);
        producer.setTransactionListener(listener);
        shutdowns.push(producer::shutdown);
        producer.start();
        return producer;
    }

    /** A consumer that is not started yet: it reads from the first offset and looks for changes every second. */
    DefaultMQPushConsumer pushConsumer(String group) {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
        consumer.setNamesrvAddr(nameServer);
        consumer.setInstanceName(unique("consumer"));
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.setPollNameServerInterval(1_000);
        consumer.setHeartbeatBrokerInterval(1_000);
        consumer.setConsumeThreadMin(2);
        consumer.setConsumeThreadMax(4);
        shutdowns.push(consumer::shutdown);
        return consumer;
    }

    /** A consumer that is polled, not started yet. */
    DefaultLitePullConsumer litePullConsumer(String group) {
        DefaultLitePullConsumer consumer = new DefaultLitePullConsumer(group);
        consumer.setNamesrvAddr(nameServer);
        consumer.setInstanceName(unique("poller"));
        consumer.setPollNameServerInterval(1_000);
        consumer.setHeartbeatBrokerInterval(1_000);
        shutdowns.push(consumer::shutdown);
        return consumer;
    }

    /** A started consumer that puts what it gets into a list. */
    DefaultMQPushConsumer collect(String group, String topic, String tags, Collection<MessageExt> into)
            throws MQClientException {
        DefaultMQPushConsumer consumer = pushConsumer(group);
        consumer.subscribe(topic, tags);
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            into.addAll(messages);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();
        return consumer;
    }

    @SuppressWarnings("deprecation") // the one class of both generations that reads a chosen offset
    DefaultMQPullConsumer pullConsumer() throws MQClientException {
        return pullConsumer(unique("pullers"));
    }

    @SuppressWarnings("deprecation") // as above
    DefaultMQPullConsumer pullConsumer(String group) throws MQClientException {
        DefaultMQPullConsumer consumer = new DefaultMQPullConsumer(group);
        consumer.setNamesrvAddr(nameServer);
        consumer.setInstanceName(unique("puller"));
        shutdowns.push(consumer::shutdown);
        consumer.start();
        return consumer;
    }

    /** A consumer that reads chosen places, the same one always. */
    @SuppressWarnings("deprecation") // as above
    DefaultMQPullConsumer reader() throws MQClientException {
        if (reader == null) {
            reader = pullConsumer();
        }
        return reader;
    }

    DefaultMQAdminExt admin() throws MQClientException {
        if (admin == null) {
            admin = new DefaultMQAdminExt(10_000);
            admin.setNamesrvAddr(nameServer);
            admin.setInstanceName(unique("admin"));
            shutdowns.push(admin::shutdown);
            admin.start();
        }
        return admin;
    }

    /** Makes a topic with a name of its own on the one broker. */
    String topic(int queues) throws Exception {
        String topic = unique("topic");
        createTopic(topic, queues);
        return topic;
    }

    void createTopic(String topic, int queues) throws Exception {
        admin().createAndUpdateTopicConfig(nameServer, new TopicConfig(topic, queues, queues, 6));
    }

    /** The address of the one broker, which its name server knows; a server of ours has both at one address. */
    String brokerAddress() throws Exception {
        return admin().examineBrokerClusterInfo()
                .getBrokerAddrTable()
                .get(BROKER)
                .selectBrokerAddr();
    }

    static Message message(String topic, String body) {
        return new Message(topic, body.getBytes(StandardCharsets.UTF_8));
    }

    static String body(MessageExt message) {
        return new String(message.getBody(), StandardCharsets.UTF_8);
    }

    static Set<String> bodies(Collection<MessageExt> messages) {
        Set<String> bodies = new TreeSet<>();
        messages.forEach(message -> bodies.add(body(message)));
        return bodies;
    }

    static Set<String> numbered(String prefix, int count) {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            names.add(prefix + i);
        }
        return names;
    }

    static <T> List<T> list() {
        return new CopyOnWriteArrayList<>();
    }

    static void awaitSize(Collection<?> collection, int size) {
        await().atMost(Duration.ofSeconds(60)).until(() -> collection.size() >= size);
    }

    @Override
    public void close() {
        while (!shutdowns.isEmpty()) {
            shutdowns.pop().run();
        }
    }
}
