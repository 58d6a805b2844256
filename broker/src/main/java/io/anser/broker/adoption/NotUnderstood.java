package io.anser.broker.adoption;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names what cannot be understood, so that somebody can look at it; the rest is taken over. Used by one thread. */
final class NotUnderstood {
    /** Beyond, only their number is told: a log that is full of them says nothing. */
    private static final int TOLD_MAX = 1_000;

    private static final Logger LOGGER = LoggerFactory.getLogger(NotUnderstood.class);

    private long count;

    /** Takes note of one. */
    void message(String what, long position, String reason) {
        count++;
        if (count <= TOLD_MAX) {
            LOGGER.warn(
                    "not taken over from the Apache store: {} position={} reason={}{}",
                    what,
                    position,
                    reason,
                    count == TOLD_MAX ? "; others are not listed any more" : "");
        }
    }

    /** Says how many there were. */
    long count() {
        return count;
    }
}
