package io.anser.server;

/** Closes the process in good order when it is told to end. */
final class ShutdownHook {
    private ShutdownHook() {}

    /** The JVM takes nothing but a thread that has not been started. */
    static Thread closing(ServerProcess process) {
        return io.anser.system.Threads.unstarted("shutdown", process::close);
    }
}
