package io.anser.store.retention;

import io.anser.system.Setting;
import java.time.Duration;
import java.util.Map;

/** How long messages are kept that no topic asks anything for. */
public record RetentionSettings(
        @Setting(
                key = "store.retention-hours",
                text =
                        "How long messages are kept, read or not; a topic may ask for another time with the attribute reserve.time.",
                unit = "hours",
                min = 1,
                max = 1_000_000,
                live = true,
                alias = {"fileReservedTime"})
        int hours,

        @Setting(
                key = "store.retention-bytes",
                text =
                        "Size of the commit log above which its oldest segments go before their time; 0 sets no limit. Topics that ask for a time of their own keep it.",
                unit = "bytes",
                min = 0,
                max = 1L << 50,
                live = true)
        long bytes) {

    /** The defaults: three days, any size. */
    public static RetentionSettings defaults() {
        return new RetentionSettings(72, 0);
    }

    /** The policy that these settings ask for, with what topics ask for beside it. */
    public RetentionPolicy policy(Map<String, TopicRetention> topics) {
        return new RetentionPolicy(Duration.ofHours(hours).toMillis(), bytes, topics);
    }
}
