package io.anser.protocol.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Escapes inside JSON strings, from bytes to bytes. A lone surrogate becomes {@code ?}, as in Java's own UTF-8 encoder. */
final class JsonText {
    private static final int NOT_HEX = -1;
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long QUOTES = 0x2222222222222222L;
    private static final long BACKSLASHES = 0x5C5C5C5C5C5C5C5CL;

    /** The value of each byte as a hex digit. */
    private static final byte[] HEX_VALUES = hexValues();

    private JsonText() {}

    private static byte[] hexValues() {
        byte[] values = new byte[256];
        for (int letter = 0; letter < values.length; letter++) {
            values[letter] = (byte) (letter < 0x80 ? Character.digit(letter, 16) : NOT_HEX);
        }
        return values;
    }

    /** Returns where the first quote or backslash in {@code [from, until)} is, looking at eight bytes at a time. */
    static int plainUntil(byte[] source, int from, int until) {
        int i = from;
        while (i <= until - Long.BYTES) {
            long word = (long) LONG.get(source, i);
            long hits = zeroBytes(word ^ QUOTES) | zeroBytes(word ^ BACKSLASHES);
            if (hits != 0) {
                return i + (Long.numberOfTrailingZeros(hits) >>> 3);
            }
            i += Long.BYTES;
        }
        while (i < until && source[i] != '"' && source[i] != '\\') {
            i++;
        }
        return i;
    }

    /** Whether none of eight bytes has to be escaped; may deny it for bytes behind one that has to be. */
    static boolean isPlain(long word) {
        long controls = (word - 0x2020202020202020L) & ~word & 0x8080808080808080L;
        return (controls | zeroBytes(word ^ QUOTES) | zeroBytes(word ^ BACKSLASHES)) == 0;
    }

    /** Marks the top bit of each byte that is zero; marks above the lowest one may be wrong. */
    private static long zeroBytes(long word) {
        return (word - 0x0101010101010101L) & ~word & 0x8080808080808080L;
    }

    /**
     * Returns the plain bytes of a checked JSON string.
     *
     * @param source bytes of which {@code [from, until)} is the inside of a string whose escapes are valid
     * @param bytes how many bytes the result has
     */
    static byte[] unescape(byte[] source, int from, int until, int bytes) {
        if (bytes == until - from) {
            return Arrays.copyOfRange(source, from, until);
        }
        byte[] target = new byte[bytes];
        int to = 0;
        int at = from;
        while (at < until) {
            int plain = plainUntil(source, at, until) - at;
            System.arraycopy(source, at, target, to, plain);
            at += plain;
            to += plain;
            if (at == until) {
                break;
            }
            if (source[at + 1] != 'u') {
                target[to++] = simple(source[at + 1]);
                at += 2;
            } else {
                int codePoint = codePoint(source, at, until);
                to = encode(codePoint, target, to);
                at += escapeLength(codePoint);
            }
        }
        return target;
    }

    /** Returns what a one-letter escape stands for, 0 if there is no such escape. */
    static byte simple(byte letter) {
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> 0;
        };
    }

    /**
     * Reads the code point of the escape <code>&#92;uXXXX</code> at a position, taking a following low surrogate into account.
     *
     * @return the code point, of a lone surrogate its own number; -1 if the four hex digits are not there
     */
    static int codePoint(byte[] source, int at, int until) {
        int first = hex4(source, at + 2, until);
        if (first < Character.MIN_HIGH_SURROGATE || first > Character.MAX_HIGH_SURROGATE) {
            return first;
        }
        int second = at + 6;
        if (second + 1 < until && source[second] == '\\' && source[second + 1] == 'u') {
            int low = hex4(source, second + 2, until);
            if (low >= Character.MIN_LOW_SURROGATE && low <= Character.MAX_LOW_SURROGATE) {
                return Character.toCodePoint((char) first, (char) low);
            }
        }
        return first;
    }

    /** Bytes of the escape that {@link #codePoint} read: one <code>&#92;uXXXX</code> or a pair of them. */
    static int escapeLength(int codePoint) {
        return codePoint > Character.MAX_VALUE ? 12 : 6;
    }

    /** Bytes of a code point in UTF-8. */
    static int encodedLength(int codePoint) {
        if (codePoint < 0x80 || isSurrogate(codePoint)) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint <= Character.MAX_VALUE ? 3 : 4;
    }

    /** Writes a code point in UTF-8 and returns the position behind it. */
    static int encode(int codePoint, byte[] target, int at) {
        int to = at;
        switch (encodedLength(codePoint)) {
            case 1 -> target[to++] = (byte) (isSurrogate(codePoint) ? '?' : codePoint);
            case 2 -> {
                target[to++] = (byte) (0xC0 | codePoint >> 6);
                target[to++] = continuation(codePoint);
            }
            case 3 -> {
                target[to++] = (byte) (0xE0 | codePoint >> 12);
                target[to++] = continuation(codePoint >> 6);
                target[to++] = continuation(codePoint);
            }
            default -> {
                target[to++] = (byte) (0xF0 | codePoint >> 18);
                target[to++] = continuation(codePoint >> 12);
                target[to++] = continuation(codePoint >> 6);
                target[to++] = continuation(codePoint);
            }
        }
        return to;
    }

    private static byte continuation(int sixBits) {
        return (byte) (0x80 | (sixBits & 0x3F));
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static int hex4(byte[] source, int from, int until) {
        if (from + 4 > until) {
            return NOT_HEX;
        }
        int high = hex(source[from]) << 4 | hex(source[from + 1]);
        int low = hex(source[from + 2]) << 4 | hex(source[from + 3]);
        // One that is no digit makes its half, and so the whole, negative.
        return (high | low) < 0 ? NOT_HEX : high << 8 | low;
    }

    private static int hex(byte letter) {
        return HEX_VALUES[letter & 0xff];
    }
}
