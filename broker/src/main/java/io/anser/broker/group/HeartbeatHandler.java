package io.anser.broker.group;

import io.anser.broker.append.RetryRule;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.filter.BadExpressionException;
import io.anser.broker.filter.Filters;
import io.anser.broker.filter.Subscription;
import io.anser.broker.metadata.GroupCreation;
import io.anser.broker.metadata.StartingPoints;
import io.anser.broker.metadata.TopicCreation;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Takes a client's heartbeat (operation 34): who it is, what it produces and consumes. Groups that do not exist are
 * created where that is allowed, and so are the retry topics of groups whose members share the queues; where such a group
 * starts in a topic is settled when it is first named. The answer comes when all that is there.
 *
 * <p>What is right in a heartbeat counts even if something else in it is refused: the consumers of one process do not
 * suffer from each other. The answer names the first thing that was refused.
 */
public final class HeartbeatHandler implements Handler<FieldSource> {
    /** Largest body, in bytes: a client in the most groups allowed stays below it. */
    public static final int MAX_BODY_BYTES = 1 << 20;

    private static final int MAX_CLIENT_ID_CHARS = 255;

    private final Clients clients;
    private final GroupCreation groups;
    private final TopicCreation topics;
    private final StartingPoints starts;
    private final Filters filters;
    private final BooleanSupplier leads;

    /**
     * Makes the handler of one broker.
     *
     * @param leads whether this broker may store what a heartbeat brings about; a consumer says the same to whoever does
     */
    public HeartbeatHandler(
            Clients clients,
            GroupCreation groups,
            TopicCreation topics,
            StartingPoints starts,
            Filters filters,
            BooleanSupplier leads) {
        this.leads = leads;
        this.clients = clients;
        this.groups = groups;
        this.topics = topics;
        this.starts = starts;
        this.filters = filters;
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        if (body.readableBytes() > MAX_BODY_BYTES) {
            new Refusal(
                            ResponseCode.SYSTEM_ERROR,
                            "heartbeat body has " + body.readableBytes() + " bytes, at most " + MAX_BODY_BYTES
                                    + " are allowed")
                    .answer(call);
            return;
        }
        HeartbeatData data = HeartbeatData.read(ByteBufUtil.getBytes(body));
        Optional<Refusal> refusal = clientIdRefusal(data.clientID());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        HeartbeatAnswer answer = new HeartbeatAnswer(call);
        ConnectedClient client = ConnectedClient.of(call.connection());
        SelfDescription description = SelfDescription.of(call.connection(), call.language(), call.version());
        data.producerDataSet()
                .forEach(producer ->
                        producer(client, data.clientID(), producer.groupName()).ifPresent(answer::refuse));
        data.consumerDataSet().forEach(consumer -> consumer(client, description, data, consumer, answer));
        answer.allStarted();
    }

    private static Optional<Refusal> clientIdRefusal(String clientId) {
        if (!clientId.isEmpty() && clientId.length() <= MAX_CLIENT_ID_CHARS) {
            return Optional.empty();
        }
        return refuse(
                "clientID has " + clientId.length() + " characters, 1 to " + MAX_CLIENT_ID_CHARS + " are allowed");
    }

    private Optional<Refusal> producer(ConnectedClient client, String clientId, String group) {
        Optional<NameProblem> problem = Names.checkGroup(group);
        if (problem.isPresent()) {
            return refuse("producer " + problem.get().text());
        }
        return clients.producer(client, clientId, group) ? Optional.empty() : tooManyGroups(group);
    }

    private void consumer(
            ConnectedClient client,
            SelfDescription description,
            HeartbeatData data,
            ConsumerData consumer,
            HeartbeatAnswer answer) {
        String group = consumer.groupName();
        Optional<Refusal> refusal = groups.refusal(group).or(() -> subscriptionRefusal(consumer));
        if (refusal.isPresent()) {
            answer.refuse(refusal.get());
            return;
        }
        Optional<Map<String, Subscription>> subscriptions =
                data.withoutSub() ? Optional.empty() : Optional.of(subscriptions(consumer));
        boolean sharesQueues = consumer.messageModel() == MessageModel.CLUSTERING;
        boolean stores = leads.getAsBoolean();
        if (sharesQueues && stores) {
            // Before the members hear that they are more: what they ask next is where to start.
            consumer.subscriptionDataSet()
                    .forEach(subscription ->
                            starts.settle(group, subscription.topic(), consumer.consumeFromWhere(), answer.part()));
        }
        if (!clients.consumer(client, data.clientID(), group, subscriptions, sharesQueues)) {
            tooManyGroups(group).ifPresent(answer::refuse);
            return;
        }
        description.consumes(data.clientID(), consumer);
        if (stores) {
            groups.ensure(group, answer.part());
        }
        if (sharesQueues && stores) {
            topics.ensure(RetryRule.retryTopic(groups.config(group)), answer.part());
        }
    }

    private Optional<Refusal> subscriptionRefusal(ConsumerData consumer) {
        for (SubscriptionData subscription : consumer.subscriptionDataSet()) {
            Optional<NameProblem> problem = Names.checkTopic(subscription.topic());
            if (problem.isPresent()) {
                return refuse("subscription of group=" + consumer.groupName() + ": "
                        + problem.get().text());
            }
            try {
                filters.of(subscription.expressionType(), subscription.subString());
            } catch (BadExpressionException bad) {
                return Optional.of(new Refusal(
                        ResponseCode.SUBSCRIPTION_PARSE_FAILED,
                        "subscription of group=" + consumer.groupName() + " to topic=" + subscription.topic() + ": "
                                + bad.reason()));
            }
        }
        return Optional.empty();
    }

    private static Map<String, Subscription> subscriptions(ConsumerData consumer) {
        Map<String, Subscription> byTopic = new HashMap<>();
        for (SubscriptionData data : consumer.subscriptionDataSet()) {
            byTopic.put(
                    data.topic(),
                    new Subscription(data.topic(), data.expressionType(), data.subString(), data.subVersion()));
        }
        return byTopic;
    }

    private static Optional<Refusal> tooManyGroups(String group) {
        return refuse("group=" + group + " is one too many: the clients of one connection may be in "
                + Clients.MAX_GROUPS_PER_CONNECTION + " groups");
    }

    private static Optional<Refusal> refuse(String remark) {
        return Optional.of(new Refusal(ResponseCode.SYSTEM_ERROR, remark));
    }
}
