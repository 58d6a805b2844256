package io.anser.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Finding and patching inside encoded frames. */
final class Bytes {
    private static final int DECIMAL = 10;

    private Bytes() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Index of the first occurrence in the first {@code length} bytes, or -1. */
    static int find(byte[] bytes, int length, byte[] sought) {
        byte first = sought[0];
        int last = length - sought.length;
        for (int at = 0; at <= last; at++) {
            if (bytes[at] == first && matches(bytes, at, sought)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean matches(byte[] bytes, int at, byte[] sought) {
        for (int i = 1; i < sought.length; i++) {
            if (bytes[at + i] != sought[i]) {
                return false;
            }
        }
        return true;
    }

    /** The number that starts at an index, perhaps behind a quote; 0 if there is none. */
    static long number(byte[] bytes, int length, int from) {
        int at = from < length && bytes[from] == '"' ? from + 1 : from;
        boolean negative = at < length && bytes[at] == '-';
        long value = 0;
        for (int i = negative ? at + 1 : at; i < length && bytes[i] >= '0' && bytes[i] <= '9'; i++) {
            value = value * DECIMAL + bytes[i] - '0';
        }
        return negative ? -value : value;
    }

    /** Writes a number as so many decimal digits, with zeros in front. */
    static void putDecimal(ByteBuffer target, int at, int digits, long value) {
        long rest = value;
        for (int i = at + digits - 1; i >= at; i--) {
            target.put(i, (byte) ('0' + rest % DECIMAL));
            rest /= DECIMAL;
        }
    }

    /** Writes a number as eight hex digits. */
    static void putHex(ByteBuffer target, int at, int value) {
        for (int i = 0; i < Integer.BYTES * 2; i++) {
            int digit = value >>> (28 - 4 * i) & 0xF;
            target.put(at + i, (byte) (digit < DECIMAL ? '0' + digit : 'A' + digit - DECIMAL));
        }
    }
}
