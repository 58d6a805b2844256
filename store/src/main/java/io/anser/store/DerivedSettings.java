package io.anser.store;

import io.anser.system.Setting;

/** How what is derived from the log is kept. */
public record DerivedSettings(
        @Setting(
                key = "store.snapshot-bytes",
                text =
                        "Growth of the log after which the derived state is saved, which bounds the replay after a crash.",
                unit = "bytes",
                min = 64 << 10,
                max = 1L << 40)
        long snapshotBytes,

        @Setting(
                key = "store.key-memory-bytes",
                text = "Memory for the newest message keys before they are written to a file of the key index.",
                unit = "bytes",
                min = 4096,
                max = 64 << 20)
        long keyMemoryBytes) {

    /** The defaults: a snapshot per 256 MiB, 4 MiB of keys. */
    public static DerivedSettings defaults() {
        return new DerivedSettings(256L << 20, 4 << 20);
    }
}
