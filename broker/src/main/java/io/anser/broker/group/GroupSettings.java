package io.anser.broker.group;

import io.anser.system.Setting;

/**
 * How consumer groups are looked after.
 *
 * @param youngQueueMillis age at which a queue is young no more, counted from its first message
 */
public record GroupSettings(
        @Setting(
                key = "group.young-queue",
                text = "Age of a queue's first message up to which a new group that starts at the end gets all of it.",
                unit = "ms",
                min = 0,
                max = 86_400_000)
        long youngQueueMillis) {

    /** The defaults: ten minutes. */
    public static GroupSettings defaults() {
        return new GroupSettings(600_000);
    }
}
