package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.message.Names;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Where a member begins in a queue: at the saved offset if there is one, else where {@link StartFrom} says; but at the
 * start in the group's retry topic, and in queues that were not there yet when the member started, since whatever is in
 * those was sent after. Belongs to the member's own thread; blocks.
 */
final class FirstOffsets {
    private final ConsumerSettings settings;
    private final GroupCalls calls;
    private final QueueOffsets offsets;
    /** The queues of each topic at the first answer about it; empty for a topic that did not exist. */
    private final Map<String, Set<MessageQueue>> thereAtStart = new HashMap<>();

    FirstOffsets(ConsumerSettings settings, GroupCalls calls, QueueOffsets offsets) {
        this.settings = settings;
        this.calls = calls;
        this.offsets = offsets;
    }

    /** Notes the queues of a topic; only the first time counts. */
    void seen(String topic, List<MessageQueue> queues) {
        thereAtStart.putIfAbsent(topic, Set.copyOf(queues));
    }

    /** The offset that is saved for the group, or in the broadcasting member's own store. */
    OptionalLong saved(MessageQueue queue) {
        return settings.broadcasting() ? settings.offsetStore().load(queue) : calls.committedOffset(queue);
    }

    /** Where to begin without a saved offset. */
    long initial(MessageQueue queue) {
        boolean late = !thereAtStart.getOrDefault(queue.topic(), Set.of()).contains(queue);
        StartFrom.Kind kind = late || Names.isRetryTopic(queue.topic())
                ? StartFrom.Kind.START
                : settings.startFrom().kind();
        return Remoting.join(
                switch (kind) {
                    case START -> offsets.min(queue);
                    case END -> offsets.max(queue);
                    case TIME -> offsets.at(queue, settings.startFrom().time());
                },
                2 * Remoting.CALL_TIMEOUT_MILLIS);
    }
}
