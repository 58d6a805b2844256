package io.anser.broker;

import io.anser.broker.group.ConsumerGroups;
import io.anser.broker.metadata.RequestModeTable;
import io.anser.broker.offset.GroupAtWork;
import io.anser.protocol.body.MessageRequestMode;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.queue.QueueLog;
import io.netty.buffer.Unpooled;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The members of groups as those see them who look after offsets.
 *
 * @param consumers who is there
 * @param modes who was told to pop
 * @param waiting wakes who waits for messages of a queue
 */
record MembersAtWork(ConsumerGroups consumers, RequestModeTable modes, Consumer<QueueLog> waiting)
        implements GroupAtWork {
    @Override
    public boolean isOnline(String group) {
        return consumers.isOnline(group);
    }

    @Override
    public Set<String> topics(String group) {
        return consumers.topics(group);
    }

    @Override
    public boolean pops(String group, String topic) {
        return modes.find(group, topic)
                .filter(mode -> mode.mode() == MessageRequestMode.POP)
                .isPresent();
    }

    @Override
    public boolean keepsOffsets(String group) {
        return consumers.isOnline(group)
                && consumers.broadcasting(group).size()
                        == consumers.clientIds(group).size();
    }

    @Override
    public void tell(String group, int code, FieldSource fields, byte[] body) {
        consumers.broadcasting(group).forEach(member -> member.sendOneWay(code, fields, Unpooled.wrappedBuffer(body)));
    }

    @Override
    public void moved(QueueLog queue) {
        waiting.accept(queue);
    }
}
