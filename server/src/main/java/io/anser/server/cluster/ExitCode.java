package io.anser.server.cluster;

/** What a command's exit status says. */
final class ExitCode {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int NOT_FOUND = 3;
    static final int REFUSED = 4;
    static final int UNREACHABLE = 5;
    static final int UNHEALTHY = 7;

    private ExitCode() {}
}
