package io.anser.interop;

import static io.anser.interop.Clients.awaitSize;
import static io.anser.interop.Clients.list;
import static io.anser.interop.Clients.message;
import static io.anser.interop.Clients.unique;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.subscription.ExponentialRetryPolicy;
import org.apache.rocketmq.remoting.protocol.subscription.GroupRetryPolicy;
import org.apache.rocketmq.remoting.protocol.subscription.GroupRetryPolicyType;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;
import org.junit.jupiter.api.Test;

class RetryPolicyTest extends AgainstServer {
    @Test
    void aGroupsOwnWaitsAreKeptAndFollowed() throws Exception {
        String topic = clients.topic(1);
        String group = unique("group");
        SubscriptionGroupConfig config = new SubscriptionGroupConfig();
        config.setGroupName(group);
        config.setGroupRetryPolicy(new GroupRetryPolicy());
        config.getGroupRetryPolicy().setType(GroupRetryPolicyType.EXPONENTIAL);
        config.getGroupRetryPolicy().setExponentialRetryPolicy(new ExponentialRetryPolicy(600, 5_000, 2));
        clients.admin().createAndUpdateSubscriptionGroupConfig(clients.brokerAddress(), config);
        List<MessageExt> deliveries = list();
        DefaultMQPushConsumer consumer = clients.pushConsumer(group);
        consumer.subscribe(topic, "*");
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            deliveries.addAll(messages);
            return messages.get(0).getReconsumeTimes() < 2
                    ? ConsumeConcurrentlyStatus.RECONSUME_LATER
                    : ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();

        clients.producer().send(message(topic, "again"));

        awaitSize(deliveries, 3);
        assertThat(deliveries).extracting(MessageExt::getReconsumeTimes).containsExactly(0, 1, 2);
        long first = deliveries.get(0).getStoreTimestamp();
        long second = deliveries.get(1).getStoreTimestamp();
        long third = deliveries.get(2).getStoreTimestamp();
        assertThat(second - first).isBetween(600L, 5_000L); // the standard wait is ten seconds
        // Thirty seconds; the client may take twenty to find the retry topic that its heartbeat has made.
        assertThat(third - second).isBetween(1_200L, 28_000L);
        SubscriptionGroupConfig kept = clients.admin().examineSubscriptionGroupConfig(clients.brokerAddress(), group);
        assertThat(kept.getGroupRetryPolicy().getExponentialRetryPolicy().getInitial())
                .isEqualTo(600);
    }
}
