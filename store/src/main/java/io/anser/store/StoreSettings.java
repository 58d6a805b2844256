package io.anser.store;

import io.anser.store.log.AppendSettings;
import io.anser.store.log.DiskSettings;
import io.anser.store.retention.RetentionSettings;
import io.anser.system.Setting;
import java.nio.file.Path;
import java.util.Objects;

/**
 * How one store works.
 *
 * @param directory where everything is kept; created when it is not there
 * @param segmentBytes 0 chooses 1/16 of the device, at least 8 MiB and at most 1 GiB; fixed when the store is made
 * @param disk how full the device may become
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
                text =
                        "Size of one file of the commit log, fixed when the store is made; 0 takes 1/16 of the device, at least 8 MiB and at most 1 GiB.",
                unit = "bytes",
                min = 0,
                max = 1 << 30,
                alias = {"mappedFileSizeCommitLog"})
        int segmentBytes,

        AppendSettings appends,
        DerivedSettings derived,
        RetentionSettings retention,
        DiskSettings disk) {

    private static final int SEGMENT_BYTES_MIN = 4096;

    /** Checks the values. */
    public StoreSettings {
        Objects.requireNonNull(directory);
        Objects.requireNonNull(durability);
        Objects.requireNonNull(appends);
        Objects.requireNonNull(derived);
        Objects.requireNonNull(retention);
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
                AppendSettings.defaults(),
                DerivedSettings.defaults(),
                RetentionSettings.defaults(),
                DiskSettings.defaults());
    }

    /** The same settings in another directory. */
    public StoreSettings withDirectory(Path other) {
        return new StoreSettings(other, durability, segmentBytes, appends, derived, retention, disk);
    }

    /** The same settings at another durability. */
    public StoreSettings withDurability(Durability other) {
        return new StoreSettings(directory, other, segmentBytes, appends, derived, retention, disk);
    }

    /** The same settings with segments of another size, in bytes. */
    public StoreSettings withSegmentBytes(int other) {
        return new StoreSettings(directory, durability, other, appends, derived, retention, disk);
    }

    /** The same settings with other limits of what is handed to the log. */
    public StoreSettings withAppends(AppendSettings other) {
        return new StoreSettings(directory, durability, segmentBytes, other, derived, retention, disk);
    }

    /** The same settings with another way to keep what is derived. */
    public StoreSettings withDerived(DerivedSettings other) {
        return new StoreSettings(directory, durability, segmentBytes, appends, other, retention, disk);
    }

    /** The same settings with another retention. */
    public StoreSettings withRetention(RetentionSettings other) {
        return new StoreSettings(directory, durability, segmentBytes, appends, derived, other, disk);
    }
}
