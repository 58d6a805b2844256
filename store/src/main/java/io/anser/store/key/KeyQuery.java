package io.anser.store.key;

import java.util.Objects;

/**
 * What is looked for.
 *
 * @param topic the exact topic
 * @param key one word of the property KEYS, or a unique id
 * @param uniqueOnly whether only messages with that unique id count
 * @param fromMillis earliest store time, milliseconds since 1970
 * @param untilMillis latest store time, itself included
 * @param countMax most messages to answer; the newest are
 * @param bytesMax the answer ends with the message that reaches as many bytes
 */
public record KeyQuery(
        String topic, String key, boolean uniqueOnly, long fromMillis, long untilMillis, int countMax, int bytesMax) {
    /** Checks the values. */
    public KeyQuery {
        Objects.requireNonNull(topic);
        Objects.requireNonNull(key);
        if (countMax < 1 || bytesMax < 1) {
            throw new IllegalArgumentException("countMax=" + countMax + " bytesMax=" + bytesMax + " are not positive");
        }
    }

    /** Everything with a word in KEYS or as unique id, at any time. */
    public static KeyQuery of(String topic, String key) {
        return new KeyQuery(topic, key, false, 0, Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }
}
