package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.message.Names;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Where a member begins in a queue: at the saved offset if there is one, else where {@link StartFrom} says; but at the
 * start in the group's retry topic, and in queues that were not there yet when the member started, since whatever is in
 * those was sent after. Belongs to the member's own thread.
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

    /**
     * Where to begin in a queue.
     *
     * @param offset of the first message to pull
     * @param saved whether it is saved already
     */
    record FirstOffset(long offset, boolean saved) {}

    /** Finds where to begin; does not wait for the brokers. */
    CompletableFuture<FirstOffset> find(MessageQueue queue) {
        StartFrom.Kind kind = kindFor(queue);
        return saved(queue)
                .thenCompose(saved -> saved.isPresent()
                        ? CompletableFuture.completedFuture(new FirstOffset(saved.getAsLong(), true))
                        : initial(queue, kind).thenApply(offset -> new FirstOffset(offset, false)));
    }

    private CompletableFuture<OptionalLong> saved(MessageQueue queue) {
        return settings.broadcasting()
                ? CompletableFuture.completedFuture(settings.offsetStore().load(queue))
                : calls.committedOffset(queue);
    }

    private StartFrom.Kind kindFor(MessageQueue queue) {
        boolean late = !thereAtStart.getOrDefault(queue.topic(), Set.of()).contains(queue);
        return late || Names.isRetryTopic(queue.topic())
                ? StartFrom.Kind.START
                : settings.startFrom().kind();
    }

    private CompletableFuture<Long> initial(MessageQueue queue, StartFrom.Kind kind) {
        return switch (kind) {
            case START -> offsets.min(queue);
            case END -> offsets.max(queue);
            case TIME -> offsets.at(queue, settings.startFrom().time());
        };
    }
}
