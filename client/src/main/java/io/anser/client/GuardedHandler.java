package io.anser.client;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The application's handler behind a wall: whatever it throws is a failed attempt, logged, and never ends a thread of ours. */
final class GuardedHandler {
    private static final Logger log = LoggerFactory.getLogger(GuardedHandler.class);

    private final String group;
    private final MessageHandler handler;

    GuardedHandler(String group, MessageHandler handler) {
        this.group = group;
        this.handler = handler;
    }

    /** Calls the handler. Returns whether it came back without throwing. */
    @SuppressWarnings("CatchingUnchecked") // the outermost frame of a message: errors of the application end here too
    boolean succeeds(ReceivedMessage message) {
        try {
            handler.handle(message);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("handler interrupted group={} {}", group, message);
            return false;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            log.warn("handler failed group={} {}", group, message, e);
            return false;
        }
    }
}
