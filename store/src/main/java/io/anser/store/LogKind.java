package io.anser.store;

/** Who decides what the log of a store holds. */
enum LogKind {
    /** The store itself. */
    OWN,
    /** The engine of a replicated group. */
    GROUP,
    /** Another store, whose log this one copies. */
    COPY
}
