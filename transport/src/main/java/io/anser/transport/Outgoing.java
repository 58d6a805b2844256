package io.anser.transport;

import org.jspecify.annotations.Nullable;

/** Something to be written by an event loop: a link of the loop's {@link Outbox}. In at most one outbox, at most once. */
abstract class Outgoing {
    /** The item pushed before this one; owned by the outbox. */
    @Nullable
    Outgoing next;

    /** The connection to write to. */
    abstract Connection connection();

    /** Writes the item; runs on the connection's event loop, which flushes later. */
    abstract void write();
}
