package io.anser.server;

/** Runs what ends the process in good order when it is told to end. */
final class ShutdownHook {
    private ShutdownHook() {}

    /** The JVM takes nothing but a thread that has not been started. */
    static Thread of(Runnable ending) {
        return io.anser.system.Threads.unstarted("shutdown", ending);
    }
}
