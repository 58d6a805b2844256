package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * Reads a JSON header in one pass and notes where everything is, instead of building values. Any order of members, unknown
 * members and scalar ext values (numbers, booleans; null is absent) are accepted, nesting up to {@link #MAX_DEPTH}.
 *
 * <p>Control characters and invalid UTF-8 inside strings are taken as they are: clients differ in what they escape, and the
 * bytes of message properties are stored untouched.
 */
final class JsonHeaderDecoder {
    /** Deepest nesting of an ignored value; real headers have two levels. */
    static final int MAX_DEPTH = 32;

    private static final FieldName CODE = FieldName.of("code");
    private static final FieldName LANGUAGE = FieldName.of("language");
    private static final FieldName VERSION = FieldName.of("version");
    private static final FieldName OPAQUE = FieldName.of("opaque");
    private static final FieldName FLAG = FieldName.of("flag");
    private static final FieldName REMARK = FieldName.of("remark");
    private static final FieldName EXT_FIELDS = FieldName.of("extFields");
    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);
    private static final byte[] NULL = "null".getBytes(US_ASCII);

    private final HeaderFields members = new HeaderFields();
    private byte[] bytes = new byte[0];
    private int at;
    private int until;

    // The string, scalar or nested value read last.
    private int spanFrom;
    private int spanUntil;
    private int spanBytes;
    private int nameHash;
    private int plainBytes;

    /** Reads the header in {@code [from, until)} of the bytes into a header that was reset before. */
    void decode(byte[] source, int from, int end, CommandHeader header) {
        bytes = source;
        at = from;
        until = end;
        members.clear();
        header(header.fields);
        skipSpace();
        if (at != until) {
            throw malformed("the end of the header");
        }
        header.code = integer(CODE);
        header.language = language();
        header.version = integer(VERSION);
        header.opaque = integer(OPAQUE);
        header.flag = integer(FLAG);
        int remark = members.find(REMARK, bytes);
        if (remark >= 0) {
            header.remark(members.valueFrom(remark), members.valueUntil(remark), members.valueBytes(remark));
        }
    }

    /** Notes the members of the header, and those of its member {@code extFields} in their own table. */
    private void header(HeaderFields extFields) {
        if (!open('{')) {
            return;
        }
        do {
            name();
            if (nameHash == EXT_FIELDS.hash() && EXT_FIELDS.matches(bytes, spanFrom, spanUntil)) {
                extFields.clear();
                extFields(extFields);
            } else {
                valueOf(members, 1);
            }
        } while (more('}'));
    }

    private void extFields(HeaderFields fields) {
        if (peek() != '{') {
            if (value(1)) {
                throw malformed("an object of ext fields");
            }
        } else if (open('{')) {
            do {
                if (!plainField(fields)) {
                    name();
                    valueOf(fields, 2);
                }
            } while (more('}'));
        }
    }

    /** Reads the value that belongs to the name just read, and notes both unless it is null. */
    private void valueOf(HeaderFields fields, int depth) {
        int hash = nameHash;
        int nameFrom = spanFrom;
        int nameUntil = spanUntil;
        int nameBytes = spanBytes;
        if (value(depth)) {
            fields.add(hash, nameFrom, nameUntil, nameBytes, spanFrom, spanUntil, spanBytes);
        }
    }

    /**
     * Reads an ext field as clients write nearly all of them: no space, no escape, the value a string. This is most of what
     * a header has, so it is read with as few steps as can be.
     *
     * @return false if the field is written in another way; nothing was passed then
     */
    private boolean plainField(HeaderFields fields) {
        byte[] source = bytes;
        int end = until;
        int from = at + 1;
        if (from >= end || source[at] != '"') {
            return false;
        }
        int hash = 0;
        int i = from;
        byte b = 0;
        while (i < end && (b = source[i]) != '"' && b != '\\') {
            hash = 31 * hash + b;
            i++;
        }
        int valueFrom = i + 3;
        if (valueFrom > end || b != '"' || source[i + 1] != ':' || source[i + 2] != '"') {
            return false;
        }
        int valueUntil = JsonText.plainUntil(source, valueFrom, end);
        if (valueUntil == end || source[valueUntil] != '"') {
            return false;
        }
        fields.add(hash, from, i, i - from, valueFrom, valueUntil, valueUntil - valueFrom);
        at = valueUntil + 1;
        return true;
    }

    private int integer(FieldName name) {
        int index = members.find(name, bytes);
        if (index < 0) {
            return 0;
        }
        long number = Decimal.parse(bytes, members.valueFrom(index), members.valueUntil(index));
        if (number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
            at = members.valueFrom(index);
            throw malformed("an integer of 32 bits");
        }
        return (int) number;
    }

    private int language() {
        int index = members.find(LANGUAGE, bytes);
        if (index < 0) {
            return Language.JAVA;
        }
        int from = members.valueFrom(index);
        int end = members.valueUntil(index);
        long number = Decimal.parse(bytes, from, end);
        return number >= 0 && number <= Byte.MAX_VALUE ? (int) number : Language.number(bytes, from, end);
    }

    /** Reads a name and the colon behind it. */
    private void name() {
        if (peek() != '"') {
            throw malformed("a name");
        }
        string();
        if (spanBytes == spanUntil - spanFrom) {
            nameHash = FieldName.hash(bytes, spanFrom, spanUntil);
        } else {
            nameHash = FieldName.hash(JsonText.unescape(bytes, spanFrom, spanUntil, spanBytes), 0, spanBytes);
        }
        if (peek() != ':') {
            throw malformed("':'");
        }
        at++;
    }

    /**
     * Reads any value and leaves its span; of a string the span is the inside, of a nested value the JSON text.
     *
     * @return false if the value is null
     */
    private boolean value(int depth) {
        byte first = peek();
        if (first == '"') {
            string();
            return true;
        }
        if (first != '{' && first != '[') {
            return scalar();
        }
        int from = at;
        nested(first, depth);
        span(from, at, at - from);
        return true;
    }

    private void nested(byte opening, int depth) {
        if (depth == MAX_DEPTH) {
            throw malformed("at most " + MAX_DEPTH + " levels of nesting");
        }
        boolean object = opening == '{';
        if (open((char) opening)) {
            do {
                if (object) {
                    name();
                }
                value(depth + 1);
            } while (more(object ? '}' : ']'));
        }
    }

    /** Passes an opening bracket; false if the closing one follows at once and was passed too. */
    private boolean open(char opening) {
        if (peek() != opening) {
            throw malformed("'" + opening + "'");
        }
        at++;
        byte next = peek();
        if (next == opening + 2) {
            // In ASCII each closing bracket is two behind its opening one.
            at++;
            return false;
        }
        return true;
    }

    /** Passes a comma (true) or the closing bracket (false). */
    private boolean more(char closing) {
        byte next = peek();
        if (next != ',' && next != closing) {
            throw malformed("',' or '" + closing + "'");
        }
        at++;
        return next == ',';
    }

    private void string() {
        byte[] source = bytes;
        int from = at + 1;
        int i = JsonText.plainUntil(source, from, until);
        if (i < until && source[i] == '"') {
            span(from, i, i - from);
            at = i + 1;
        } else {
            escapedString(from, i);
        }
    }

    /** Goes on with a string behind the part without escapes. */
    private void escapedString(int from, int firstEscape) {
        byte[] source = bytes;
        int i = firstEscape;
        int saved = 0;
        while (i < until) {
            if (source[i] == '"') {
                span(from, i, i - from - saved);
                at = i + 1;
                return;
            }
            int escaped = escape(i);
            saved += escaped - plainBytes;
            i = JsonText.plainUntil(source, i + escaped, until);
        }
        at = until;
        throw malformed("the end of a string");
    }

    /** Returns the length of the escape at a position and leaves the number of bytes that it stands for. */
    private int escape(int position) {
        if (position + 1 < until && bytes[position + 1] == 'u') {
            int codePoint = JsonText.codePoint(bytes, position, until);
            if (codePoint >= 0) {
                plainBytes = JsonText.encodedLength(codePoint);
                return JsonText.escapeLength(codePoint);
            }
        } else if (position + 1 < until && JsonText.simple(bytes[position + 1]) != 0) {
            plainBytes = 1;
            return 2;
        }
        at = position;
        throw malformed("a valid escape");
    }

    /** Reads a number, true, false (true) or null (false). */
    private boolean scalar() {
        int from = at;
        int i = from;
        while (i < until && isScalarByte(bytes[i])) {
            i++;
        }
        boolean number = i > from && (bytes[from] == '-' || isDigit(bytes[from]));
        if (!number && !isWord(TRUE, i) && !isWord(FALSE, i) && !isWord(NULL, i)) {
            throw malformed("a value");
        }
        span(from, i, i - from);
        at = i;
        return number || !Arrays.equals(NULL, 0, NULL.length, bytes, from, i);
    }

    private boolean isWord(byte[] word, int end) {
        return Arrays.equals(word, 0, word.length, bytes, at, end);
    }

    private static boolean isScalarByte(byte b) {
        return isDigit(b) || (b >= 'a' && b <= 'z') || b == '-' || b == '+' || b == '.' || b == 'E';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private void span(int from, int end, int unescapedBytes) {
        spanFrom = from;
        spanUntil = end;
        spanBytes = unescapedBytes;
    }

    /** Skips white space and returns the next byte without passing it. */
    private byte peek() {
        if (at < until && bytes[at] > ' ') {
            return bytes[at];
        }
        skipSpace();
        if (at == until) {
            throw malformed("more");
        }
        return bytes[at];
    }

    private void skipSpace() {
        while (at < until && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
            at++;
        }
    }

    private MalformedFrameException malformed(String expected) {
        String found = at < until ? "byte " + (bytes[at] & 0xff) : "the end";
        return new MalformedFrameException("JSON header has " + found + " where " + expected + " was expected");
    }
}
