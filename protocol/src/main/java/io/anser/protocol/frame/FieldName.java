package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The wire name of a header field with everything precomputed that finding and writing it needs. Names are constants of
 * the operation that uses them. Immutable.
 */
public final class FieldName {
    private static final int MAX_CHARS = 127;

    private final String text;
    private final byte[] ascii;
    private final byte[] jsonOpening;
    private final int hash;

    private FieldName(String text) {
        this.text = text;
        this.ascii = text.getBytes(US_ASCII);
        this.jsonOpening = ('"' + text + "\":\"").getBytes(US_ASCII);
        this.hash = hash(ascii, 0, ascii.length);
    }

    /**
     * Makes a name.
     *
     * @param ascii 1 to 127 printable ASCII characters without quote and backslash, so that it needs no escape in JSON
     * @throws IllegalArgumentException if the text is anything else
     */
    public static FieldName of(String ascii) {
        boolean valid = !ascii.isEmpty() && ascii.length() <= MAX_CHARS;
        valid = valid && ascii.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\');
        if (!valid) {
            throw new IllegalArgumentException("not a field name: " + ascii);
        }
        return new FieldName(ascii);
    }

    /** Returns the name as text. */
    public String text() {
        return text;
    }

    /** Hashes a name the way {@link #hash()} does; the same for both encodings. */
    static int hash(byte[] bytes, int from, int until) {
        int hash = 0;
        for (int i = from; i < until; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    int hash() {
        return hash;
    }

    /** Whether the bytes in {@code [from, until)} are this name. */
    boolean matches(byte[] bytes, int from, int until) {
        byte[] own = ascii;
        if (until - from != own.length) {
            return false;
        }
        // A plain loop: names are so short that a library call costs more than the comparison.
        for (int i = 0; i < own.length; i++) {
            if (own[i] != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }

    /** The name's bytes; shared, never to be changed. */
    byte[] ascii() {
        return ascii;
    }

    /** The bytes {@code "name":"} that open a JSON member with a string value; shared, never to be changed. */
    byte[] jsonOpening() {
        return jsonOpening;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldName name && name.text.equals(text);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return text;
    }
}
