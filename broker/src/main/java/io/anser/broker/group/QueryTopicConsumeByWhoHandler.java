package io.anser.broker.group;

import io.anser.protocol.body.GroupList;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.QueryTopicConsumeByWho;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Says which groups consume a topic (operation 300): those with a subscription now, and those with an offset in it. */
public final class QueryTopicConsumeByWhoHandler implements Handler<QueryTopicConsumeByWho.Request> {
    private final Function<String, Set<String>> groupsOfTopic;

    /**
     * Makes the handler of one broker.
     *
     * @param groupsOfTopic the groups that consume a topic
     */
    public QueryTopicConsumeByWhoHandler(Function<String, Set<String>> groupsOfTopic) {
        this.groupsOfTopic = groupsOfTopic;
    }

    @Override
    public void handle(Call call, QueryTopicConsumeByWho.Request request, ByteBuf body) {
        Set<String> groups = groupsOfTopic.apply(request.topic());
        byte[] json = new GroupList(List.copyOf(groups)).write();
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(json));
    }
}
