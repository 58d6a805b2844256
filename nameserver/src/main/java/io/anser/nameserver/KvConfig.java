package io.anser.nameserver;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Small configuration that operators keep at a name server: values by namespace and key. In memory only; every name
 * server is told on its own. Thread-safe: changes replace immutable maps under a lock.
 */
final class KvConfig {
    /** The namespace whose keys are topics and whose values give their fixed numbers of queues. */
    static final String ORDER_TOPICS = "ORDER_TOPIC_CONFIG";

    private final int mostEntries;
    private int entries;
    private volatile Map<String, SortedMap<String, String>> namespaces = Map.of();

    KvConfig(int mostEntries) {
        this.mostEntries = mostEntries;
    }

    /** Most entries there may be, over all namespaces. */
    int mostEntries() {
        return mostEntries;
    }

    /** Sets a value; false if there is no room for another entry. */
    synchronized boolean put(String namespace, String key, String value) {
        SortedMap<String, String> changed = new TreeMap<>(namespace(namespace));
        boolean isNew = !changed.containsKey(key);
        if (isNew && entries >= mostEntries) {
            return false;
        }
        changed.put(key, value);
        entries += isNew ? 1 : 0;
        replace(namespace, changed);
        return true;
    }

    /** Removes a value, if there is one. */
    synchronized void delete(String namespace, String key) {
        SortedMap<String, String> changed = new TreeMap<>(namespace(namespace));
        if (changed.remove(key) != null) {
            entries--;
            replace(namespace, changed);
        }
    }

    Optional<String> get(String namespace, String key) {
        return Optional.ofNullable(namespace(namespace).get(key));
    }

    /** All entries of a namespace, empty if there is none. */
    SortedMap<String, String> namespace(String namespace) {
        return namespaces.getOrDefault(namespace, Collections.emptySortedMap());
    }

    private void replace(String namespace, SortedMap<String, String> changed) {
        Map<String, SortedMap<String, String>> all = new TreeMap<>(namespaces);
        if (changed.isEmpty()) {
            all.remove(namespace);
        } else {
            all.put(namespace, Collections.unmodifiableSortedMap(changed));
        }
        namespaces = Map.copyOf(all);
    }
}
