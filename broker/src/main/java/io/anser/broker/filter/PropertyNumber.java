package io.anser.broker.filter;

/**
 * Reads properties as numbers, as {@link Long#parseLong(String)} and {@link Double#parseDouble(String)} read their text. The
 * common forms are read in place and allocate nothing. Owned by one thread; holds the number read last.
 */
final class PropertyNumber {
    /** Most digits that are certain to fit a long. */
    private static final int SAFE_DIGITS = 18;

    /** Most digits that a double holds exactly. */
    private static final int EXACT_DIGITS = 15;

    /** Powers of ten that a double holds exactly, as many as {@link #EXACT_DIGITS} needs. */
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private long whole;
    private double real;

    PropertyNumber() {}

    /** The number that {@link #readWhole} found. */
    long whole() {
        return whole;
    }

    /** The number that {@link #readReal} found. */
    double real() {
        return real;
    }

    /** Reads a property that is there as a whole number; false if it is none or passes the range of a long. */
    boolean readWhole(PropertyRow row, int slot) {
        int from = row.from(slot);
        int until = row.until(slot);
        boolean minus = row.at(from) == '-';
        int at = minus || row.at(from) == '+' ? from + 1 : from;
        boolean fits = at < until && until - at <= SAFE_DIGITS;
        long value = 0;
        while (at < until && isDigit(row.at(at))) {
            value = value * 10 + (row.at(at) - '0');
            at++;
        }
        if (fits && at == until) {
            whole = minus ? -value : value;
            return true;
        }
        // The digits of other scripts count too; a text that is plainly no number must not cost an exception.
        return (at == until || row.at(at) < 0) && readWhole(row.text(slot));
    }

    private boolean readWhole(String text) {
        try {
            whole = Long.parseLong(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Reads a property that is there as a number with or without fraction; false if it is none. */
    boolean readReal(PropertyRow row, int slot) {
        int from = row.from(slot);
        int until = row.until(slot);
        boolean minus = row.at(from) == '-';
        int at = minus || row.at(from) == '+' ? from + 1 : from;
        long digits = 0;
        int count = 0;
        int point = -1;
        while (at < until && count <= EXACT_DIGITS && (isDigit(row.at(at)) || (row.at(at) == '.' && point < 0))) {
            if (row.at(at) == '.') {
                point = count;
            } else {
                digits = digits * 10 + (row.at(at) - '0');
                count++;
            }
            at++;
        }
        if (at == until && count > 0 && count <= EXACT_DIGITS) {
            // Both sides of the division are exact, so its result is the double nearest to the text.
            double value = point < 0 ? digits : digits / POWERS[count - point];
            real = minus ? -value : value;
            return true;
        }
        return mayBeReal(row.at(from)) && readReal(row.text(slot));
    }

    /** A text that is plainly no number must not cost an exception: looks at its first byte. */
    private static boolean mayBeReal(byte first) {
        return isDigit(first) || (first >= 0 && first <= ' ') || "+-.NI".indexOf(first) >= 0;
    }

    private boolean readReal(String text) {
        try {
            real = Double.parseDouble(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
