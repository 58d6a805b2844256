package io.anser.interop;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.AckCallback;
import org.apache.rocketmq.client.consumer.AckResult;
import org.apache.rocketmq.client.consumer.AckStatus;
import org.apache.rocketmq.client.consumer.PopCallback;
import org.apache.rocketmq.client.consumer.PopResult;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.protocol.header.AckMessageRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.ExtraInfoUtil;
import org.apache.rocketmq.remoting.protocol.header.PopMessageRequestHeader;

/** Single pops and acknowledgements of client 5.5.0, whose answers are waited for. */
final class Pops {
    private static final long CALL_MILLIS = 10_000;

    private final Clients clients;
    private final String group;
    private final String topic;

    Pops(Clients clients, String group, String topic) {
        this.clients = clients;
        this.group = group;
        this.topic = topic;
    }

    private MQClientAPIImpl api() throws Exception {
        return clients.admin().getDefaultMQAdminExtImpl().getMqClientInstance().getMQClientAPIImpl();
    }

    /** What is there now. */
    List<MessageExt> pop(long invisibleMillis) throws Exception {
        PopMessageRequestHeader header = new PopMessageRequestHeader();
        header.setConsumerGroup(group);
        header.setTopic(topic);
        header.setQueueId(-1);
        header.setMaxMsgNums(32);
        header.setInvisibleTime(invisibleMillis);
        header.setPollTime(0);
        header.setBornTime(System.currentTimeMillis());
        header.setInitMode(0);
        header.setExpType("TAG");
        header.setExp("*");
        header.setOrder(false);
        CompletableFuture<PopResult> result = new CompletableFuture<>();
        api().popMessageAsync(Clients.BROKER, clients.brokerAddress(), header, CALL_MILLIS, new PopCallback() {
            @Override
            public void onSuccess(PopResult found) {
                result.complete(found);
            }

            @Override
            public void onException(Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        List<MessageExt> found = result.get(CALL_MILLIS, TimeUnit.MILLISECONDS).getMsgFoundList();
        return found == null ? List.of() : found;
    }

    /** Whether the message was acknowledged in time. */
    boolean ack(MessageExt message) throws Exception {
        String handle = message.getProperty(MessageConst.PROPERTY_POP_CK);
        String[] parts = ExtraInfoUtil.split(handle);
        AckMessageRequestHeader header = new AckMessageRequestHeader();
        header.setConsumerGroup(group);
        header.setTopic(ExtraInfoUtil.getRealTopic(parts, topic, group));
        header.setQueueId(ExtraInfoUtil.getQueueId(parts));
        header.setOffset(ExtraInfoUtil.getQueueOffset(parts));
        header.setExtraInfo(handle);
        CompletableFuture<AckResult> result = new CompletableFuture<>();
        api().ackMessageAsync(
                        clients.brokerAddress(),
                        CALL_MILLIS,
                        new AckCallback() {
                            @Override
                            public void onSuccess(AckResult told) {
                                result.complete(told);
                            }

                            @Override
                            public void onException(Throwable thrown) {
                                result.completeExceptionally(thrown);
                            }
                        },
                        header);
        return result.get(CALL_MILLIS, TimeUnit.MILLISECONDS).getStatus() == AckStatus.OK;
    }
}
