package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

/** Delayed messages taken back by the client of 5.x, the first generation that can. */
class RecallTest extends AgainstServer {
    @Test
    void whatIsRecalledInTimeNeverComesAndTheRestDoes() throws Exception {
        String topic = clients.topic(1);
        DefaultMQProducer producer = clients.producer();
        List<MessageExt> got = list();
        clients.collect(unique("readers"), topic, "*", got);
        SendResult recalled = producer.send(in(2_000, message(topic, "recalled")));
        SendResult kept = producer.send(in(2_000, message(topic, "kept")));
        producer.send(in(3_000, message(topic, "behind")));

        assertThat(producer.recallMessage(topic, recalled.getRecallHandle())).isEqualTo(recalled.getMsgId());
        assertThat(producer.recallMessage(topic, recalled.getRecallHandle())).isEqualTo(recalled.getMsgId());

        awaitSize(got, 2);
        assertThat(got).extracting(Clients::body).containsExactly("kept", "behind");
        MQBrokerException tooLate = catchThrowableOfType(
                MQBrokerException.class, () -> producer.recallMessage(topic, kept.getRecallHandle()));
        assertThat(tooLate.getResponseCode()).isEqualTo(604);
        assertThat(tooLate.getErrorMessage()).contains("was delivered already");
    }

    private static Message in(long delayMillis, Message message) {
        message.setDelayTimeMs(delayMillis);
        return message;
    }
}
