package io.anser.broker.export;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.PendingTimer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What waits or is open, by the log position of its message: there may be a million of them. */
final class Unfinished {
    private final long[] waiting;
    private final Map<Long, OpenTransaction> transactions = new HashMap<>();

    Unfinished(BrokerState state) {
        waiting = state.timers().all().stream()
                .mapToLong(PendingTimer::position)
                .sorted()
                .toArray();
        state.transactions().open().values().forEach(open -> transactions.put(open.position(), open));
    }

    /** Whether the message at a position waits for its time. */
    boolean waits(long position) {
        return Arrays.binarySearch(waiting, position) >= 0;
    }

    /** The open transaction whose half message is at a position. */
    Optional<OpenTransaction> transaction(long position) {
        return Optional.ofNullable(transactions.get(position));
    }
}
