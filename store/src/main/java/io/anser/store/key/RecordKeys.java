package io.anser.store.key;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.log.CommitLog;
import io.anser.store.log.LogScanner;
import io.anser.store.log.RecordItems;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the keys of the messages in one log record into a run. Owned by the owner of the index. */
final class RecordKeys {
    private static final Logger LOGGER = LoggerFactory.getLogger(RecordKeys.class);

    private final CommitLog log;
    private final RecordItems items = new RecordItems();
    private final MessageView view = new MessageView();
    private final MessageKeys keys = new MessageKeys();

    RecordKeys(CommitLog log) {
        this.log = log;
    }

    /** Takes the record that the scanner stands on. */
    void take(LogScanner scanner, MemoryRun run) {
        items.of(log, scanner);
        try {
            while (items.next()) {
                if (!items.isStateChange()) {
                    message(items.message(), items.position(), run);
                }
            }
            items.requireSound();
        } catch (StoreException | IndexOutOfBoundsException e) {
            // Recovery reports it. Here the rest of one record is left out: nothing else could be read from it either.
            LOGGER.warn("record holds something else than messages position={}", scanner.payloadPosition(), e);
        }
        run.tookRecord(scanner.point().recordPosition(), scanner.point().crc());
    }

    /** Takes a message that lies before the first record. */
    void takeOlder(long position, int bytes, MemoryRun run) {
        message(view.wrap(log.slice(position, bytes), 0), position, run);
    }

    private void message(MessageView message, long position, MemoryRun run) {
        run.marks().saw(position, message.storeTimestamp());
        keys.of(message);
        while (keys.next()) {
            run.add(keys.hash(), position);
        }
    }
}
