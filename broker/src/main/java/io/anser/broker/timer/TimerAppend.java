package io.anser.broker.timer;

import io.anser.broker.append.MessagesAndChange;
import io.anser.broker.append.NewMessage;
import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.PendingTimer;
import java.util.List;

/**
 * The delivery of one message and the end of its wait, both or neither: so a timer fires once, whatever happens. Or, in
 * place of the delivery, the same message once more, which waits from then on.
 */
final class TimerAppend extends MessagesAndChange {
    private final NewMessage message;

    TimerAppend(NewMessage message, PendingTimer timer, Outcome outcome) {
        super(List.of(message), new TimerFired(timer), outcome);
        this.message = message;
    }

    @Override
    public boolean makesRoom() {
        return message.waitsFor() != null;
    }
}
