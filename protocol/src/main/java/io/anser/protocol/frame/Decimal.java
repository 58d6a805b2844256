package io.anser.protocol.frame;

/** Decimal integers straight from and to ASCII bytes. */
final class Decimal {
    /** Returned for bytes that are no decimal integer of 64 bits; {@link Long#MIN_VALUE} itself is not accepted on the wire. */
    static final long NOT_A_NUMBER = Long.MIN_VALUE;

    /** Bytes of the longest number, {@code -9223372036854775808}. */
    static final int MAX_DIGITS = 20;

    private static final int SAFE_DIGITS = 18;

    private Decimal() {}

    /** Reads an optional sign and at least one digit, and nothing else; {@link #NOT_A_NUMBER} when it is anything else. */
    static long parse(byte[] bytes, int from, int until) {
        int at = from;
        boolean negative = false;
        if (at < until && (bytes[at] == '-' || bytes[at] == '+')) {
            negative = bytes[at] == '-';
            at++;
        }
        if (at == until) {
            return NOT_A_NUMBER;
        }
        int unchecked = Math.min(until, at + SAFE_DIGITS);
        long value = 0;
        for (; at < until; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                return NOT_A_NUMBER;
            }
            if (at >= unchecked && value > (Long.MAX_VALUE - digit) / 10) {
                return NOT_A_NUMBER;
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }

    /** Writes a number at a position with room for {@link #MAX_DIGITS} bytes and returns the position behind it. */
    static int write(long number, byte[] target, int at) {
        if (number == Long.MIN_VALUE) {
            // Has no positive counterpart: the last digit is written apart.
            int end = write(number / 10, target, at);
            target[end] = '8';
            return end + 1;
        }
        int from = at;
        if (number < 0) {
            target[from++] = '-';
        }
        long rest = Math.abs(number);
        int end = from + digits(rest);
        int to = end;
        do {
            target[--to] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        return end;
    }

    /** Number of digits of a number that is not negative. */
    static int digits(long number) {
        int digits = 1;
        for (long bound = 10; number >= bound; bound *= 10) {
            digits++;
            if (digits == 19) {
                break;
            }
        }
        return digits;
    }
}
