package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The short strings that headers carried last, so that the topic and group names of the thousandth message need no new
 * string (and arrive with their hash code computed). One slot per hash, a newcomer takes the slot.
 */
final class RecentStrings {
    private static final int SLOTS = 64;
    private static final int MAX_BYTES = 64;

    private final String[] slots = new String[SLOTS];

    RecentStrings() {
        Arrays.fill(slots, "");
    }

    /** Returns the text of the UTF-8 bytes in {@code [from, until)}. */
    String get(byte[] bytes, int from, int until) {
        int length = until - from;
        if (length == 0) {
            return "";
        }
        if (length > MAX_BYTES) {
            return new String(bytes, from, length, UTF_8);
        }
        int hash = FieldName.hash(bytes, from, until);
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        String recent = slots[slot];
        if (isText(recent, bytes, from, length)) {
            return recent;
        }
        String text = new String(bytes, from, length, UTF_8);
        slots[slot] = text;
        return text;
    }

    private static boolean isText(String text, byte[] bytes, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            // A byte of a longer UTF-8 sequence is negative and equals no char: such strings are simply not reused.
            if (text.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}
