package io.anser.store.log;

import io.anser.system.Setting;

/** How much may be handed to the log at once, and how much may wait for it. */
public record AppendSettings(
        @Setting(
                key = "store.record-bytes-max",
                text = "Largest unit (one message, or one batch) that the log takes.",
                unit = "bytes",
                min = 4096,
                max = 64 << 20)
        int recordBytesMax,

        @Setting(
                key = "store.pending-appends-max",
                text =
                        "Sends and state changes that may wait for the log; sends beyond 7/8 of it wait for quota.wait-max and are then refused.",
                unit = "count",
                min = 16,
                max = 1 << 20)
        int pendingAppendsMax,

        @Setting(
                key = "store.pending-bytes-max",
                text =
                        "Bytes that may wait for the log; sends beyond 7/8 of it wait for quota.wait-max and are then refused.",
                unit = "bytes",
                min = 64 << 10,
                max = 1 << 30)
        long pendingBytesMax) {

    /** The defaults: units of 17 MiB, 16,384 of them or 64 MiB waiting. */
    public static AppendSettings defaults() {
        return new AppendSettings(17 << 20, 16_384, 64L << 20);
    }
}
