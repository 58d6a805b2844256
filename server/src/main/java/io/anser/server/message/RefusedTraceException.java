package io.anser.server.message;

/** A server refused to tell about a message; the message says which one and why. */
final class RefusedTraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedTraceException(String message) {
        super(message);
    }
}
