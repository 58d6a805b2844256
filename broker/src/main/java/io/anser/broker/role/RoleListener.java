package io.anser.broker.role;

/**
 * A part of a broker that works otherwise while the broker leads than while it follows. A broker of its own leads from its
 * start to its end. Told on the committing thread, between two entries of the log; must not block.
 */
public interface RoleListener {
    /**
     * The broker is about to lead. Everything that was ever confirmed is in the state. What the part remembers beside the state
     * is older than that, or was never stored: it is forgotten here. No request reaches the part before this has returned.
     */
    default void takesOver() {}

    /** The broker leads: what goes on by itself begins, from the state as it is. */
    default void leads() {}

    /** The broker follows: who waits is answered, and what goes on by itself rests. */
    default void follows() {}
}
