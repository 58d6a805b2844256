package io.anser.server.message;

/** No broker has the topic that was asked about; the message names it, and the one that may be meant. */
final class UnknownTopicException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownTopicException(String message) {
        super(message);
    }
}
