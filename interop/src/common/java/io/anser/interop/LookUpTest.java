package io.anser.interop;

import static io.anser.interop.Clients.body;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

class LookUpTest extends AgainstServer {
    private static final int MOST = 64;

    @Test
    void aKeyIsFoundAsSoonAsItsMessageIsSent() throws Exception {
        DefaultMQProducer producer = clients.producer();
        String topic = unique("keys");
        for (int i = 0; i < 20; i++) {
            producer.send(keyed(topic, "Aa shared only" + i, "m" + i));
            assertThat(find(producer, topic, "only" + i, 0, Long.MAX_VALUE)).containsExactly("m" + i);
        }
        producer.send(keyed(topic, "BB", "other"));

        assertThat(find(producer, topic, "shared", 0, Long.MAX_VALUE)).hasSize(20);
        assertThat(find(producer, topic, "Aa", 0, Long.MAX_VALUE)).hasSize(20).doesNotContain("other");
        assertThat(find(producer, topic, "BB", 0, Long.MAX_VALUE)).containsExactly("other");
        assertThatThrownBy(() -> find(producer, topic, "none", 0, Long.MAX_VALUE))
                .isInstanceOf(MQClientException.class);
    }

    @Test
    void aMessageIsFoundByItsUniqueIdAndByItsOffsetId() throws Exception {
        DefaultMQProducer producer = clients.producer();
        String topic = unique("ids");
        SendResult sent = producer.send(keyed(topic, "k", "wanted"));
        producer.send(keyed(topic, "k", "another"));

        MessageExt byUniqueId = producer.viewMessage(topic, sent.getMsgId());
        MessageExt byOffsetId = producer.viewMessage(topic, sent.getOffsetMsgId());

        assertThat(body(byUniqueId)).isEqualTo("wanted");
        assertThat(body(byOffsetId)).isEqualTo("wanted");
        assertThat(byUniqueId.getQueueOffset()).isEqualTo(sent.getQueueOffset());
    }

    @Test
    void aTimeRangeHasBothItsEnds() throws Exception {
        DefaultMQProducer producer = clients.producer();
        String topic = unique("times");
        MessageExt first = sent(producer, topic, "first");
        MessageExt last = first;
        while (last.getStoreTimestamp() == first.getStoreTimestamp()) {
            last = sent(producer, topic, "last");
        }

        assertThat(find(producer, topic, "k", last.getStoreTimestamp(), Long.MAX_VALUE))
                .containsExactly("last");
        assertThat(find(producer, topic, "k", 0, first.getStoreTimestamp()))
                .contains("first")
                .hasSizeLessThanOrEqualTo(MOST);
        assertThatThrownBy(() -> find(producer, topic, "k", 0, first.getStoreTimestamp() - 1))
                .isInstanceOf(MQClientException.class);
    }

    private static MessageExt sent(DefaultMQProducer producer, String topic, String body) throws Exception {
        return producer.viewMessage(
                topic, producer.send(keyed(topic, "k", body)).getOffsetMsgId());
    }

    private static Message keyed(String topic, String keys, String body) {
        return new Message(topic, "tag", keys, body.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> find(DefaultMQProducer producer, String topic, String key, long from, long until)
            throws Exception {
        return producer.queryMessage(topic, key, MOST, from, until).getMessageList().stream()
                .map(Clients::body)
                .toList();
    }
}
