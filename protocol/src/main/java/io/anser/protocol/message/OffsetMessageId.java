package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long LOW_HALF = 0xFFFF_FFFFL;
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;

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
            LONGS.set(text, at + digits.length, eightDigits(physicalOffset >>> Integer.SIZE));
            LONGS.set(text, at + digits.length + Long.BYTES, eightDigits(physicalOffset & LOW_HALF));
        }

        /** The hex digits of 32 bits, the first one in the highest byte: a batch's answer has an id for each message. */
        private static long eightDigits(long value) {
            long bits = (value << 16 | value) & 0x0000_FFFF_0000_FFFFL;
            bits = (bits << 8 | bits) & 0x00FF_00FF_00FF_00FFL;
            bits = (bits << 4 | bits) & 0x0F0F_0F0F_0F0F_0F0FL;
            long letters = ((bits + 6 * EACH_BYTE) >>> 4) & EACH_BYTE;
            return bits + '0' * EACH_BYTE + ('A' - '0' - 10) * letters;
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
