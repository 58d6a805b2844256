package io.anser.broker.timer;

import io.anser.broker.append.MessagesAndChange;
import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.Change;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import io.anser.broker.metadata.TimerMoved;
import java.util.List;

/**
 * The delivery of one message and the end of its wait, both or neither: so a timer fires once, whatever happens. Or, in
 * place of the delivery, the same message once more, which waits from then on.
 */
final class TimerAppend extends MessagesAndChange {
    private final NewMessage message;

    private TimerAppend(NewMessage message, Change change, Outcome outcome) {
        super(List.of(message), change, outcome);
        this.message = message;
    }

    /** The delivery of a message. */
    static TimerAppend delivery(NewMessage message, PendingTimer timer, Outcome outcome) {
        return new TimerAppend(message, new TimerFired(timer), outcome);
    }

    /** A message once more. */
    static TimerAppend again(NewMessage message, PendingTimer timer, Outcome outcome) {
        return new TimerAppend(message, new TimerMoved(timer), outcome);
    }

    @Override
    public boolean makesRoom() {
        return message.waitsFor() != null;
    }
}
