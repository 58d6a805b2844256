package io.anser.broker.send;

import io.anser.broker.append.Postponement;
import io.anser.protocol.message.DelayLevels;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.PropertyNames;
import io.anser.system.Clock;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** When a message asks to be delivered. */
final class DeliveryTime {
    /** Longest time that a message may be put off. */
    static final long MAX_DELAY_MILLIS = 3L * 24 * 60 * 60 * 1000;

    private static final int MAX_DIGITS = 18;

    private DeliveryTime() {}

    /**
     * Returns until when the message is put off; empty: it is delivered at once. A delay level counts before the exact
     * times; a time that is past is now.
     *
     * @param hints of these properties
     * @throws MalformedMessageException if the time is no number or too far away
     */
    static Optional<Postponement> of(byte[] properties, int hints, Clock clock) {
        return (hints & PropertyHints.DELIVERY) == 0 ? Optional.empty() : of(properties, clock.wallMillis());
    }

    private static Optional<Postponement> of(byte[] properties, long nowMillis) {
        long level = number(properties, PropertyNames.DELAY);
        if (level > 0) {
            return Optional.of(Postponement.level((int) Math.min(level, DelayLevels.COUNT), nowMillis));
        }
        long delayMillis = number(properties, PropertyNames.TIMER_DELAY_MS);
        if (delayMillis == 0) {
            // Cut before it is multiplied: an overflow must not turn the far future into now.
            delayMillis = Math.min(number(properties, PropertyNames.TIMER_DELAY_SEC), MAX_DELAY_MILLIS) * 1000;
        }
        if (delayMillis == 0) {
            long deliverMillis = number(properties, PropertyNames.TIMER_DELIVER_MS);
            delayMillis = deliverMillis == 0 ? 0 : deliverMillis - nowMillis;
        }
        if (delayMillis > MAX_DELAY_MILLIS) {
            throw new MalformedMessageException("delay ms=" + delayMillis + " limit=" + MAX_DELAY_MILLIS);
        }
        return delayMillis <= 0 ? Optional.empty() : Optional.of(Postponement.until(nowMillis + delayMillis));
    }

    /** Returns the number that a property holds, 0 where it is absent or negative. */
    private static long number(byte[] properties, String name) {
        long found = MessageProperties.find(properties, name);
        if (found == MessageProperties.ABSENT) {
            return 0;
        }
        int from = MessageProperties.valueFrom(found);
        int length = MessageProperties.valueUntil(found) - from;
        if (length > MAX_DIGITS) {
            throw new MalformedMessageException("property " + name + " digits=" + length + " limit=" + MAX_DIGITS);
        }
        String text = new String(properties, from, length, StandardCharsets.UTF_8);
        try {
            return Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new MalformedMessageException("property " + name + " is not a whole number");
        }
    }
}
