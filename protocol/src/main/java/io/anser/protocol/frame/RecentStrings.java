package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The short strings that headers carried last, so that the topic and group names of the thousandth message need no new
 * string (and arrive with their hash code computed). Each has one slot where it may be, a newcomer takes
 * the slot.
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
        int slot = slot(bytes, from, until);
        String recent = slots[slot];
        if (isText(recent, bytes, from, length)) {
            return recent;
        }
        String text = new String(bytes, from, length, UTF_8);
        slots[slot] = text;
        return text;
    }

    /** Names mostly differ in their last letters or in length; looking at all of them would cost more than it sorts. */
    private static int slot(byte[] bytes, int from, int until) {
        int last = bytes[until - 1];
        int beforeLast = bytes[Math.max(from, until - 2)];
        return (17 * (until - from) + 31 * bytes[from] + 5 * beforeLast + last) & SLOTS - 1;
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
