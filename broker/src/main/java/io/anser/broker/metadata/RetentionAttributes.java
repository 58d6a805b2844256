package io.anser.broker.metadata;

import io.anser.store.retention.TopicRetention;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The attributes of a topic that say how long its messages are kept, and what a full device does to them. Pure. */
public final class RetentionAttributes {
    /** Hours that messages are kept, or -1 for as long as the broker's; Apache's name. */
    public static final String RESERVE_TIME = "reserve.time";

    /** Bytes of the topic's messages that are kept at the most; 0 for no limit. */
    public static final String RETENTION_BYTES = "retention.bytes";

    /** What happens when the device is full: {@link #BLOCK} or {@link #DROP_OLDEST}. */
    public static final String FULL_POLICY = "full.policy";

    /** New messages are refused, none is lost: the default. */
    public static final String BLOCK = "block";

    /** The oldest messages make room for new ones. */
    public static final String DROP_OLDEST = "drop-oldest";

    /** Most hours: beyond the age of any message. */
    private static final long HOURS_MAX = 1_000_000;

    private RetentionAttributes() {}

    /**
     * Says what is wrong with a value.
     *
     * @return the attribute, its value and what is allowed; empty when it is fine or the attribute is none of these
     */
    public static Optional<String> problem(String name, String value) {
        return switch (name) {
            case RESERVE_TIME ->
                hours(value).isPresent()
                        ? Optional.empty()
                        : problem(name, value, "-1 (as the broker) or 1.." + HOURS_MAX + " hours");
            case RETENTION_BYTES ->
                bytes(value).isPresent() ? Optional.empty() : problem(name, value, "0 (no limit) or more bytes");
            case FULL_POLICY ->
                List.of(BLOCK, DROP_OLDEST).contains(value)
                        ? Optional.empty()
                        : problem(name, value, BLOCK + ", " + DROP_OLDEST);
            default -> Optional.empty();
        };
    }

    private static Optional<String> problem(String name, String value, String allowed) {
        return Optional.of("attribute " + name + "=" + value + " allowed=" + allowed);
    }

    /** What a topic with these attributes asks for; a value that is not allowed counts as not given. */
    public static TopicRetention of(Map<String, String> attributes) {
        long hours = Optional.ofNullable(attributes.get(RESERVE_TIME))
                .flatMap(RetentionAttributes::hours)
                .orElse(0L);
        long bytes = Optional.ofNullable(attributes.get(RETENTION_BYTES))
                .flatMap(RetentionAttributes::bytes)
                .orElse(0L);
        return new TopicRetention(TimeUnit.HOURS.toMillis(hours), bytes, dropsOldest(attributes));
    }

    /** Whether a topic with these attributes gives up its oldest messages when the device is full. */
    public static boolean dropsOldest(Map<String, String> attributes) {
        return DROP_OLDEST.equals(attributes.get(FULL_POLICY));
    }

    /** What the topics ask for that ask for something. */
    public static Map<String, TopicRetention> of(TopicTable topics) {
        Map<String, TopicRetention> asked = new HashMap<>();
        for (Topic topic : topics.all()) {
            TopicRetention retention = of(topic.config().attributes());
            if (!retention.equals(TopicRetention.DEFAULT)) {
                asked.put(topic.name(), retention);
            }
        }
        return asked;
    }

    private static Optional<Long> hours(String text) {
        return number(text)
                .filter(hours -> hours == -1 || (hours >= 1 && hours <= HOURS_MAX))
                .map(hours -> Math.max(0, hours));
    }

    private static Optional<Long> bytes(String text) {
        return number(text).filter(bytes -> bytes >= 0);
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
