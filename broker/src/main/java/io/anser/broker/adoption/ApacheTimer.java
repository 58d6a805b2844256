package io.anser.broker.adoption;

import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.PropertyNames;
import java.util.OptionalLong;

/** A message in Apache's topic of timers. Pure. */
public final class ApacheTimer {
    /** Apache's wheel turns once a second unless it was set otherwise, and delivers at the end of the turn. */
    private static final long TURN_MILLIS = 1_000;

    /** No wheel turns more slowly. */
    private static final long TURN_MAX_MILLIS = 60_000;

    private ApacheTimer() {}

    /** The turn of the wheel that delivers the message, wall time; empty when the message does not say. */
    static OptionalLong outMillis(MessageView timer) {
        return millis(timer, PropertyNames.TIMER_OUT_MS);
    }

    /**
     * When a timer is due: when its sender asked for, or, where only the turn of the wheel is known, at its end. Empty when
     * the message does not say.
     */
    public static OptionalLong dueMillis(MessageView timer) {
        OptionalLong out = outMillis(timer);
        if (out.isEmpty()) {
            return out;
        }
        long turn = out.getAsLong();
        OptionalLong asked = millis(timer, PropertyNames.TIMER_DELIVER_MS);
        boolean isOfTurn = asked.isPresent() && asked.getAsLong() > turn && asked.getAsLong() <= turn + TURN_MAX_MILLIS;
        return isOfTurn ? asked : OptionalLong.of(turn + TURN_MILLIS);
    }

    private static OptionalLong millis(MessageView message, String property) {
        return message.property(property)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElseGet(OptionalLong::empty);
    }
}
