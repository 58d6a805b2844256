package io.anser.broker.filter;

import java.nio.charset.StandardCharsets;

/**
 * A text that is looked for in properties, on the bytes: in UTF-8 a text contains another one exactly where its bytes do.
 * Immutable.
 */
final class TextPattern {
    private final String text;
    private final byte[] bytes;
    // For each length of a beginning of the text, the longest proper beginning that is also its end (Knuth, Morris,
    // Pratt): no text and no property makes the search take longer than their lengths.
    private final int[] borders;

    TextPattern(String text) {
        this.text = text;
        this.bytes = text.getBytes(StandardCharsets.UTF_8);
        this.borders = borders(bytes);
    }

    private static int[] borders(byte[] bytes) {
        int[] borders = new int[bytes.length + 1];
        int border = 0;
        for (int length = 2; length <= bytes.length; length++) {
            byte next = bytes[length - 1];
            while (border > 0 && bytes[border] != next) {
                border = borders[border];
            }
            border += bytes[border] == next ? 1 : 0;
            borders[length] = border;
        }
        return borders;
    }

    String text() {
        return text;
    }

    int length() {
        return bytes.length;
    }

    /** Says whether the property is exactly this text. */
    boolean isAll(PropertyRow row, int slot) {
        return row.length(slot) == bytes.length && row.holds(row.from(slot), bytes);
    }

    /** Says whether the property begins with this text. */
    boolean isStart(PropertyRow row, int slot) {
        return row.length(slot) >= bytes.length && row.holds(row.from(slot), bytes);
    }

    /** Says whether the property ends with this text. */
    boolean isEnd(PropertyRow row, int slot) {
        return row.length(slot) >= bytes.length && row.holds(row.until(slot) - bytes.length, bytes);
    }

    /** Says whether the property contains this text, which is not empty. */
    boolean isWithin(PropertyRow row, int slot) {
        int until = row.until(slot);
        int matched = 0;
        for (int at = row.from(slot); at < until; at++) {
            byte next = row.at(at);
            while (matched > 0 && bytes[matched] != next) {
                matched = borders[matched];
            }
            if (bytes[matched] == next && ++matched == bytes.length) {
                return true;
            }
        }
        return false;
    }
}
