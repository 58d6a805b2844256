package io.anser.broker.append;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Where stored messages are read by their log position: the store. */
@FunctionalInterface
public interface StoredMessages {
    /**
     * Returns the message that starts at a log position; empty where none does or it is no longer kept. May wait for the
     * disk, so it is not for event loops.
     *
     * @throws io.anser.store.file.StoreException if reading fails
     */
    Optional<ByteBuffer> message(long position);
}
