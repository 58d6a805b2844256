package io.anser.client;

/** The application's code for one message. Called by several threads at once unless the consumer is orderly. */
@FunctionalInterface
public interface MessageHandler {
    /**
     * Handles one message. Returning means done: it is acknowledged. Throwing means not done: it comes again later, after
     * the last attempt it goes to the dead-letter queue.
     *
     * @throws Exception anything; it is logged with the message's id
     */
    void handle(ReceivedMessage message) throws Exception;
}
