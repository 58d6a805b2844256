package io.anser.broker.send;

import io.anser.broker.metadata.KeyedMessage;
import io.anser.store.file.StoreException;

/** Where the outcome of one send with a key goes; exactly one method is called, once, on any thread, and must not block. */
interface SendReply {
    /** The messages were stored. */
    void stored(KeyedMessage message);

    /** They had been stored before. */
    void repeated(KeyedMessage first);

    /** They were not stored, or nobody knows. */
    void refused(StoreException reason);
}
