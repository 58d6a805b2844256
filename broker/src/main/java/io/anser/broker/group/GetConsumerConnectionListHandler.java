package io.anser.broker.group;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.group.SelfDescription.Consuming;
import io.anser.protocol.body.ClientConnection;
import io.anser.protocol.body.ConsumerConnection;
import io.anser.protocol.body.SubscriptionData;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetConsumerConnectionList;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lists the members of a consumer group that are online, with what they want (operation 203). */
public final class GetConsumerConnectionListHandler implements Handler<GetConsumerConnectionList.Request> {
    private final ConsumerGroups consumers;

    /** Makes the handler of one broker. */
    public GetConsumerConnectionListHandler(ConsumerGroups consumers) {
        this.consumers = consumers;
    }

    @Override
    public void handle(Call call, GetConsumerConnectionList.Request request, ByteBuf body) {
        String group = request.consumerGroup();
        List<ConsumerMember> members = consumers.members(group).sorted();
        if (members.isEmpty()) {
            call.respond(ResponseCode.CONSUMER_NOT_ONLINE, "the consumer group[" + group + "] not online");
            return;
        }
        List<ClientConnection> connections = members.stream()
                .map(member -> ConnectionBodies.connection(member.clientId(), member.channel()))
                .toList();
        Consuming first = consuming(group, members.get(0));
        Bodies.answer(
                call,
                new ConsumerConnection(connections, subscriptions(members), first.type(), first.model(), first.from()));
    }

    private static Consuming consuming(String group, ConsumerMember member) {
        return member.channel()
                .description()
                .map(description -> description.consuming(group, member.clientId()))
                .orElse(SelfDescription.USUAL);
    }

    /** Where members want different things of a topic, the newest wish is told; conflicts are told elsewhere. */
    private static Map<String, SubscriptionData> subscriptions(List<ConsumerMember> members) {
        Map<String, SubscriptionData> byTopic = new TreeMap<>();
        members.stream()
                .flatMap(member -> member.subscriptions().values().stream())
                .map(ConnectionBodies::subscription)
                .forEach(subscription -> byTopic.merge(
                        subscription.topic(),
                        subscription,
                        (one, other) -> one.subVersion() >= other.subVersion() ? one : other));
        return byTopic;
    }
}
