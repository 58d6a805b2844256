package io.anser.broker.metadata;

import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import java.util.ArrayList;
import java.util.List;

/** A log that holds every append until the test says what becomes of it. */
final class HeldLog implements Appender {
    private final List<Append> held = new ArrayList<>();
    private boolean busy;

    @Override
    public void append(Append append) {
        if (busy) {
            throw new StoreException(StoreException.Kind.BUSY, "busy");
        }
        held.add(append);
    }

    void refuse() {
        busy = true;
    }

    int size() {
        return held.size();
    }

    void commitAll() {
        List<Append> all = List.copyOf(held);
        held.clear();
        all.forEach(Append::committed);
    }

    void failAll() {
        List<Append> all = List.copyOf(held);
        held.clear();
        all.forEach(append -> append.failed(new StoreException(StoreException.Kind.IO, "lost")));
    }
}
