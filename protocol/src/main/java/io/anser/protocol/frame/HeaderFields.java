package io.anser.protocol.frame;

import java.util.Arrays;

/**
 * Where the ext fields of one header are, in arrays that are used again for the next header. Names are found by hash first
 * and bytes second, from the last field to the first, so that the last of equal names counts.
 *
 * <p>Owned by the thread that owns the {@link CommandHeader}.
 */
final class HeaderFields {
    /** More fields than any client sends; above it a header is refused. */
    static final int MAX_FIELDS = 512;

    private static final int FIRST_FIELDS = 16;
    private static final int NAME_FROM = 0;
    private static final int NAME_UNTIL = 1;
    private static final int NAME_BYTES = 2;
    private static final int VALUE_FROM = 3;
    private static final int VALUE_UNTIL = 4;
    private static final int VALUE_BYTES = 5;
    private static final int STRIDE = 6;

    private int[] hashes;
    private int[] spans;
    private int count;

    HeaderFields() {
        hashes = new int[FIRST_FIELDS];
        spans = new int[FIRST_FIELDS * STRIDE];
    }

    /** Makes a copy that is no larger than its content. */
    HeaderFields(HeaderFields original) {
        count = original.count;
        hashes = Arrays.copyOf(original.hashes, count);
        spans = Arrays.copyOf(original.spans, count * STRIDE);
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    /**
     * Adds a field. A span whose number of unescaped bytes is not its length holds JSON escapes.
     *
     * @throws MalformedFrameException if there are {@link #MAX_FIELDS} already
     */
    void add(int nameHash, int nameFrom, int nameUntil, int nameBytes, int valueFrom, int valueUntil, int valueBytes) {
        if (count == MAX_FIELDS) {
            throw new MalformedFrameException("header has more than " + MAX_FIELDS + " fields");
        }
        if (count == hashes.length) {
            int capacity = Math.max(FIRST_FIELDS, 2 * count);
            hashes = Arrays.copyOf(hashes, capacity);
            spans = Arrays.copyOf(spans, capacity * STRIDE);
        }
        hashes[count] = nameHash;
        int at = count * STRIDE;
        spans[at + NAME_FROM] = nameFrom;
        spans[at + NAME_UNTIL] = nameUntil;
        spans[at + NAME_BYTES] = nameBytes;
        spans[at + VALUE_FROM] = valueFrom;
        spans[at + VALUE_UNTIL] = valueUntil;
        spans[at + VALUE_BYTES] = valueBytes;
        count++;
    }

    /** Returns the index of a field, or -1. */
    int find(FieldName name, byte[] header) {
        int hash = name.hash();
        for (int index = count - 1; index >= 0; index--) {
            if (hashes[index] == hash && isNamed(index, name, header)) {
                return index;
            }
        }
        return -1;
    }

    private boolean isNamed(int index, FieldName name, byte[] header) {
        int at = index * STRIDE;
        int from = spans[at + NAME_FROM];
        int until = spans[at + NAME_UNTIL];
        if (spans[at + NAME_BYTES] == until - from) {
            return name.matches(header, from, until);
        }
        byte[] unescaped = JsonText.unescape(header, from, until, spans[at + NAME_BYTES]);
        return name.matches(unescaped, 0, unescaped.length);
    }

    int valueFrom(int index) {
        return spans[index * STRIDE + VALUE_FROM];
    }

    int valueUntil(int index) {
        return spans[index * STRIDE + VALUE_UNTIL];
    }

    /** Bytes of the value without escapes. */
    int valueBytes(int index) {
        return spans[index * STRIDE + VALUE_BYTES];
    }

    boolean isValueEscaped(int index) {
        return valueBytes(index) != valueUntil(index) - valueFrom(index);
    }

    /** Returns a new array with the name's unescaped bytes. */
    byte[] name(int index, byte[] header) {
        int at = index * STRIDE;
        return JsonText.unescape(header, spans[at + NAME_FROM], spans[at + NAME_UNTIL], spans[at + NAME_BYTES]);
    }

    /** Returns a new array with the value's unescaped bytes. */
    byte[] value(int index, byte[] header) {
        int at = index * STRIDE;
        return JsonText.unescape(header, spans[at + VALUE_FROM], spans[at + VALUE_UNTIL], spans[at + VALUE_BYTES]);
    }
}
