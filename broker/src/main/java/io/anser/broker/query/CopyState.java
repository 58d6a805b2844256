package io.anser.broker.query;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.TransactionEnd;
import io.anser.protocol.body.MessageCopy.State;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;

/** What has become of one stored copy, by the broker's state. Any thread. */
final class CopyState {
    private static final int MOST_DIGITS = 18;

    private final BrokerState broker;

    CopyState(BrokerState broker) {
        this.broker = broker;
    }

    State of(MessageView copy) {
        String topic = copy.topic();
        if (topic.equals(Names.SCHEDULE_TOPIC)) {
            return ofPostponed(copy);
        }
        if (topic.equals(Names.HALF_TOPIC)) {
            return ofHalf(copy);
        }
        if (topic.equals(Names.CHECK_MAX_TIME_TOPIC)) {
            return State.GIVEN_UP;
        }
        return Names.isDlqTopic(topic) ? State.DEAD_LETTER : State.READABLE;
    }

    private State ofPostponed(MessageView copy) {
        long due = dueMillis(copy);
        if (broker.timers().contains(new PendingTimer(due, copy.physicalOffset()))) {
            return State.WAITING;
        }
        String id = copy.property(PropertyNames.UNIQ_KEY).orElse("");
        return broker.timers().isRecalled(id, due) ? State.RECALLED : State.DELIVERED;
    }

    private State ofHalf(MessageView copy) {
        // Stored again when its segment went, it still names the place that the transaction is known by.
        long first = copy.preparedTransactionOffset();
        long id = first == 0 ? copy.physicalOffset() : first;
        if (broker.transactions().find(id).isPresent()) {
            return State.UNDECIDED;
        }
        return broker.transactions().end(id).map(CopyState::ended).orElse(State.ENDED);
    }

    private static State ended(TransactionEnd end) {
        return switch (end) {
            case COMMITTED -> State.COMMITTED;
            case ROLLED_BACK -> State.ROLLED_BACK;
            case GIVEN_UP -> State.GIVEN_UP;
        };
    }

    /** When a copy that was put off falls due; 0 for any other. */
    static long dueMillis(MessageView copy) {
        String text = copy.property(PropertyNames.TIMER_OUT_MS).orElse("");
        boolean number =
                !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(text) : 0;
    }
}
