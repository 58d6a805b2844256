package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes one header after another into an array that is used again: {@link #begin}, any number of {@code field} calls,
 * {@link #end}, then {@link #array()} and {@link #length()}. Owned by one thread.
 *
 * <p>JSON members are written in a fixed order, so equal headers are equal bytes.
 */
public final class HeaderWriter {
    private static final int FIRST_BYTES = 512;
    /** An array that one huge header left behind is given back at the next header. */
    private static final int KEPT_BYTES = 64 << 10;

    /** Bytes of the longest escape of a byte. */
    private static final int ESCAPE_BYTES = 6;

    private static final byte[] HEX = ascii("0123456789abcdef");
    private static final byte[] JSON_CODE = ascii("{\"code\":");
    private static final byte[] JSON_LANGUAGE = ascii(",\"language\":\"JAVA\",\"version\":" + CommandHeader.VERSION);
    private static final byte[] JSON_OPAQUE = ascii(",\"opaque\":");
    private static final byte[] JSON_FLAG = ascii(",\"flag\":");
    private static final byte[] JSON_TYPE = ascii(",\"serializeTypeCurrentRPC\":\"JSON\"");
    private static final byte[] JSON_REMARK = ascii(",\"remark\":\"");
    private static final byte[] JSON_EXT_FIELDS = ascii(",\"extFields\":{");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");

    private byte[] bytes = new byte[FIRST_BYTES];
    private int at;
    private HeaderEncoding encoding = HeaderEncoding.JSON;
    private boolean anyField;
    /** Binary only: where the length of the ext fields goes. */
    private int extLengthAt;

    /** Creates a writer. */
    public HeaderWriter() {}

    /**
     * Starts a header; whatever was written before is forgotten.
     *
     * @param encoding the encoding to write
     * @param code request or response code; the binary encoding has room for -32768 to 32767 only
     * @param flag bits of {@link CommandHeader#flag()}
     * @param opaque number that pairs response and request
     * @param remark text for people; null means none
     * @throws InvalidFieldException if the code does not fit the encoding
     */
    public void begin(HeaderEncoding encoding, int code, int flag, int opaque, @Nullable String remark) {
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
        at = 0;
        anyField = false;
        this.encoding = encoding;
        if (encoding == HeaderEncoding.JSON) {
            beginJson(code, flag, opaque, remark);
        } else {
            beginBinary(code, flag, opaque, remark);
        }
    }

    private void beginJson(int code, int flag, int opaque, @Nullable String remark) {
        raw(JSON_CODE);
        decimal(code);
        raw(JSON_LANGUAGE);
        raw(JSON_OPAQUE);
        decimal(opaque);
        raw(JSON_FLAG);
        decimal(flag);
        raw(JSON_TYPE);
        if (remark != null) {
            raw(JSON_REMARK);
            text(remark);
            raw((byte) '"');
        }
    }

    private void beginBinary(int code, int flag, int opaque, @Nullable String remark) {
        if (code != (short) code) {
            throw InvalidFieldException.of(
                    "code", Integer.toString(code), "an integer from -32768 to 32767 in a binary header");
        }
        rawShort(code);
        raw((byte) Language.JAVA);
        rawShort(CommandHeader.VERSION);
        rawInt(opaque);
        rawInt(flag);
        int remarkAt = at;
        rawInt(0);
        if (remark != null) {
            text(remark);
            BinaryHeaderDecoder.INT.set(bytes, remarkAt, at - remarkAt - Integer.BYTES);
        }
        extLengthAt = at;
        rawInt(0);
    }

    /** Writes a text field, possibly empty. */
    public void field(FieldName name, String value) {
        int valueAt = open(name);
        text(value);
        close(valueAt);
    }

    /**
     * Writes a text field whose value is already encoded.
     *
     * @param utf8 the value in UTF-8; not retained
     */
    public void field(FieldName name, byte[] utf8) {
        field(name, utf8, 0, utf8.length);
    }

    /**
     * Writes a text field whose value is already encoded.
     *
     * @param utf8 holds the value in UTF-8 in {@code [from, until)}; not retained
     */
    public void field(FieldName name, byte[] utf8, int from, int until) {
        int valueAt = open(name);
        if (encoding == HeaderEncoding.BINARY) {
            room(until - from);
            System.arraycopy(utf8, from, bytes, at, until - from);
            at += until - from;
        } else {
            jsonBytes(utf8, from, until);
        }
        close(valueAt);
    }

    /** Writes a number in decimal. */
    public void field(FieldName name, long value) {
        int valueAt = open(name);
        decimal(value);
        close(valueAt);
    }

    /** Writes a number in decimal. */
    public void field(FieldName name, int value) {
        field(name, (long) value);
    }

    /** Writes {@code true} or {@code false}. */
    public void field(FieldName name, boolean value) {
        int valueAt = open(name);
        raw(value ? TRUE : FALSE);
        close(valueAt);
    }

    /** Writes a text field, or nothing when the text is empty, which stands for absent in request and response records. */
    public void optional(FieldName name, String value) {
        if (!value.isEmpty()) {
            field(name, value);
        }
    }

    /** Completes the header. */
    public void end() {
        if (encoding == HeaderEncoding.BINARY) {
            BinaryHeaderDecoder.INT.set(bytes, extLengthAt, at - extLengthAt - Integer.BYTES);
            return;
        }
        if (anyField) {
            raw((byte) '}');
        }
        raw((byte) '}');
    }

    /** Returns the array that holds the header from index 0; valid until the next {@link #begin}, not to be changed. */
    public byte[] array() {
        return bytes;
    }

    /** Returns the bytes written so far, of the whole header after {@link #end}. */
    public int length() {
        return at;
    }

    /** Writes everything in front of a value and returns where the value starts. */
    private int open(FieldName name) {
        if (encoding == HeaderEncoding.JSON) {
            if (anyField) {
                raw((byte) ',');
            } else {
                raw(JSON_EXT_FIELDS);
            }
            raw(name.jsonOpening());
        } else {
            rawShort(name.ascii().length);
            raw(name.ascii());
            rawInt(0);
        }
        anyField = true;
        return at;
    }

    private void close(int valueAt) {
        if (encoding == HeaderEncoding.JSON) {
            raw((byte) '"');
        } else {
            BinaryHeaderDecoder.INT.set(bytes, valueAt - Integer.BYTES, at - valueAt);
        }
    }

    private void text(String value) {
        int length = value.length();
        int i = 0;
        while (i < length) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                int codePoint = value.codePointAt(i);
                room(4);
                at = JsonText.encode(codePoint, bytes, at);
                i += Character.charCount(codePoint);
            } else {
                if (encoding == HeaderEncoding.BINARY || isPlain((byte) c)) {
                    raw((byte) c);
                } else {
                    room(ESCAPE_BYTES);
                    at = escape((byte) c, bytes, at);
                }
                i++;
            }
        }
    }

    /** Writes bytes with their escapes, eight at a time where none of them has one. */
    private void jsonBytes(byte[] source, int from, int until) {
        room(ESCAPE_BYTES * (until - from));
        byte[] target = bytes;
        int to = at;
        int i = from;
        while (i < until) {
            if (i <= until - Long.BYTES) {
                long word = (long) JsonText.LONG.get(source, i);
                if (JsonText.isPlain(word)) {
                    JsonText.LONG.set(target, to, word);
                    i += Long.BYTES;
                    to += Long.BYTES;
                    continue;
                }
            }
            byte b = source[i++];
            if (isPlain(b)) {
                target[to++] = b;
            } else {
                to = escape(b, target, to);
            }
        }
        at = to;
    }

    private static boolean isPlain(byte b) {
        return b < 0 || (b >= ' ' && b != '"' && b != '\\');
    }

    private static int escape(byte b, byte[] target, int from) {
        int to = from;
        target[to++] = '\\';
        if (b == '"' || b == '\\') {
            target[to++] = b;
            return to;
        }
        target[to++] = 'u';
        target[to++] = '0';
        target[to++] = '0';
        target[to++] = HEX[b >> 4];
        target[to++] = HEX[b & 0xf];
        return to;
    }

    private void decimal(long value) {
        room(Decimal.MAX_DIGITS);
        at = Decimal.write(value, bytes, at);
    }

    private void raw(byte b) {
        room(1);
        bytes[at++] = b;
    }

    private void raw(byte[] source) {
        room(source.length);
        System.arraycopy(source, 0, bytes, at, source.length);
        at += source.length;
    }

    private void rawShort(int value) {
        room(Short.BYTES);
        BinaryHeaderDecoder.SHORT.set(bytes, at, (short) value);
        at += Short.BYTES;
    }

    private void rawInt(int value) {
        room(Integer.BYTES);
        BinaryHeaderDecoder.INT.set(bytes, at, value);
        at += Integer.BYTES;
    }

    private void room(int more) {
        long needed = (long) at + more;
        if (needed > bytes.length) {
            if (needed > FrameLimits.MAX_HEADER_BYTES) {
                throw new MalformedFrameException(
                        "header of " + needed + " bytes is above the limit of " + FrameLimits.MAX_HEADER_BYTES);
            }
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, 2L * bytes.length));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
