package io.anser.store.log;

import io.anser.system.Setting;

/** How full the device may become, in percent of what this process could have of it. */
public record DiskSettings(
        @Setting(
                key = "store.disk-warn-percent",
                text = "Used part of the device from which on the log warns and says when it will be full.",
                unit = "percent",
                min = 1,
                max = 100)
        int warnPercent,

        @Setting(
                key = "store.disk-limit-percent",
                text =
                        "Used part of the device from which on messages are refused; reads and state changes go on. They are"
                                + " taken again by themselves when there is room.",
                unit = "percent",
                min = 1,
                max = 100)
        int limitPercent,

        @Setting(
                key = "store.disk-margin-percent",
                text = "Part of the device beyond the limit that topics with the policy drop-oldest may still fill.",
                unit = "percent",
                min = 0,
                max = 50)
        int marginPercent) {

    /** The defaults: warn at 80, refuse at 90, drop the oldest from 95 on. */
    public static DiskSettings defaults() {
        return new DiskSettings(80, 90, 5);
    }
}
