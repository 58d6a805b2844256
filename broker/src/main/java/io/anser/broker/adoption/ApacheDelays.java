package io.anser.broker.adoption;

import io.anser.broker.adoption.WaitingGroup.Member;
import io.anser.protocol.message.DelayLevels;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.store.state.AdoptedBroker;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Messages that wait by delay level, retries among them. Apache delivers the queue of a level in order and notes from time to
 * time how far it is. Used by one thread.
 */
final class ApacheDelays {
    private static final long LEVEL_MAX_MILLIS = TimeUnit.DAYS.toMillis(400);

    private final AdoptedBroker broker;
    private final QueueMessages messages;
    private final ApacheProgress progress;
    private final TakeOver target;
    private final NotUnderstood notUnderstood;
    private final PossibleWaits waiting;

    ApacheDelays(
            AdoptedBroker broker,
            ApacheProgress progress,
            TakeOver target,
            Copies copies,
            NotUnderstood notUnderstood) {
        this.broker = broker;
        this.messages = new QueueMessages(broker);
        this.progress = progress;
        this.target = target;
        this.notUnderstood = notUnderstood;
        this.waiting = new PossibleWaits(target, copies, progress.endMillis());
    }

    /** Finds those that wait, or may. */
    void find() throws IOException {
        for (int queueId : broker.queueIds(Names.SCHEDULE_TOPIC)) {
            long delivered = progress.delivered(queueId);
            ApacheConsumeQueue due = new ApacheConsumeQueue(broker.files(), Names.SCHEDULE_TOPIC, queueId);
            messages.each(
                    Names.SCHEDULE_TOPIC,
                    queueId,
                    delivered,
                    Long.MAX_VALUE,
                    message -> take(message, dueMillis(message, due)));
            if (waiting.isInDoubt()) {
                messages.each(Names.SCHEDULE_TOPIC, queueId, 0, delivered, waiting::delivered);
            }
        }
    }

    private void take(MessageView message, long dueMillis) {
        Optional<String> problem = Destination.problem(message, target);
        if (problem.isPresent()) {
            notUnderstood.message("delayed message", message.physicalOffset(), problem.get());
        } else {
            waiting.add(
                    Identity.of(message, Destination.topic(message)),
                    new Member(dueMillis, message.physicalOffset(), 0));
        }
    }

    private static long dueMillis(MessageView message, ApacheConsumeQueue queue) {
        long stored = message.storeTimestamp();
        return queue.dueMillis(message.queueOffset(), message.physicalOffset(), message.totalSize()).stream()
                .filter(due -> due >= stored && due <= stored + LEVEL_MAX_MILLIS)
                .findAny()
                .orElse(stored + DelayLevels.delayMillis(message.queueId() + 1));
    }

    /** Hands on those that wait. */
    void decide() {
        waiting.decide();
    }

    /** How many wait. */
    long count() {
        return waiting.count();
    }
}
