package io.anser.interop;

import static io.anser.interop.Clients.bodies;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.AckCallback;
import org.apache.rocketmq.client.consumer.AckResult;
import org.apache.rocketmq.client.consumer.AckStatus;
import org.apache.rocketmq.client.consumer.PopCallback;
import org.apache.rocketmq.client.consumer.PopResult;
import org.apache.rocketmq.client.consumer.PopStatus;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.header.AckMessageRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.ExtraInfoUtil;
import org.apache.rocketmq.remoting.protocol.header.PopMessageRequestHeader;
import org.junit.jupiter.api.Test;

/**
 * Pops from light queues with the calls that client 5.5.0 has for it: it works out the offsets there from what each message
 * says.
 */
class LightQueuePopTest extends AgainstServer {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long TIMEOUT_MILLIS = 30_000;
    private static final long INVISIBLE_MILLIS = 10_000;

    @Test
    void whatIsPoppedOfALightQueueAndAcknowledgedDoesNotComeAgain() throws Exception {
        String topic = clients.topic(1);
        String light = "%LMQ%" + unique("device");
        String group = unique("poppers");
        DefaultMQProducer producer = clients.producer();
        producer.send(message(topic, "of the topic alone"));
        producer.send(listed(topic, "first", "%LMQ%" + unique("other") + "," + light));
        producer.send(listed(topic, "second", light));
        MQClientAPIImpl api =
                producer.getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();

        PopResult popped = pop(api, light, group);

        assertThat(popped.getPopStatus()).isEqualTo(PopStatus.FOUND);
        assertThat(bodies(popped.getMsgFoundList())).isEqualTo(Set.of("first", "second"));
        assertThat(pop(api, light, group).getPopStatus()).isNotEqualTo(PopStatus.FOUND);
        for (MessageExt each : popped.getMsgFoundList()) {
            assertThat(ack(api, each, light, group)).isEqualTo(AckStatus.OK);
        }
        producer.send(listed(topic, "third", light));
        assertThat(bodies(pop(api, light, group).getMsgFoundList())).isEqualTo(Set.of("third"));
        // It is not acknowledged and comes again when its lease is over, and those that were would have come before it.
        List<MessageExt> again = list();
        await().atMost(PATIENCE).until(() -> {
            PopResult late = pop(api, light, group);
            again.addAll(late.getPopStatus() == PopStatus.FOUND ? late.getMsgFoundList() : List.of());
            return !again.isEmpty();
        });
        assertThat(bodies(again)).isEqualTo(Set.of("third"));
        assertThat(again.get(0).getReconsumeTimes()).isEqualTo(1);
    }

    private PopResult pop(MQClientAPIImpl api, String light, String group) throws Exception {
        PopMessageRequestHeader header = new PopMessageRequestHeader();
        header.setConsumerGroup(group);
        header.setTopic(light);
        header.setQueueId(-1);
        header.setMaxMsgNums(32);
        header.setInvisibleTime(INVISIBLE_MILLIS);
        header.setPollTime(0);
        header.setBornTime(System.currentTimeMillis());
        header.setInitMode(0);
        header.setExpType("TAG");
        header.setExp("*");
        header.setOrder(false);
        CompletableFuture<PopResult> popped = new CompletableFuture<>();
        api.popMessageAsync(Clients.BROKER, server.address(), header, TIMEOUT_MILLIS, new PopCallback() {
            @Override
            public void onSuccess(PopResult result) {
                popped.complete(result);
            }

            @Override
            public void onException(Throwable reason) {
                popped.completeExceptionally(reason);
            }
        });
        return popped.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private AckStatus ack(MQClientAPIImpl api, MessageExt message, String light, String group) throws Exception {
        String handle = message.getProperty("POP_CK");
        String[] parts = ExtraInfoUtil.split(handle);
        AckMessageRequestHeader header = new AckMessageRequestHeader();
        header.setConsumerGroup(group);
        header.setTopic(ExtraInfoUtil.getRealTopic(parts, light, group));
        header.setQueueId(ExtraInfoUtil.getQueueId(parts));
        header.setOffset(ExtraInfoUtil.getQueueOffset(parts));
        header.setExtraInfo(handle);
        CompletableFuture<AckResult> acknowledged = new CompletableFuture<>();
        api.ackMessageAsync(
                server.address(),
                TIMEOUT_MILLIS,
                new AckCallback() {
                    @Override
                    public void onSuccess(AckResult result) {
                        acknowledged.complete(result);
                    }

                    @Override
                    public void onException(Throwable reason) {
                        acknowledged.completeExceptionally(reason);
                    }
                },
                header);
        return acknowledged.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).getStatus();
    }

    private static Message listed(String topic, String body, String lightQueues) {
        Message message = message(topic, body);
        message.putUserProperty("INNER_MULTI_DISPATCH", lightQueues);
        return message;
    }
}
