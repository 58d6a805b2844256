package io.anser.broker.transaction;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/** Transactions that wait for a producer of their group to come, of which nobody is there. Any thread. */
final class ParkedChecks {
    // Each set is changed only within a computation of its entry, and by nobody once it is out of the map.
    private final ConcurrentHashMap<String, Set<Long>> byGroup = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, String> groups = new ConcurrentHashMap<>();

    /** Has a transaction wait. */
    void park(String group, long id) {
        groups.put(id, group);
        byGroup.compute(group, (name, known) -> {
            Set<Long> ids = known == null ? ConcurrentHashMap.newKeySet() : known;
            ids.add(id);
            return ids;
        });
    }

    /** Has a transaction wait no more. */
    void forget(long id) {
        String group = groups.remove(id);
        if (group != null) {
            byGroup.computeIfPresent(group, (name, ids) -> {
                ids.remove(id);
                return ids.isEmpty() ? null : ids;
            });
        }
    }

    /** Forgets all. */
    void clear() {
        groups.clear();
        byGroup.clear();
    }

    /** Hands over those of the groups that somebody is there of; they wait no more. */
    void release(Predicate<String> isPresent, LongConsumer released) {
        for (String group : byGroup.keySet()) {
            Set<Long> ids = isPresent.test(group) ? byGroup.remove(group) : null;
            if (ids != null) {
                for (long id : ids) {
                    groups.remove(id);
                    released.accept(id);
                }
            }
        }
    }
}
