package io.anser.protocol.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Pulls one JSON value out of bytes, in the order in which it is written and without building a tree:
 *
 * <pre>{@code
 * if (in.beginObject()) {
 *     while (in.nextMember()) {
 *         switch (in.name()) {
 *             case "topic" -> topic = in.string();
 *             case "queueId" -> queueId = in.integer();
 *             default -> in.skip();
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Beyond standard JSON it accepts what Apache clients send: member names without quotes ({@code {0:"a"}}), whole
 * objects as member names ({@code {{"queueId":0}:1}}), single quotes, a comma before a closing bracket, and scalars of
 * another type where the meaning is plain ({@code "12"} for a number). {@code null} reads as the empty value of the type
 * asked for. Nesting is limited to {@link #MAX_DEPTH}, what is kept to {@link #MAX_ENTRIES}. Owned by one thread.
 */
public final class JsonReader {
    /** Deepest nesting of objects and arrays. */
    public static final int MAX_DEPTH = 32;

    /**
     * Most entries that {@link #list} and {@link #map} keep of one body. An entry of two bytes becomes an object of
     * some hundred, so the size alone does not bound the memory.
     */
    public static final int MAX_ENTRIES = 250_000;

    private static final int END = -1;

    private final byte[] json;
    private int at;
    private int depth;
    private int entries;
    /** Whether an object or array was opened just now, so that no comma is due before its first entry. */
    private boolean opened;
    /** The current member's name lies in {@code [nameFrom, nameUntil)}, without quotes. */
    private int nameFrom;

    private int nameUntil;
    private boolean nameEscaped;
    /** Whether the string that was scanned last has escapes. */
    private boolean escaped;

    /** A reader of {@code json}, which is not copied. */
    public JsonReader(byte[] json) {
        this.json = json;
    }

    /**
     * Reads a whole body.
     *
     * @param json UTF-8
     * @param maxBytes longest body accepted
     * @param body reads the one value
     * @throws MalformedJsonException if the body is too long, not JSON, of another shape, or followed by anything else
     */
    public static <T> T parse(byte[] json, int maxBytes, Function<JsonReader, T> body) {
        if (json.length > maxBytes) {
            throw new MalformedJsonException("json bytes=" + json.length + " limit=" + maxBytes);
        }
        JsonReader in = new JsonReader(json);
        T value = body.apply(in);
        in.end();
        return value;
    }

    /** Opens an object; false (and nothing to close) if the value is {@code null}. */
    public boolean beginObject() {
        return begin('{', "an object");
    }

    /** Opens an array; false (and nothing to close) if the value is {@code null}. */
    public boolean beginArray() {
        return begin('[', "an array");
    }

    /** Moves to the next member of the open object, whose value must then be read or skipped; closes it at its end. */
    public boolean nextMember() {
        if (!next('}')) {
            return false;
        }
        int first = peek();
        if (first == '"' || first == '\'') {
            int from = at + 1;
            scanString();
            setName(from, at - 1, escaped);
        } else if (first == '{' || first == '[') {
            int from = at;
            skip();
            setName(from, at, false);
        } else {
            int from = at;
            scanBare();
            setName(from, at, false);
        }
        if (peek() != ':') {
            throw expected("a colon");
        }
        at++;
        return true;
    }

    /** Moves to the next element of the open array, which must then be read or skipped; closes it at its end. */
    public boolean nextElement() {
        return next(']');
    }

    /** The current member's name; for an object or array as name, its JSON text. */
    public String name() {
        return text(nameFrom, nameUntil, nameEscaped);
    }

    /** A string; numbers, true and false as their text; "" for {@code null}. */
    public String string() {
        int first = peek();
        if (first == '"' || first == '\'') {
            int from = at + 1;
            scanString();
            return text(from, at - 1, escaped);
        }
        if (first == '{' || first == '[') {
            throw expected("a string");
        }
        int from = at;
        scanBare();
        String text = text(from, at, false);
        return text.equals("null") ? "" : text;
    }

    /** A whole number that fits an int; 0 for {@code null}. */
    public int integer() {
        int from = at;
        long value = number();
        if (value != (int) value) {
            throw new MalformedJsonException("json number=" + value + " at byte " + from + " does not fit 32 bits");
        }
        return (int) value;
    }

    /** A whole number that fits a long; 0 for {@code null}. */
    public long number() {
        int from = at;
        String text = string();
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw mismatch("a whole number", text, from);
        }
    }

    /** A finite number; 0 for {@code null}. */
    public double decimal() {
        int from = at;
        String text = string();
        try {
            double value = text.isEmpty() ? 0 : Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw mismatch("a number", text, from);
        }
        throw mismatch("a finite number", text, from);
    }

    /** True or false; false for {@code null}. */
    public boolean flag() {
        int from = at;
        String text = string();
        return switch (text) {
            case "true", "1" -> true;
            case "false", "0", "" -> false;
            default -> throw mismatch("true or false", text, from);
        };
    }

    /** An array, each element read by {@code element}; empty for {@code null}. */
    public <T> List<T> list(Function<JsonReader, T> element) {
        List<T> elements = new ArrayList<>();
        if (beginArray()) {
            while (nextElement()) {
                countEntry();
                elements.add(element.apply(this));
            }
        }
        return elements;
    }

    /** An object with any names, each value read by {@code value}, in the order written; empty for {@code null}. */
    public <T> Map<String, T> map(Function<JsonReader, T> value) {
        Map<String, T> members = new LinkedHashMap<>();
        if (beginObject()) {
            while (nextMember()) {
                countEntry();
                String name = name();
                members.put(name, value.apply(this));
            }
        }
        return members;
    }

    /** Passes over one value of any kind; recursion is bounded by {@link #MAX_DEPTH}. */
    public void skip() {
        switch (peek()) {
            case '{' -> {
                beginObject();
                while (nextMember()) {
                    skip();
                }
            }
            case '[' -> {
                beginArray();
                while (nextElement()) {
                    skip();
                }
            }
            case '"', '\'' -> scanString();
            default -> scanBare();
        }
    }

    /** Checks that nothing follows the value. */
    public void end() {
        if (peek() != END) {
            throw expected("the end");
        }
    }

    private void countEntry() {
        if (++entries > MAX_ENTRIES) {
            throw new MalformedJsonException("json at byte " + at + ": more entries than limit=" + MAX_ENTRIES);
        }
    }

    private boolean begin(char bracket, String what) {
        if (peek() == bracket) {
            if (depth == MAX_DEPTH) {
                throw new MalformedJsonException("json at byte " + at + ": nested deeper than limit=" + MAX_DEPTH);
            }
            at++;
            depth++;
            opened = true;
            return true;
        }
        if (isNull()) {
            at += 4;
            return false;
        }
        throw expected(what);
    }

    private boolean isNull() {
        return json.length - at >= 4
                && json[at] == 'n'
                && json[at + 1] == 'u'
                && json[at + 2] == 'l'
                && json[at + 3] == 'l';
    }

    /** Moves to the next entry, or over the closing bracket. */
    private boolean next(char closing) {
        int c = peek();
        if (!opened && c == ',') {
            at++;
            c = peek();
        } else if (!opened && c != closing) {
            throw expected("a comma or " + closing);
        }
        opened = false;
        if (c == closing) {
            at++;
            depth--;
            return false;
        }
        return true;
    }

    private void setName(int from, int until, boolean hasEscapes) {
        nameFrom = from;
        nameUntil = until;
        nameEscaped = hasEscapes;
    }

    /** The next byte that is no white space, or {@link #END}. */
    private int peek() {
        while (at < json.length) {
            byte b = json[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b & 0xFF;
            }
            at++;
        }
        return END;
    }

    /** Passes over a string, from quote to quote. */
    private void scanString() {
        byte quote = json[at++];
        escaped = false;
        while (at < json.length) {
            byte b = json[at++];
            if (b == quote) {
                return;
            }
            if (b == '\\') {
                escaped = true;
                at++;
            }
        }
        at = json.length;
        throw expected("a closing quote");
    }

    /** Passes over a number, a literal or a name without quotes. */
    private void scanBare() {
        int from = at;
        while (at < json.length && isBare(json[at])) {
            at++;
        }
        if (at == from) {
            throw expected("a value");
        }
    }

    private static boolean isBare(byte b) {
        return (b >= '0' && b <= '9')
                || (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || b == '-'
                || b == '+'
                || b == '.'
                || b == '_'
                || b == '$'
                || b < 0;
    }

    private String text(int from, int until, boolean hasEscapes) {
        return hasEscapes ? JsonEscapes.undo(json, from, until) : new String(json, from, until - from, UTF_8);
    }

    private MalformedJsonException expected(String what) {
        String found = at < json.length ? String.format("byte 0x%02x", json[at]) : "the end";
        return new MalformedJsonException("json at byte " + at + ": expected " + what + ", found " + found);
    }

    private static MalformedJsonException mismatch(String what, String text, int at) {
        String cut = text.substring(0, Math.min(text.length(), 64)).replaceAll("\\p{Cntrl}", "?");
        return new MalformedJsonException("json at byte " + at + ": expected " + what + ", found \"" + cut + "\"");
    }
}
