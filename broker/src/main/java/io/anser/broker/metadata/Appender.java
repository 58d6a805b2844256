package io.anser.broker.metadata;

import io.anser.store.file.StoreException;
import io.anser.store.log.Append;

/** Where appends go: the store's log writer. */
@FunctionalInterface
public interface Appender {
    /**
     * Hands over one atomic append; its callbacks tell what became of it. Called by any thread, does not block.
     *
     * @throws StoreException if it was refused at once; no callback follows
     */
    void append(Append append);
}
