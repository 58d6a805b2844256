package io.anser.server.demo;

/** The demonstration found something missing or wrong; the message says what. */
final class DemoFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoFailure(String message) {
        super(message);
    }
}
