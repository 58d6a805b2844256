package io.anser.protocol.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/**
 * Writes one JSON value as UTF-8 into a growing array. Commas are set by the writer; that every {@code begin} has its
 * {@code end} and every member a name and a value is up to the caller. Owned by one thread.
 */
public final class JsonWriter {
    private static final byte[] HEX = "0123456789abcdef".getBytes(ISO_8859_1);

    private final JsonDialect dialect;
    private byte[] bytes = new byte[512];
    private int length;
    /** Whether a comma must come before the next name or element. */
    private boolean commaDue;

    /** An empty writer. */
    public JsonWriter(JsonDialect dialect) {
        this.dialect = dialect;
    }

    /** Opens an object. */
    public JsonWriter beginObject() {
        return open('{');
    }

    /** Closes an object. */
    public JsonWriter endObject() {
        return close('}');
    }

    /** Opens an array. */
    public JsonWriter beginArray() {
        return open('[');
    }

    /** Closes an array. */
    public JsonWriter endArray() {
        return close(']');
    }

    /** Starts a member. */
    public JsonWriter name(String name) {
        comma();
        quoted(name);
        return colon();
    }

    /** Starts a member that is named by a number; the dialect decides about quotes. */
    public JsonWriter name(long name) {
        comma();
        if (dialect == JsonDialect.STANDARD) {
            put('"');
            ascii(Long.toString(name));
            put('"');
        } else {
            ascii(Long.toString(name));
        }
        return colon();
    }

    /** Starts a member that is named by a whole object, which no dialect puts in quotes and standard JSON does not know. */
    public JsonWriter name(JsonBody name) {
        name.writeTo(this);
        return colon();
    }

    /** Writes a string. */
    public JsonWriter value(String value) {
        comma();
        quoted(value);
        commaDue = true;
        return this;
    }

    /** Writes a number. */
    public JsonWriter value(long value) {
        return literal(Long.toString(value));
    }

    /** Writes a number; it must be finite. */
    public JsonWriter value(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number " + value);
        }
        return literal(Double.toString(value));
    }

    /** Writes true or false. */
    public JsonWriter value(boolean value) {
        return literal(value ? "true" : "false");
    }

    /** Writes a member with a string. */
    public JsonWriter member(String name, String value) {
        return name(name).value(value);
    }

    /** Writes a member with a string, or nothing for an empty one: readers take an absent member for none. */
    public JsonWriter memberUnlessEmpty(String name, String value) {
        return value.isEmpty() ? this : member(name, value);
    }

    /** Writes a member with a number. */
    public JsonWriter member(String name, long value) {
        return name(name).value(value);
    }

    /** Writes a member with a number. */
    public JsonWriter member(String name, double value) {
        return name(name).value(value);
    }

    /** Writes a member with true or false. */
    public JsonWriter member(String name, boolean value) {
        return name(name).value(value);
    }

    /** Writes a member with an object. */
    public JsonWriter member(String name, JsonBody value) {
        name(name);
        value.writeTo(this);
        return this;
    }

    /** Writes a member with an array of objects. */
    public JsonWriter members(String name, Collection<? extends JsonBody> values) {
        name(name).beginArray();
        values.forEach(value -> value.writeTo(this));
        return endArray();
    }

    /** Writes a member with an object of objects. */
    public JsonWriter members(String name, Map<String, ? extends JsonBody> values) {
        name(name).beginObject();
        values.forEach(this::member);
        return endObject();
    }

    /** Writes a member with an array of strings. */
    public JsonWriter strings(String name, Collection<String> values) {
        name(name).beginArray();
        values.forEach(this::value);
        return endArray();
    }

    /** Writes a member with an object of strings. */
    public JsonWriter strings(String name, Map<String, String> values) {
        name(name).beginObject();
        values.forEach(this::member);
        return endObject();
    }

    /** What was written. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private JsonWriter open(char bracket) {
        comma();
        put(bracket);
        commaDue = false;
        return this;
    }

    private JsonWriter close(char bracket) {
        put(bracket);
        commaDue = true;
        return this;
    }

    private JsonWriter colon() {
        put(':');
        commaDue = false;
        return this;
    }

    private JsonWriter literal(String text) {
        comma();
        ascii(text);
        commaDue = true;
        return this;
    }

    private void comma() {
        if (commaDue) {
            put(',');
        }
    }

    private void quoted(String text) {
        put('"');
        int i = 0;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c == '"' || c == '\\') {
                put('\\');
                put(c);
            } else if (c < 0x20 || c == 0x7F) {
                ascii("\\u00");
                put(HEX[c >> 4]);
                put(HEX[c & 0xF]);
            } else {
                utf8(c);
            }
        }
        put('"');
    }

    private void utf8(int c) {
        if (c < 0x80) {
            put(c);
        } else if (c < 0x800) {
            put(0xC0 | (c >> 6));
            put(0x80 | (c & 0x3F));
        } else if (c >= 0x10000) {
            put(0xF0 | (c >> 18));
            put(0x80 | ((c >> 12) & 0x3F));
            put(0x80 | ((c >> 6) & 0x3F));
            put(0x80 | (c & 0x3F));
        } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
            put('?'); // half of a pair has no UTF-8 form
        } else {
            put(0xE0 | (c >> 12));
            put(0x80 | ((c >> 6) & 0x3F));
            put(0x80 | (c & 0x3F));
        }
    }

    private void ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
    }

    private void put(int b) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) b;
    }
}
