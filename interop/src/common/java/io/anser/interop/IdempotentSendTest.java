package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

class IdempotentSendTest extends AgainstServer {
    private static Message keyed(String topic, String key) {
        Message message = message(topic, key);
        message.putUserProperty("IDEMPOTENCY_KEY", key);
        return message;
    }

    @Test
    void messagesSentAgainWithTheirKeyAreDeliveredOnce() throws Exception {
        String topic = clients.topic(4);
        List<MessageExt> received = list();
        clients.collect(unique("group"), topic, "*", received);
        DefaultMQProducer producer = clients.producer();
        for (int i = 0; i < 10; i++) {
            SendResult first = producer.send(keyed(topic, "m" + i));
            // Another try takes another queue, as that of a client that heard no answer does.
            SendResult second = producer.send(keyed(topic, "m" + i));

            assertThat(second.getSendStatus()).isEqualTo(SendStatus.SEND_OK);
            assertThat(second.getMessageQueue()).isEqualTo(first.getMessageQueue());
            assertThat(second.getQueueOffset()).isEqualTo(first.getQueueOffset());
            assertThat(second.getOffsetMsgId()).isEqualTo(first.getOffsetMsgId());
        }
        producer.send(message(topic, "last"));

        awaitSize(received, 11);
        assertThat(received).hasSize(11);
        assertThat(bodies(received)).hasSize(11).contains("m0", "m9", "last");
    }
}
