package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The header of a request or response, read in place: it refers to the bytes it was decoded from and turns a field into a
 * value only when asked.
 *
 * <p>A header is used again for the next frame; its values are valid until then, and the bytes must not change meanwhile.
 * Strings and arrays that it returns are the caller's. Owned by one thread, usually an event loop; {@link #copy()} makes
 * one that can be kept.
 *
 * <p>Ext fields are text on the wire: numbers decimal, booleans {@code true} and {@code false}. Of equal names the last
 * counts; a JSON null counts as absent. Invalid UTF-8 becomes U+FFFD in strings and is passed through by {@link #utf8}.
 */
public final class CommandHeader {
    /** Bit of {@link #flag()}: this is a response. */
    public static final int FLAG_RESPONSE = 1;
    /** Bit of {@link #flag()}: no response must be sent. */
    public static final int FLAG_ONE_WAY = 2;
    /** The version that this implementation puts into its headers, the number of Apache's 5.5.0. */
    public static final int VERSION = 513;

    private static final byte[] NO_BYTES = new byte[0];
    private static final byte[] FALSE = "false".getBytes(UTF_8);

    int code;
    int language;
    int version;
    int opaque;
    int flag;
    final HeaderFields fields;

    // Made at the first decoding: the many copies that clients keep are never decoded into.
    private @Nullable JsonHeaderDecoder json;
    private @Nullable RecentStrings strings;
    private HeaderEncoding encoding = HeaderEncoding.JSON;
    private byte[] bytes = NO_BYTES;
    private int until;
    private int remarkFrom;
    private int remarkUntil;
    private int remarkBytes;

    /** Creates an empty header: code 0, no fields. */
    public CommandHeader() {
        fields = new HeaderFields();
        reset();
    }

    private CommandHeader(CommandHeader original) {
        fields = new HeaderFields(original.fields);
        encoding = original.encoding;
        // From index 0, so that all positions stay the same.
        bytes = Arrays.copyOf(original.bytes, original.until);
        until = original.until;
        code = original.code;
        language = original.language;
        version = original.version;
        opaque = original.opaque;
        flag = original.flag;
        remark(original.remarkFrom, original.remarkUntil, original.remarkBytes);
    }

    /**
     * Reads a header; everything read before is forgotten.
     *
     * @param encoding how the header is written
     * @param bytes holds the header in {@code [from, until)}; kept until the next call, must not change
     * @throws MalformedFrameException if this is no header, has more than 512 ext fields or nests deeper than 32 levels;
     *     the header is then empty
     * @throws IndexOutOfBoundsException if the range is outside the array
     */
    public void decode(HeaderEncoding encoding, byte[] bytes, int from, int until) {
        Objects.checkFromToIndex(from, until, bytes.length);
        reset();
        if (strings == null) {
            strings = new RecentStrings();
        }
        this.encoding = encoding;
        this.bytes = bytes;
        this.until = until;
        boolean complete = false;
        try {
            if (encoding == HeaderEncoding.JSON) {
                jsonDecoder().decode(bytes, from, until, this);
            } else {
                BinaryHeaderDecoder.decode(bytes, from, until, this);
            }
            complete = true;
        } finally {
            if (!complete) {
                reset();
            }
        }
    }

    private JsonHeaderDecoder jsonDecoder() {
        if (json == null) {
            json = new JsonHeaderDecoder();
        }
        return json;
    }

    private void reset() {
        code = 0;
        language = Language.JAVA;
        version = 0;
        opaque = 0;
        flag = 0;
        fields.clear();
        bytes = NO_BYTES;
        until = 0;
        remark(-1, -1, 0);
    }

    void remark(int newFrom, int newUntil, int newBytes) {
        remarkFrom = newFrom;
        remarkUntil = newUntil;
        remarkBytes = newBytes;
    }

    /** Returns a header with the same content and bytes of its own. */
    public CommandHeader copy() {
        return new CommandHeader(this);
    }

    /** Returns the operation of a request or the result of a response ({@link ResponseCode}). */
    public int code() {
        return code;
    }

    /** Returns the number of the sender's {@link Language}, 0 to 255. */
    public int language() {
        return language;
    }

    /** Returns the version number of the sender, 0 if it names none. */
    public int version() {
        return version;
    }

    /** Returns the number that pairs a response with its request; any int, chosen by the requester. */
    public int opaque() {
        return opaque;
    }

    /** Returns the bits {@link #FLAG_RESPONSE} and {@link #FLAG_ONE_WAY}. */
    public int flag() {
        return flag;
    }

    /** Whether this is a response. */
    public boolean isResponse() {
        return (flag & FLAG_RESPONSE) != 0;
    }

    /** Whether no response must be sent. */
    public boolean isOneWay() {
        return (flag & FLAG_ONE_WAY) != 0;
    }

    /** Returns how this header is encoded. */
    public HeaderEncoding encoding() {
        return encoding;
    }

    /** Returns the remark: a text for people, usually with an error. */
    public Optional<String> remark() {
        if (remarkFrom < 0) {
            return Optional.empty();
        }
        return Optional.of(new String(JsonText.unescape(bytes, remarkFrom, remarkUntil, remarkBytes), UTF_8));
    }

    /** Whether an ext field is there and not null. */
    public boolean has(FieldName name) {
        return fields.find(name, bytes) >= 0;
    }

    /**
     * Returns the text of a required field, possibly empty.
     *
     * @throws InvalidFieldException if the field is absent
     */
    public String string(FieldName name) {
        int index = require(name);
        return text(index);
    }

    /** Returns the text of a field, or the default when it is absent. */
    public String string(FieldName name, String orElse) {
        int index = fields.find(name, bytes);
        return index < 0 ? orElse : text(index);
    }

    /**
     * Returns a required integer of 32 bits.
     *
     * @throws InvalidFieldException if the field is absent, no decimal integer or out of range
     */
    public int integer(FieldName name) {
        return (int) decimal(require(name), name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /**
     * Returns an integer of 32 bits, or the default when the field is absent.
     *
     * @throws InvalidFieldException if the field is no decimal integer or out of range
     */
    public int integer(FieldName name, int orElse) {
        int index = fields.find(name, bytes);
        return index < 0 ? orElse : (int) decimal(index, name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /**
     * Returns a required integer of 64 bits, from {@code -Long.MAX_VALUE} to {@code Long.MAX_VALUE}.
     *
     * @throws InvalidFieldException if the field is absent, no decimal integer or out of range
     */
    public long number(FieldName name) {
        return decimal(require(name), name, -Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * Returns an integer of 64 bits, or the default when the field is absent.
     *
     * @throws InvalidFieldException if the field is no decimal integer or out of range
     */
    public long number(FieldName name, long orElse) {
        int index = fields.find(name, bytes);
        return index < 0 ? orElse : decimal(index, name, -Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * Returns a required boolean.
     *
     * @throws InvalidFieldException as in {@link #flag(FieldName, boolean)}, and if the field is absent
     */
    public boolean flag(FieldName name) {
        require(name);
        return flag(name, false);
    }

    /**
     * Returns a boolean, or the default when the field is absent.
     *
     * @throws InvalidFieldException if the field is none of {@code true}, {@code false} in any case, {@code 1}, {@code 0}
     */
    public boolean flag(FieldName name, boolean orElse) {
        int index = fields.find(name, bytes);
        if (index < 0) {
            return orElse;
        }
        int from = fields.valueFrom(index);
        if (fields.valueUntil(index) - from == FALSE.length && isFalse(from)) {
            return false;
        }
        String text = text(index);
        // The C++ client writes booleans as digits.
        if ("true".equalsIgnoreCase(text) || "1".equals(text)) {
            return true;
        }
        if ("false".equalsIgnoreCase(text) || "0".equals(text)) {
            return false;
        }
        throw InvalidFieldException.of(name.text(), text, "true or false");
    }

    /** Whether this is written there: clients send each flag with nearly each message, and nearly always this. */
    private boolean isFalse(int from) {
        return Arrays.equals(bytes, from, from + FALSE.length, FALSE, 0, FALSE.length);
    }

    /** Returns the unescaped bytes of a field in a new array, an empty array when the field is absent. */
    public byte[] utf8(FieldName name) {
        int index = fields.find(name, bytes);
        return index < 0 ? NO_BYTES : fields.value(index, bytes);
    }

    /** Passes each ext field to a consumer, in wire order, equal names repeated. For rare uses: it builds strings. */
    public void forEach(BiConsumer<String, String> consumer) {
        for (int index = 0; index < fields.count(); index++) {
            consumer.accept(
                    new String(fields.name(index, bytes), UTF_8), new String(fields.value(index, bytes), UTF_8));
        }
    }

    /** Returns all ext fields in a new map in wire order, the last of equal names. For rare uses. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        forEach(map::put);
        return map;
    }

    private int require(FieldName name) {
        int index = fields.find(name, bytes);
        if (index < 0) {
            throw InvalidFieldException.missing(name.text());
        }
        return index;
    }

    private String text(int index) {
        if (fields.isValueEscaped(index)) {
            return new String(fields.value(index, bytes), UTF_8);
        }
        int from = fields.valueFrom(index);
        int end = fields.valueUntil(index);
        return strings == null ? new String(bytes, from, end - from, UTF_8) : strings.get(bytes, from, end);
    }

    private long decimal(int index, FieldName name, long least, long most) {
        long number;
        if (fields.isValueEscaped(index)) {
            byte[] digits = fields.value(index, bytes);
            number = Decimal.parse(digits, 0, digits.length);
        } else {
            number = Decimal.parse(bytes, fields.valueFrom(index), fields.valueUntil(index));
        }
        if (number < least || number > most) {
            throw InvalidFieldException.of(name.text(), text(index), "an integer from " + least + " to " + most);
        }
        return number;
    }

    @Override
    public String toString() {
        return "CommandHeader[code=" + code + ", opaque=" + opaque + ", flag=" + flag + ", fields=" + fields.count()
                + "]";
    }
}
