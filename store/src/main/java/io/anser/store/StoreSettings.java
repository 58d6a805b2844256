package io.anser.store;

import io.anser.store.log.DiskSettings;
import io.anser.store.retention.RetentionPolicy;
import io.anser.store.retention.TopicRetention;
import io.anser.system.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * How one store works.
 *
 * @param directory where everything is kept; created when it is not there
 * @param disk how full the device may become
 * @param segmentBytes 0 chooses the smaller of 1 GiB and 1/16 of the device; fixed when the store is made
 */
public record StoreSettings(
        Path directory,

        @Setting(
                key = "store.durability",
                text =
                        "What a producer's acknowledgement means: disk survives a power loss, memory only a killed process.",
                alias = {"flushDiskType"})
        Durability durability,

        @Setting(
                key = "store.segment-bytes",
                text = "Size of one file of the commit log, fixed when the store is made; 0 chooses by the device.",
                unit = "bytes",
                min = 0,
                max = 1 << 30,
                alias = {"mappedFileSizeCommitLog"})
        int segmentBytes,

        @Setting(
                key = "store.record-bytes-max",
                text = "Largest unit (one message, or one batch) that the log takes.",
                unit = "bytes",
                min = 4096,
                max = 64 << 20)
        int recordBytesMax,

        @Setting(
                key = "store.pending-appends-max",
                text = "Sends that may wait for the log; more are answered with system busy.",
                unit = "count",
                min = 16,
                max = 1 << 20)
        int pendingAppendsMax,

        @Setting(
                key = "store.pending-bytes-max",
                text = "Bytes of sends that may wait for the log; more are answered with system busy.",
                unit = "bytes",
                min = 64 << 10,
                max = 1 << 30)
        long pendingBytesMax,

        @Setting(
                key = "store.snapshot-bytes",
                text =
                        "Growth of the log after which the derived state is saved, which bounds the replay after a crash.",
                unit = "bytes",
                min = 64 << 10,
                max = 1L << 40)
        long snapshotBytes,

        @Setting(
                key = "store.retention-hours",
                text =
                        "How long messages are kept, read or not; a topic may ask for another time with the attribute reserve.time.",
                unit = "hours",
                min = 1,
                max = 1_000_000,
                alias = {"fileReservedTime"})
        int retentionHours,

        @Setting(
                key = "store.retention-bytes",
                text =
                        "Size of the commit log above which its oldest segments go before their time; 0 sets no limit. Topics that ask for a time of their own keep it.",
                unit = "bytes",
                min = 0,
                max = 1L << 50)
        long retentionBytes,

        @Setting(
                key = "store.key-memory-bytes",
                text = "Memory for the newest message keys before they are written to a file of the key index.",
                unit = "bytes",
                min = 4096,
                max = 64 << 20)
        long keyMemoryBytes,

        DiskSettings disk) {

    private static final int SEGMENT_BYTES_MIN = 4096;

    /** Checks the values. */
    public StoreSettings {
        Objects.requireNonNull(directory);
        Objects.requireNonNull(durability);
        Objects.requireNonNull(disk);
        if (segmentBytes != 0 && segmentBytes < SEGMENT_BYTES_MIN) {
            throw new IllegalArgumentException(
                    "segmentBytes=" + segmentBytes + " is below the least size=" + SEGMENT_BYTES_MIN);
        }
    }

    /** The defaults, in the folder {@code data} of the working directory. */
    public static StoreSettings defaults() {
        return new StoreSettings(
                Path.of("data"),
                Durability.DISK,
                0,
                17 << 20,
                16_384,
                64L << 20,
                256L << 20,
                72,
                0,
                4 << 20,
                DiskSettings.defaults());
    }

    /** The same settings in another directory. */
    public StoreSettings withDirectory(Path other) {
        return new StoreSettings(
                other,
                durability,
                segmentBytes,
                recordBytesMax,
                pendingAppendsMax,
                pendingBytesMax,
                snapshotBytes,
                retentionHours,
                retentionBytes,
                keyMemoryBytes,
                disk);
    }

    /** The same settings at another durability. */
    public StoreSettings withDurability(Durability other) {
        return new StoreSettings(
                directory,
                other,
                segmentBytes,
                recordBytesMax,
                pendingAppendsMax,
                pendingBytesMax,
                snapshotBytes,
                retentionHours,
                retentionBytes,
                keyMemoryBytes,
                disk);
    }

    /** The same settings with another segment size, in bytes. */
    public StoreSettings withSegmentBytes(int other) {
        return new StoreSettings(
                directory,
                durability,
                other,
                recordBytesMax,
                pendingAppendsMax,
                pendingBytesMax,
                snapshotBytes,
                retentionHours,
                retentionBytes,
                keyMemoryBytes,
                disk);
    }

    /** The same settings with other limits of what may wait for the log. */
    public StoreSettings withPending(int appendsMax, long bytesMax) {
        return new StoreSettings(
                directory,
                durability,
                segmentBytes,
                recordBytesMax,
                appendsMax,
                bytesMax,
                snapshotBytes,
                retentionHours,
                retentionBytes,
                keyMemoryBytes,
                disk);
    }

    /** The same settings with another growth of the log from snapshot to snapshot, in bytes. */
    public StoreSettings withSnapshotBytes(long other) {
        return new StoreSettings(
                directory,
                durability,
                segmentBytes,
                recordBytesMax,
                pendingAppendsMax,
                pendingBytesMax,
                other,
                retentionHours,
                retentionBytes,
                keyMemoryBytes,
                disk);
    }

    /** The same settings with another retention: hours, and bytes of log, 0 for no limit. */
    public StoreSettings withRetention(int hours, long bytes) {
        return new StoreSettings(
                directory,
                durability,
                segmentBytes,
                recordBytesMax,
                pendingAppendsMax,
                pendingBytesMax,
                snapshotBytes,
                hours,
                bytes,
                keyMemoryBytes,
                disk);
    }

    /** The same settings with another amount of memory for the newest message keys, in bytes. */
    public StoreSettings withKeyMemoryBytes(long other) {
        return new StoreSettings(
                directory,
                durability,
                segmentBytes,
                recordBytesMax,
                pendingAppendsMax,
                pendingBytesMax,
                snapshotBytes,
                retentionHours,
                retentionBytes,
                other,
                disk);
    }

    /** The same settings with other limits of the device. */
    public StoreSettings withDisk(DiskSettings other) {
        return new StoreSettings(
                directory,
                durability,
                segmentBytes,
                recordBytesMax,
                pendingAppendsMax,
                pendingBytesMax,
                snapshotBytes,
                retentionHours,
                retentionBytes,
                keyMemoryBytes,
                other);
    }

    /** The retention that these settings ask for, with what topics ask for beside it. */
    public RetentionPolicy retention(Map<String, TopicRetention> topics) {
        return new RetentionPolicy(Duration.ofHours(retentionHours).toMillis(), retentionBytes, topics);
    }
}
