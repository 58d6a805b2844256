package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

/** Compaction topics as tools and clients of 5.x make and use them. */
class CompactionTopicTest extends AgainstServer {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aCompactionTopicTakesMessagesWithAKeyOnly() throws Exception {
        String topic = unique("topic");
        create(topic, Map.of("+cleanup.policy", "COMPACTION"));
        DefaultMQProducer producer = clients.producer();
        List<MessageExt> got = list();
        clients.collect(unique("readers"), topic, "*", got);

        producer.send(keyed(topic, "EURUSD", "1.08"));
        producer.send(keyed(topic, "EURUSD", "1.09"));
        MQBrokerException refused =
                catchThrowableOfType(MQBrokerException.class, () -> producer.send(message(topic, "no key")));

        assertThat(refused.getResponseCode()).isEqualTo(13);
        assertThat(refused.getErrorMessage()).contains("takes none without a key");
        awaitSize(got, 2);
        assertThat(got).extracting(Clients::body).containsExactlyInAnyOrder("1.08", "1.09");
        assertThat(clients.admin().examineTopicConfig(server.address(), topic).getAttributes())
                .containsEntry("cleanup.policy", "COMPACTION");
    }

    @Test
    void theLatestMessageOfEachKeyOutlivesTheRetentionOfItsTopicAndAKill() throws Exception {
        String topic = unique("topic");
        create(topic, Map.of("+cleanup.policy", "COMPACTION", "+retention.bytes", "1048576"));
        DefaultMQProducer producer = clients.producer();
        producer.setCompressMsgBodyOverHowmuch(4 << 20);
        producer.send(keyed(topic, "EURUSD", "1.08"));
        producer.send(keyed(topic, "GBPUSD", "1.27"));
        producer.send(keyed(topic, "EURUSD", "1.09"));
        for (int i = 0; i < 4; i++) {
            producer.send(keyed(topic, "large", "x".repeat(1 << 20)));
        }
        MessageQueue queue = new MessageQueue(topic, Clients.BROKER, 0);

        await().atMost(PATIENCE).until(() -> {
            clients.admin().cleanExpiredConsumerQueueByAddr(server.address());
            return clients.admin().minOffset(queue) > 0;
        });

        assertThat(clients.admin().minOffset(queue)).isEqualTo(1);
        assertThat(small(topic)).containsExactly("1 1.27", "2 1.09");
        server.kill();
        server.restart();
        assertThat(small(topic)).containsExactly("1 1.27", "2 1.09");
    }

    @Test
    void thePolicyOfATopicStays() throws Exception {
        String topic = clients.topic(1);

        MQClientException refused = catchThrowableOfType(
                MQClientException.class, () -> create(topic, Map.of("+cleanup.policy", "COMPACTION")));

        assertThat(refused.getErrorMessage()).contains("cannot be changed: it is chosen when the topic is made");
    }

    @Test
    void aLiteTopicIsRefusedWithAReason() {
        MQClientException refused = catchThrowableOfType(
                MQClientException.class, () -> create(unique("topic"), Map.of("+message.type", "LITE")));

        assertThat(refused.getResponseCode()).isEqualTo(29);
        assertThat(refused.getErrorMessage()).contains("lite topics are not supported yet");
    }

    /** Offsets and bodies of the small messages that a new group gets, one behind the other. */
    private List<String> small(String topic) throws Exception {
        List<MessageExt> got = list();
        clients.collect(unique("readers"), topic, "*", got);
        await().atMost(PATIENCE).until(() -> got.stream().anyMatch(each -> each.getQueueOffset() == 6));
        return got.stream()
                .filter(each -> each.getBody().length < 100)
                .sorted(Comparator.comparingLong(MessageExt::getQueueOffset))
                .map(each -> each.getQueueOffset() + " " + Clients.body(each))
                .toList();
    }

    private void create(String topic, Map<String, String> attributes) throws Exception {
        TopicConfig config = new TopicConfig(topic, 1, 1, 6);
        config.setAttributes(attributes);
        clients.admin().createAndUpdateTopicConfig(server.address(), config);
    }

    private static Message keyed(String topic, String key, String body) {
        Message message = message(topic, body);
        message.setKeys(key);
        return message;
    }
}
