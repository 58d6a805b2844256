package io.anser.broker.adoption;

import io.anser.broker.adoption.WaitingGroup.Member;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.store.state.AdoptedBroker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Messages that wait for an exact time. All lie in one topic, with three other things: marks that take one back, the same
 * message once more when Apache's wheel does not reach that far, and the broker's own records about pops. The files of the
 * wheel are not needed. Used by one thread.
 */
final class ApacheTimers {
    private static final String NUMBER = "\\d{1,9}";

    private final AdoptedBroker broker;
    private final QueueMessages messages;
    private final ApacheProgress progress;
    private final TakeOver target;
    private final ApachePops pops;
    private final NotUnderstood notUnderstood;
    private final PossibleWaits waiting;

    /** What was taken back: the marks, by the turn of the wheel that they are for. */
    private final Map<Long, Set<String>> takenBack = new HashMap<>();

    ApacheTimers(
            AdoptedBroker broker,
            ApacheProgress progress,
            TakeOver target,
            Copies copies,
            ApachePops pops,
            NotUnderstood notUnderstood) {
        this.broker = broker;
        this.messages = new QueueMessages(broker);
        this.progress = progress;
        this.target = target;
        this.pops = pops;
        this.notUnderstood = notUnderstood;
        this.waiting = new PossibleWaits(target, copies, progress.endMillis());
    }

    /** Finds those that wait, or may, and hands records about pops on. */
    void find() {
        if (broker.queueIds(Names.TIMER_TOPIC).isEmpty()) {
            return;
        }
        messages.each(Names.TIMER_TOPIC, this::noteMark);
        // Those that were written again come first: the ones before them are then known not to wait.
        messages.each(Names.TIMER_TOPIC, message -> take(message, true));
        messages.each(Names.TIMER_TOPIC, message -> take(message, false));
        if (waiting.isInDoubt()) {
            messages.each(Names.TIMER_TOPIC, this::noteDelivered);
        }
    }

    private void noteMark(MessageView message) {
        OptionalLong out = ApacheTimer.outMillis(message);
        message.property(PropertyNames.TIMER_DEL_UNIQKEY)
                .filter(mark -> out.isPresent())
                .ifPresent(mark -> takenBack
                        .computeIfAbsent(out.getAsLong(), any -> new HashSet<>())
                        .add(mark));
    }

    private void take(MessageView message, boolean writtenAgain) {
        if (rolls(message) > 0 != writtenAgain
                || message.property(PropertyNames.TIMER_DEL_UNIQKEY).isPresent()) {
            return;
        }
        OptionalLong out = ApacheTimer.outMillis(message);
        if (out.isEmpty()) {
            notUnderstood.message("timer", message.physicalOffset(), "property TIMER_OUT_MS is not a number");
        } else if (!progress.isDelivered(out.getAsLong(), message.queueOffset())) {
            take(message, out.getAsLong());
        }
    }

    private void take(MessageView message, long outMillis) {
        if (ApachePops.isRecord(message)) {
            pops.found(message);
            return;
        }
        Optional<String> problem = Destination.problem(message, target);
        if (problem.isPresent()) {
            notUnderstood.message("timer", message.physicalOffset(), problem.get());
        } else if (!isTakenBack(message, outMillis)) {
            add(message);
        }
    }

    private void add(MessageView message) {
        Identity identity = Identity.of(message, Destination.topic(message));
        long due = ApacheTimer.dueMillis(message).orElseThrow();
        Member member = new Member(due, message.physicalOffset(), rolls(message));
        if (member.rolls() > 0) {
            waiting.addDoubtful(identity, member);
        } else {
            waiting.add(identity, member);
        }
    }

    /** Older brokers mark by the message's unique id alone. */
    private boolean isTakenBack(MessageView message, long outMillis) {
        Set<String> marks = takenBack.getOrDefault(outMillis, Set.of());
        String uniqueId = message.property(PropertyNames.UNIQ_KEY).orElse("");
        return !marks.isEmpty()
                && (marks.contains(uniqueId) || marks.contains(Destination.topic(message) + "+" + uniqueId));
    }

    private void noteDelivered(MessageView message) {
        OptionalLong out = ApacheTimer.outMillis(message);
        if (out.isPresent() && progress.isDelivered(out.getAsLong(), message.queueOffset())) {
            waiting.delivered(message);
        }
    }

    private static int rolls(MessageView message) {
        return message.property(PropertyNames.TIMER_ROLL_TIMES)
                .filter(times -> times.matches(NUMBER))
                .map(Integer::parseInt)
                .orElse(0);
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
