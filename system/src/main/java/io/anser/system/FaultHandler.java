package io.anser.system;

/** Told of a fault that nothing nearer could handle, so that no thread dies silently. Called on the failing thread. */
@FunctionalInterface
public interface FaultHandler {
    /**
     * Reports a fault.
     *
     * @param where the name of the thread or task that failed
     * @param cause what was thrown
     */
    void fault(String where, Throwable cause);
}
