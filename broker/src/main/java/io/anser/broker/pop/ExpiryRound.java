package io.anser.broker.pop;

import io.anser.broker.metadata.LeaseId;
import io.anser.broker.metadata.LeaseTable;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.metadata.QueueLeases;
import io.anser.broker.metadata.QueueLeases.Left;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The leases whose time is over, as they get their turn: each group after the others, each queue of a group after the others,
 * a few leases at a time. However many one group lets run out, the others need not wait for the end of that. Owned by whoever
 * looks for such leases.
 */
final class ExpiryRound {
    /** Most leases of one queue in one turn. */
    static final int TURN_LEASES = 8;

    private final LeaseTable table;
    /** By group, then by queue, both in the order of their turns: behind which lease to go on. */
    private final Map<String, Map<QueueKey, Place>> groups = new LinkedHashMap<>();

    private record Place(QueueLeases leases, LeaseId after) {}

    /**
     * Leases of one queue.
     *
     * @param queue the queue as the group sees it
     * @param leases all of the queue
     * @param over those whose time is over, perhaps none
     */
    record Turn(QueueKey queue, QueueLeases leases, List<Left> over) {}

    ExpiryRound(LeaseTable table) {
        this.table = table;
    }

    /** Whether anything was ever popped. Any thread. */
    boolean isNeeded() {
        return !table.all().isEmpty();
    }

    /** Takes in the queues that have leases and are not in the round. */
    void begin() {
        table.all().forEach((key, leases) -> {
            if (leases.live() > 0) {
                groups.computeIfAbsent(key.group(), group -> new LinkedHashMap<>())
                        .putIfAbsent(key, new Place(leases, LeaseId.FIRST));
            }
        });
    }

    /** Whether every lease had its turn. */
    boolean isOver() {
        return groups.isEmpty();
    }

    /**
     * The next turn; not when the round {@linkplain #isOver is over}.
     *
     * @param most how many leases, at least 1
     */
    Turn next(long nowMillis, int most) {
        Map.Entry<String, Map<QueueKey, Place>> group = removeFirst(groups);
        Map.Entry<QueueKey, Place> first = removeFirst(group.getValue());
        QueueLeases leases = first.getValue().leases();
        int limit = Math.min(most, TURN_LEASES);
        List<Left> over = leases.over(nowMillis, first.getValue().after(), limit);
        if (over.size() == limit) {
            group.getValue()
                    .put(first.getKey(), new Place(leases, over.get(limit - 1).id()));
        }
        if (!group.getValue().isEmpty()) {
            groups.put(group.getKey(), group.getValue());
        }
        return new Turn(first.getKey(), leases, over);
    }

    private static <K, V> Map.Entry<K, V> removeFirst(Map<K, V> map) {
        Iterator<Map.Entry<K, V>> all = map.entrySet().iterator();
        Map.Entry<K, V> next = all.next();
        Map.Entry<K, V> first = Map.entry(next.getKey(), next.getValue());
        all.remove();
        return first;
    }
}
