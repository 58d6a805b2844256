package io.anser.broker.assignment;

import io.anser.broker.metadata.RequestModeTable;
import io.anser.broker.metadata.TopicTable;
import io.anser.protocol.body.Assignment;
import io.anser.protocol.body.Assignment.Assigned;
import io.anser.protocol.body.MessageModel;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.MessageRequestMode;
import io.anser.protocol.body.Perm;
import io.anser.protocol.body.QueueData;
import io.anser.protocol.body.RequestMode;
import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.Names;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says which queues of a topic a member consumes, and whether it pulls or pops them (operation 400). A member that no
 * heartbeat has named yet is told nothing, and keeps what it has.
 */
public final class QueryAssignmentHandler implements Handler<FieldSource> {
    private final TopicTable topics;
    private final RequestModeTable modes;
    private final GroupMembers members;
    private final Routes routes;
    private final String brokerName;

    /** Makes the handler of one broker. */
    public QueryAssignmentHandler(
            TopicTable topics, RequestModeTable modes, GroupMembers members, Routes routes, String brokerName) {
        this.topics = topics;
        this.modes = modes;
        this.members = members;
        this.routes = routes;
        this.brokerName = brokerName;
    }

    @Override
    public void handle(Call call, FieldSource header, ByteBuf body) {
        Assignment.Request request = Assignment.Request.read(ByteBufUtil.getBytes(body));
        boolean divided = request.messageModel() == MessageModel.CLUSTERING;
        if (divided && !Division.isKnown(request.strategyName())) {
            call.respond(
                    ResponseCode.INVALID_PARAMETER,
                    "strategyName=" + request.strategyName() + " is unknown here: there are " + Division.AVERAGE
                            + " and " + Division.CIRCLE + "; the client divides the queues itself");
            return;
        }
        routes.find(request.topic()).whenComplete((route, failure) -> {
            try {
                answer(call, request, queues(request.topic(), failure == null ? route : Optional.empty()));
            } catch (RuntimeException | Error e) {
                call.fail(e);
            }
        });
    }

    /** The queues that can be read, in the order in which all members divide them. */
    private List<MessageQueue> queues(String topic, Optional<TopicRoute> route) {
        List<MessageQueue> queues = new ArrayList<>();
        if (route.isPresent()) {
            for (QueueData data : route.get().queueDatas()) {
                if (Perm.isReadable(data.perm())) {
                    add(queues, topic, data.brokerName(), data.readQueueNums());
                }
            }
        } else {
            topics.find(topic)
                    .filter(here -> here.readable())
                    .ifPresent(
                            here -> add(queues, topic, brokerName, here.config().readQueueNums()));
        }
        Collections.sort(queues);
        return queues;
    }

    private static void add(List<MessageQueue> queues, String topic, String broker, int count) {
        for (int id = 0; id < count; id++) {
            queues.add(new MessageQueue(topic, broker, id));
        }
    }

    private void answer(Call call, Assignment.Request request, List<MessageQueue> queues) {
        List<String> among = members.of(request.consumerGroup(), request.topic());
        boolean divided = request.messageModel() == MessageModel.CLUSTERING;
        byte[] json;
        if (queues.isEmpty() || (divided && !among.contains(request.clientId()))) {
            json = Assignment.Response.unknown();
        } else if (!divided) {
            json = assigned(queues, MessageRequestMode.PULL);
        } else {
            json = divide(request, queues, among);
        }
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(json));
    }

    private byte[] divide(Assignment.Request request, List<MessageQueue> queues, List<String> among) {
        Optional<RequestMode> mode = modes.find(request.consumerGroup(), request.topic())
                .filter(told -> told.mode() == MessageRequestMode.POP && !Names.isRetryTopic(request.topic()));
        return mode.isPresent()
                ? assigned(
                        Division.popped(
                                request.strategyName(),
                                queues,
                                among,
                                request.clientId(),
                                mode.get().popShareQueueNum()),
                        MessageRequestMode.POP)
                : assigned(
                        Division.pulled(request.strategyName(), queues, among, request.clientId()),
                        MessageRequestMode.PULL);
    }

    private static byte[] assigned(Collection<MessageQueue> queues, MessageRequestMode mode) {
        Set<Assigned> all = new LinkedHashSet<>();
        queues.forEach(queue -> all.add(new Assigned(queue, mode)));
        return new Assignment.Response(all).write();
    }
}
