package io.anser.broker.query;

import io.anser.store.key.KeyQuery;
import java.nio.ByteBuffer;
import java.util.List;

/** Where messages are found by their keys: the store. */
@FunctionalInterface
interface KeyedMessages {
    /**
     * Finds messages, newest first, each from position to limit. May wait for the disk and for the index.
     *
     * @throws io.anser.store.file.StoreException if the look-up cannot be answered now
     */
    List<ByteBuffer> find(KeyQuery query);
}
