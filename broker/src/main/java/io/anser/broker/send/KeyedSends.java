package io.anser.broker.send;

import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.DedupKey;
import io.anser.broker.metadata.DedupTable;
import io.anser.broker.metadata.KeyedMessage;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides for each send with a key whether its message is stored: once for each key, whoever sends it and however often.
 *
 * <p>The table of what is in flight is asked first, then the state: a message leaves the former only when the latter has it.
 * Any thread.
 */
final class KeyedSends {
    private final DedupTable known;
    private final Appender log;
    private final Clock clock;
    private final ConcurrentHashMap<DedupKey, KeyedAppend> inFlight = new ConcurrentHashMap<>();

    KeyedSends(DedupTable known, Appender log, Clock clock) {
        this.known = known;
        this.log = log;
        this.clock = clock;
    }

    /** Stores the messages of a send, or answers it with those that are there; it is answered in any case. */
    void send(KeyedAppend append) {
        while (true) {
            KeyedAppend other = inFlight.putIfAbsent(append.key(), append);
            if (other == null) {
                begin(append);
                return;
            }
            if (other.join(append)) {
                return;
            }
            // It ended between the look and the join, and is out of the table: decide anew.
        }
    }

    private void begin(KeyedAppend append) {
        append.onEnd(ended -> inFlight.remove(ended.key(), ended));
        Optional<KeyedMessage> first = known.find(append.key(), clock.wallMillis());
        if (first.isPresent()) {
            append.known(first.get());
            return;
        }
        try {
            log.append(append);
        } catch (StoreException refused) {
            append.failed(refused);
        }
    }
}
