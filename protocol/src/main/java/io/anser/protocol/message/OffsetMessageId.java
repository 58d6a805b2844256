package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The id a broker gives a message: its address and the message's log position. The text form is upper-case hex of 4 or
 * 16 address bytes, int port and long position: 32 or 56 digits.
 *
 * @param storeHost address of the broker that stored the message
 * @param physicalOffset log position of the message
 */
public record OffsetMessageId(WireHost storeHost, long physicalOffset) {
    private static final int V4_DIGITS = 32;
    private static final int V6_DIGITS = 56;
    private static final int POSITION_DIGITS = 16;
    private static final byte[] DIGITS = "0123456789ABCDEF".getBytes(ISO_8859_1);

    /**
     * Reads the text form; lower-case digits are accepted.
     *
     * @throws MalformedMessageException if the length is neither 32 nor 56 or a character is not a hex digit
     */
    public static OffsetMessageId decode(String text) {
        if (text.length() != V4_DIGITS && text.length() != V6_DIGITS) {
            throw new MalformedMessageException("message id length=" + text.length() + " expected 32 or 56");
        }
        byte[] bytes = Hex.parse("message id", text);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        WireHost host = WireHost.read(buffer, 0, text.length() == V6_DIGITS);
        return new OffsetMessageId(host, buffer.getLong(host.length()));
    }

    /** The text form. */
    public String encode() {
        return new Prefix(storeHost).encode(physicalOffset);
    }

    /**
     * The part of the ids that is the same for all messages of a broker; kept by whoever makes an id per message.
     * Immutable.
     */
    public static final class Prefix {
        private final byte[] digits;

        /** The prefix for messages stored under this address. */
        public Prefix(WireHost storeHost) {
            digits = storeHost.toHex().getBytes(ISO_8859_1);
        }

        /** The text form of the id of the message at this log position. */
        public String encode(long physicalOffset) {
            byte[] text = new byte[length()];
            encode(physicalOffset, text, 0);
            return new String(text, ISO_8859_1);
        }

        /** Digits of every id, 32 or 56. */
        public int length() {
            return digits.length + POSITION_DIGITS;
        }

        /** Writes the text form in ASCII into {@code [at, at + length())} of an array. */
        public void encode(long physicalOffset, byte[] text, int at) {
            System.arraycopy(digits, 0, text, at, digits.length);
            int from = at + digits.length;
            for (int i = 0; i < POSITION_DIGITS; i++) {
                text[from + i] = DIGITS[(int) (physicalOffset >>> (60 - 4 * i) & 0xF)];
            }
        }
    }

    /** Strict hex without the exceptions of the JDK's parser. */
    static final class Hex {
        private Hex() {}

        static byte[] parse(String field, String text) {
            for (int i = 0; i < text.length(); i++) {
                if (!HexFormat.isHexDigit(text.charAt(i))) {
                    throw new MalformedMessageException(field + " has no hex digit at index " + i);
                }
            }
            return HexFormat.of().parseHex(text);
        }
    }
}
