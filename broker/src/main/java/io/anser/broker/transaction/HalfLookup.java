package io.anser.broker.transaction;

import io.anser.broker.append.StoredMessages;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.TransactionTable;
import io.anser.protocol.message.MalformedMessageException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the half message of an open transaction. May wait for the device. Any thread that may, or knows that it need not. */
final class HalfLookup {
    private static final Logger LOG = LoggerFactory.getLogger(HalfLookup.class);

    private final TransactionTable table;
    private final StoredMessages messages;

    HalfLookup(TransactionTable table, StoredMessages messages) {
        this.table = table;
        this.messages = messages;
    }

    /**
     * Returns the half message; empty when it cannot be read or does not say where it belongs.
     *
     * @throws io.anser.store.file.StoreException if reading fails
     */
    Optional<StoredHalf> find(OpenTransaction transaction) {
        try {
            return bytes(transaction).map(StoredHalf::of);
        } catch (MalformedMessageException e) {
            LOG.warn("half message is broken position={} reason={}", transaction.position(), e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Returns the bytes of the half message, wherever it lies by now. The state knows a new place an instant before it can be
     * read; the one before can be read until then, and longer.
     */
    Optional<ByteBuffer> bytes(OpenTransaction transaction) {
        OpenTransaction latest = transaction;
        Optional<ByteBuffer> stored = at(latest);
        while (stored.isEmpty()) {
            OpenTransaction seen = latest;
            latest = table.find(transaction.id()).orElse(seen);
            if (latest.position() == seen.position()) {
                return stored;
            }
            stored = at(latest); // it was appended again between the two looks
        }
        return stored;
    }

    private Optional<ByteBuffer> at(OpenTransaction transaction) {
        Optional<ByteBuffer> stored = messages.message(transaction.position());
        return stored.isPresent() || transaction.previousPosition() == transaction.position()
                ? stored
                : messages.message(transaction.previousPosition());
    }
}
