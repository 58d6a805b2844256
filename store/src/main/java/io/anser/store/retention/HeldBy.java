package io.anser.store.retention;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why the oldest segment stays although it should go. What passes by itself is told to who asks; what does not is logged. */
final class HeldBy {
    /** Attempts in vain, one after the other, that are no matter of waiting any more. */
    private static final int ATTEMPTS_UNTIL_TOLD = 3;

    private static final int WARNINGS_APART = 100;
    private static final Logger LOG = LoggerFactory.getLogger(HeldBy.class);

    private String reason = "";
    private int attempts;

    /** An attempt to let it go was in vain. Any thread. */
    synchronized void by(String why) {
        reason = why;
        attempts++;
        if (attempts % WARNINGS_APART == ATTEMPTS_UNTIL_TOLD) {
            LOG.warn("the oldest segment of the log cannot go attempts={} reason={}", attempts, why);
        }
    }

    /** It goes when something has come that is on its way. Any thread. */
    synchronized void awaits(String what) {
        reason = "waits for " + what;
    }

    /** It went, or need not. Any thread. */
    synchronized void byNothing() {
        reason = "";
        attempts = 0;
    }

    /** The reason of the last attempt; empty when it was not in vain. */
    synchronized String reason() {
        return reason;
    }
}
