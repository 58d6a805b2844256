package io.anser.interop;

import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.consumer.store.OffsetStore;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;

/** Light queues (LMQ): one message in several queues, each with offsets of its own. */
@SuppressWarnings("deprecation") // the one consumer of both generations that reads a queue without a route
class LightQueueTest extends AgainstServer {
    @Test
    void aMessageIsReadFromItsTopicAndFromEachLightQueueThatItNames() throws Exception {
        String topic = clients.topic(1);
        MessageQueue one = light(unique("device"));
        MessageQueue two = light(unique("building"));
        DefaultMQProducer producer = clients.producer();
        producer.send(listed(message(topic, "first"), one, two));
        producer.send(listed(message(topic, "second"), two));
        DefaultMQPullConsumer consumer = clients.pullConsumer();
        // From the route of the topic the client knows the address of the broker.
        MessageQueue own =
                consumer.fetchSubscribeMessageQueues(topic).iterator().next();

        assertThat(consumer.pull(own, "*", 0, 32).getMsgFoundList())
                .extracting(Clients::body)
                .containsExactly("first", "second");
        assertThat(consumer.pull(one, "*", 0, 32).getMsgFoundList())
                .extracting(Clients::body)
                .containsExactly("first");
        PullResult found = consumer.pull(two, "*", 1, 32);
        assertThat(found.getMsgFoundList()).extracting(Clients::body).containsExactly("second");
        assertThat(found.getMsgFoundList().get(0).getTopic()).isEqualTo(topic);
        assertThat(found.getNextBeginOffset()).isEqualTo(2);
        assertThat(consumer.maxOffset(two)).isEqualTo(2);
        assertThat(consumer.pull(two, "*", 2, 32).getPullStatus()).isEqualTo(PullStatus.NO_NEW_MSG);
    }

    @Test
    void offsetsOfLightQueuesAreKept() throws Exception {
        String topic = clients.topic(1);
        MessageQueue queue = light(unique("device"));
        clients.producer().send(listed(message(topic, "first"), queue));
        String group = unique("readers");
        DefaultMQPullConsumer consumer = clients.pullConsumer(group);
        readOwn(consumer, topic);
        OffsetStore offsets = consumer.getDefaultMQPullConsumerImpl().getOffsetStore();

        offsets.updateConsumeOffsetToBroker(queue, 1, false);

        DefaultMQPullConsumer another = clients.pullConsumer(group);
        readOwn(another, topic);
        assertThat(another.fetchConsumeOffset(queue, true)).isEqualTo(1);
    }

    @Test
    void aNameThatIsNoLightQueueIsRefused() throws Exception {
        String topic = clients.topic(1);
        DefaultMQProducer producer = clients.producer();
        Message message = message(topic, "x");
        message.putUserProperty("INNER_MULTI_DISPATCH", "Orders");

        MQBrokerException refused = catchThrowableOfType(MQBrokerException.class, () -> producer.send(message));

        assertThat(refused.getResponseCode()).isEqualTo(13);
        assertThat(refused.getErrorMessage()).contains("names \"Orders\", which is no light queue");
    }

    /** Reads the topic itself, by whose route the client gets to know the address of the broker. */
    private static PullResult readOwn(DefaultMQPullConsumer consumer, String topic) throws Exception {
        return consumer.pull(
                consumer.fetchSubscribeMessageQueues(topic).iterator().next(), "*", 0, 32);
    }

    private static MessageQueue light(String name) {
        return new MessageQueue("%LMQ%" + name, Clients.BROKER, 0);
    }

    private static Message listed(Message message, MessageQueue... queues) {
        StringBuilder names = new StringBuilder();
        for (MessageQueue queue : queues) {
            names.append(names.length() == 0 ? "" : ",").append(queue.getTopic());
        }
        message.putUserProperty("INNER_MULTI_DISPATCH", names.toString());
        return message;
    }
}
