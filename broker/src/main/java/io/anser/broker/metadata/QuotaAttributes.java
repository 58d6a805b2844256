package io.anser.broker.metadata;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The attributes of a topic that say how much may be sent to it per second. Pure. */
public final class QuotaAttributes {
    /** Bytes that may be sent to the topic per second; 0 for no limit. */
    public static final String BYTES = "quota.produce.bytes";

    /** Messages that may be sent to the topic per second; 0 for no limit. */
    public static final String MESSAGES = "quota.produce.messages";

    /** A topic says nothing: what the broker's settings say counts. */
    public static final long AS_BROKER = -1;

    /** Least limit of bytes: with less, one large message would close the topic for a day. */
    public static final long BYTES_MIN = 1024;

    /** Largest limit of either. */
    public static final long MAX = 1L << 40;

    private static final String PREFIX = "quota.";
    private static final Pattern FORM = Pattern.compile("(\\d{1,13})(KiB|MiB|GiB)?");

    private QuotaAttributes() {}

    /**
     * Says what is wrong with a value.
     *
     * @return the attribute, its value and what is allowed; empty when it is fine or the attribute is none of these
     */
    public static Optional<String> problem(String name, String value) {
        return switch (name) {
            case BYTES ->
                bytes(value).isPresent()
                        ? Optional.empty()
                        : problem(name, value, "0 (no limit) or " + BYTES_MIN + ".." + MAX + ", such as 512KiB, 10MiB");
            case MESSAGES ->
                messages(value).isPresent() ? Optional.empty() : problem(name, value, "0 (no limit) or 1.." + MAX);
            default -> Optional.empty();
        };
    }

    /** Whether a name looks like that of a quota, so that who gives it expects to be limited or not by it. */
    public static boolean looksLikeOne(String name) {
        return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    private static Optional<String> problem(String name, String value, String allowed) {
        return Optional.of("attribute " + name + "=" + value + " allowed=" + allowed);
    }

    /** Bytes per second of a topic with these attributes; 0: no limit; {@link #AS_BROKER}. */
    static long bytesPerSecond(Map<String, String> attributes) {
        return Optional.ofNullable(attributes.get(BYTES))
                .flatMap(QuotaAttributes::bytes)
                .orElse(AS_BROKER);
    }

    /** Messages per second of a topic with these attributes; 0: no limit; {@link #AS_BROKER}. */
    static long messagesPerSecond(Map<String, String> attributes) {
        return Optional.ofNullable(attributes.get(MESSAGES))
                .flatMap(QuotaAttributes::messages)
                .orElse(AS_BROKER);
    }

    private static Optional<Long> bytes(String value) {
        Matcher form = FORM.matcher(value);
        if (!form.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(form.group(1));
        int shift = form.group(2) == null ? 0 : shift(form.group(2));
        boolean allowed = number == 0 || (number <= MAX >> shift && number << shift >= BYTES_MIN);
        return allowed ? Optional.of(number << shift) : Optional.empty();
    }

    private static int shift(String unit) {
        return switch (unit) {
            case "KiB" -> 10;
            case "MiB" -> 20;
            default -> 30;
        };
    }

    private static Optional<Long> messages(String value) {
        Matcher form = FORM.matcher(value);
        return form.matches() && form.group(2) == null && Long.parseLong(value) <= MAX
                ? Optional.of(Long.parseLong(value))
                : Optional.empty();
    }
}
