package io.anser.broker.metadata;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The attribute of a topic that says for how long a message that is sent again is recognised. Pure. */
public final class DedupAttribute {
    /** A number of seconds, or one with s, m, h or d behind it; 0 for not at all. */
    public static final String WINDOW = "dedup.window";

    /** For how long explicit keys are recognised in a topic that says nothing about it. */
    public static final Duration DEFAULT_WINDOW = Duration.ofMinutes(2);

    /** The longest window. */
    static final Duration MAX_WINDOW = Duration.ofDays(7);

    private static final Pattern FORM = Pattern.compile("(\\d{1,6})([smhd]?)");

    private DedupAttribute() {}

    /**
     * Says what is wrong with a value.
     *
     * @return the attribute, its value and what is allowed; empty when it is fine or the attribute is another one
     */
    public static Optional<String> problem(String name, String value) {
        return name.equals(WINDOW) && window(value).isEmpty()
                ? Optional.of("attribute " + name + "=" + value + " allowed=0 (off) or 1s..7d, such as 120, 2m, 1h")
                : Optional.empty();
    }

    /** For how long messages sent again to a topic with these attributes are recognised by their unique ids; 0: not at all. */
    static long windowMillis(Map<String, String> attributes) {
        return Optional.ofNullable(attributes.get(WINDOW))
                .flatMap(DedupAttribute::window)
                .map(Duration::toMillis)
                .orElse(0L);
    }

    private static Optional<Duration> window(String value) {
        Matcher form = FORM.matcher(value);
        if (!form.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(form.group(1));
        Duration window = switch (form.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofSeconds(number);
        };
        return window.compareTo(MAX_WINDOW) > 0 ? Optional.empty() : Optional.of(window);
    }
}
