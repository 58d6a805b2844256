package io.anser.protocol.frame;

import java.util.Arrays;

/**
 * Where the ext fields of one header are, in arrays that are used again for the next header. Names are found by hash first
 * and bytes second, and of equal names the last counts. As clients write fields in the order in which operations read them,
 * a search begins behind the field found last.
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

    /** A bit for each hash that occurs: most fields that are asked for in vain need no search. */
    private long hashBits;

    /** Whether a hash occurs twice, as that of a repeated name does. */
    private boolean repeated;

    /** Where the next search begins; a guess, nothing else. */
    private int nextSearch;

    HeaderFields() {
        hashes = new int[FIRST_FIELDS];
        spans = new int[FIRST_FIELDS * STRIDE];
    }

    /** Makes a copy that is no larger than its content. */
    HeaderFields(HeaderFields original) {
        count = original.count;
        hashBits = original.hashBits;
        repeated = original.repeated;
        hashes = Arrays.copyOf(original.hashes, count);
        spans = Arrays.copyOf(original.spans, count * STRIDE);
    }

    void clear() {
        count = 0;
        hashBits = 0;
        repeated = false;
        nextSearch = 0;
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
        noteHash(nameHash);
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

    private void noteHash(int hash) {
        long bit = 1L << hash;
        for (int index = (hashBits & bit) == 0 ? 0 : count; index > 0 && !repeated; index--) {
            repeated = hashes[index - 1] == hash;
        }
        hashBits |= bit;
    }

    /** Returns the index of a field, or -1. */
    int find(FieldName name, byte[] header) {
        int hash = name.hash();
        if ((hashBits & 1L << hash) == 0) {
            return -1;
        }
        return repeated ? findLast(hash, name, header) : findNext(hash, name, header);
    }

    private int findNext(int hash, FieldName name, byte[] header) {
        int index = nextSearch < count ? nextSearch : 0;
        for (int left = count; left > 0; left--) {
            if (hashes[index] == hash && isNamed(index, name, header)) {
                nextSearch = index + 1;
                return index;
            }
            index = index + 1 < count ? index + 1 : 0;
        }
        return -1;
    }

    private int findLast(int hash, FieldName name, byte[] header) {
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
