package io.anser.server.cluster;

/** A command that comes to nothing; the message is the one line that is printed. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    CommandFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
