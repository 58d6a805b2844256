package io.anser.broker.metadata;

import io.anser.store.state.HeldState;
import java.io.DataInput;
import java.io.IOException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Settings that were changed while the broker ran. Changed by the committing thread alone; any thread reads. */
public final class SettingsTable {
    private volatile SortedMap<String, String> changed = Collections.emptySortedMap();
    private volatile Runnable listener = () -> {};

    SettingsTable() {}

    /**
     * Calls the listener now, and with each change from now on: on the committing thread, once {@link #changed} tells of it,
     * whoever asked for it and whether he hears of it or not. It must not block.
     */
    public void onChanged(Runnable told) {
        this.listener = told;
        told.run();
    }

    /** Returns texts by key of the settings that were changed; never changes. */
    public SortedMap<String, String> changed() {
        return changed;
    }

    void apply(SettingsChanged change) {
        SortedMap<String, String> next = new TreeMap<>(changed);
        next.putAll(change.values());
        next.values().removeIf(String::isEmpty);
        changed = Collections.unmodifiableSortedMap(next);
        listener.run();
    }

    /** Takes hold of them as they are now. */
    HeldState hold() {
        SettingsChanged all = new SettingsChanged(changed);
        return out -> SnapshotChange.write(out, all);
    }

    void read(DataInput in) throws IOException {
        changed = Collections.emptySortedMap();
        apply((SettingsChanged) SnapshotChange.read(in));
    }
}
