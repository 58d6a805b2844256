package io.anser.protocol.body;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Immutable copies that keep the order of what was read, so that the same body is written the same way. */
final class Ordered {
    private Ordered() {}

    static <K, V> Map<K, V> copy(Map<K, V> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    static <T> Set<T> copy(Collection<T> set) {
        return set.isEmpty() ? Set.of() : Collections.unmodifiableSet(new LinkedHashSet<>(set));
    }
}
