package io.anser.broker.metadata;

import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that the messages of given-up transactions had, for who takes such a transaction up again. As many as there may be
 * of those transactions. Changed by the committing thread alone; any thread reads.
 */
final class GivenUpKeys {
    private final ConcurrentHashMap<Long, KeyedMessage> halves = new ConcurrentHashMap<>();
    // The same in the order of giving up. Owned by the committing thread.
    private final LinkedHashMap<Long, KeyedMessage> inOrder = new LinkedHashMap<>();

    Optional<KeyedMessage> find(long position) {
        return Optional.ofNullable(halves.get(position));
    }

    void add(KeyedMessage half) {
        halves.put(half.position(), half);
        inOrder.put(half.position(), half);
        if (inOrder.size() > TransactionTable.GIVEN_UP_MAX) {
            long first = inOrder.keySet().iterator().next();
            inOrder.remove(first);
            halves.remove(first);
        }
    }

    Optional<KeyedMessage> remove(long position) {
        inOrder.remove(position);
        return Optional.ofNullable(halves.remove(position));
    }

    /** Takes hold of them as they are now; few enough to be copied. */
    HeldState hold() {
        List<KeyedMessage> now = List.copyOf(inOrder.values());
        return out -> {
            out.writeInt(now.size());
            for (KeyedMessage half : now) {
                DedupTable.write(out, half);
            }
        };
    }

    void read(DataInput in) throws IOException {
        halves.clear();
        inOrder.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            add(DedupTable.readOne(in));
        }
    }
}
