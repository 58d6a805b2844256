package io.anser.transport;

/** Where an operation's handler runs. */
public enum Lane {
    /** On the connection's event loop: must be short and never block. */
    NET,
    /** On the bounded worker pool: may block. */
    WORKER
}
