package io.anser.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.RunningBroker.BrokerClient;
import io.anser.protocol.body.ConsumeFromWhere;
import io.anser.protocol.body.ConsumeType;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.ProducerData;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.transport.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A member of a group as an Apache client is one: heartbeats, pulls and commits. */
final class Member {
    private static final byte[] NOTHING = {};
    private static final int SUSPEND = 2;
    private static final int SUBSCRIPTION = 4;

    final BrokerClient client;
    private final String clientId;
    private final String group;

    Member(BrokerClient client, String clientId, String group) {
        this.client = client;
        this.clientId = clientId;
        this.group = group;
    }

    /** Says that it is there, that it wants the topic, and that it produces for the group "makers". */
    Member joins(String topic, String expression, MessageModel model) throws Exception {
        ConsumerData consumer = new ConsumerData(
                group,
                ConsumeType.CONSUME_PASSIVELY,
                model,
                ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET,
                List.of(SubscriptionData.ofTags(topic, expression, 7)),
                false);
        HeartbeatData data = new HeartbeatData(clientId, List.of(new ProducerData("makers")), List.of(consumer));
        assertThat(client.ask(Heartbeat.CODE, FieldSource.NONE, data.write()).code())
                .isZero();
        return this;
    }

    CompletableFuture<Reply> startPull(String topic, int queueId, long offset) {
        return client.call(
                PullMessage.CODE,
                new PullMessage.Request(
                        group, topic, queueId, offset, 32, SUSPEND | SUBSCRIPTION, 0, 15_000, "*", 0, "TAG", -1),
                NOTHING);
    }

    Reply pull(String topic, int queueId, long offset) throws Exception {
        return client.ask(
                PullMessage.CODE,
                new PullMessage.Request(group, topic, queueId, offset, 32, SUBSCRIPTION, 0, 15_000, "*", 0, "TAG", -1),
                NOTHING);
    }

    int commit(String topic, int queueId, long offset) throws Exception {
        return client.ask(
                        UpdateConsumerOffset.CODE,
                        new UpdateConsumerOffset.Request(group, topic, queueId, offset),
                        NOTHING)
                .code();
    }
}
