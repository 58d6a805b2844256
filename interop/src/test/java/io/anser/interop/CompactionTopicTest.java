package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

/** Compaction topics as tools and clients of 5.x make and use them. */
class CompactionTopicTest extends AgainstServer {
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
