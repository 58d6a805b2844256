package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The property block of a message: {@code name 0x01 value 0x02}, repeated, in UTF-8. The last {@code 0x02} may be
 * missing. An entry without a name or without a value counts as absent, and of two entries with one name the last one
 * counts: that is how clients read the block.
 *
 * <p>Look-ups work on the bytes and build nothing; blocks are values and are never changed in place.
 */
public final class MessageProperties {
    /** Byte between name and value. */
    public static final byte NAME_END = 1;
    /** Byte after a value. */
    public static final byte VALUE_END = 2;
    /** Answer of {@code find} when the property is absent. */
    public static final long ABSENT = -1;

    private static final byte[] NONE = {};

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long LOW_BITS = 0x7F * EACH_BYTE;

    private MessageProperties() {}

    /**
     * Finds the value of a property in {@code [0, until)} of an array.
     *
     * @param name ASCII; another name is found nowhere
     * @return where the value lies, to be read with {@link #valueFrom} and {@link #valueUntil}, or {@link #ABSENT}
     */
    public static long find(byte[] block, int until, String name) {
        long found = ABSENT;
        int entry = 0;
        while (entry < until) {
            int entryEnd = entryEnd(block, entry, until);
            int value = entry + name.length() + 1;
            if (value < entryEnd && isNamed(block, entry, entryEnd, name)) {
                found = ((long) value << 32) | entryEnd;
            }
            entry = entryEnd + 1;
        }
        return found;
    }

    /** Finds the value of a property in a whole block, see {@link #find(byte[], int, String)}. */
    public static long find(byte[] block, String name) {
        return find(block, block.length, name);
    }

    /** First byte of a value that {@code find} found. */
    public static int valueFrom(long found) {
        return (int) (found >>> 32);
    }

    /** The byte after the last one of a value that {@code find} found. */
    public static int valueUntil(long found) {
        return (int) found;
    }

    /** The value of the property {@code name} (ASCII), if the block has it. */
    public static Optional<String> value(byte[] block, String name) {
        long found = find(block, name);
        return found == ABSENT
                ? Optional.empty()
                : Optional.of(new String(block, valueFrom(found), valueUntil(found) - valueFrom(found), UTF_8));
    }

    /** The entries of a block in their order. */
    public static Map<String, String> parse(byte[] block) {
        Map<String, String> properties = new LinkedHashMap<>();
        int entry = 0;
        while (entry < block.length) {
            int entryEnd = entryEnd(block, entry, block.length);
            int nameEnd = indexOf(block, entry, entryEnd, NAME_END);
            if (nameEnd > entry && entryEnd - nameEnd > 1) {
                String value = new String(block, nameEnd + 1, entryEnd - nameEnd - 1, UTF_8);
                properties.put(new String(block, entry, nameEnd - entry, UTF_8), value);
            }
            entry = entryEnd + 1;
        }
        return properties;
    }

    /**
     * The block of these entries, in the map's order.
     *
     * @throws MalformedMessageException if a name or value is empty or contains 0x01 or 0x02
     */
    public static byte[] format(Map<String, String> properties) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(properties.size() * 32);
        properties.forEach((name, value) -> append(out, name, value));
        return out.toByteArray();
    }

    /**
     * A block in which the property has exactly this value and every other entry is kept byte for byte.
     *
     * @throws MalformedMessageException if name or value is empty or contains 0x01 or 0x02
     */
    public static byte[] with(byte[] block, String name, String value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(block.length + name.length() + value.length() + 3);
        copyWithout(block, name, out);
        append(out, name, value);
        return out.toByteArray();
    }

    /** A block without this property in which every other entry is kept byte for byte; {@code name} is ASCII. */
    public static byte[] without(byte[] block, String name) {
        if (block.length == 0) {
            return NONE;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(block.length + 1);
        copyWithout(block, name, out);
        return out.toByteArray();
    }

    private static void copyWithout(byte[] block, String name, ByteArrayOutputStream out) {
        int entry = 0;
        while (entry < block.length) {
            int entryEnd = entryEnd(block, entry, block.length);
            if (entryEnd > entry && !isNamed(block, entry, entryEnd, name)) {
                out.write(block, entry, entryEnd - entry);
                out.write(VALUE_END);
            }
            entry = entryEnd + 1;
        }
    }

    private static void append(ByteArrayOutputStream out, String name, String value) {
        check("name", name, name);
        check("value", value, name);
        out.writeBytes(name.getBytes(UTF_8));
        out.write(NAME_END);
        out.writeBytes(value.getBytes(UTF_8));
        out.write(VALUE_END);
    }

    private static void check(String part, String text, String name) {
        if (text.isEmpty() || text.indexOf(NAME_END) >= 0 || text.indexOf(VALUE_END) >= 0) {
            throw new MalformedMessageException(
                    "property " + part + " is empty or contains U+0001 or U+0002: name length=" + name.length() + " "
                            + part + " length=" + text.length());
        }
    }

    /** Position of the byte that ends the entry which starts at a position, or {@code until}; eight bytes at a time. */
    public static int entryEnd(byte[] block, int from, int until) {
        int at = from;
        for (; at + Long.BYTES <= until; at += Long.BYTES) {
            int before = bytesBeforeEnd(eightBytes(block, at));
            if (before < Long.BYTES) {
                return at + before;
            }
        }
        return indexOf(block, at, until, VALUE_END);
    }

    /** Eight bytes of an array as a big-endian number. */
    static long eightBytes(byte[] block, int at) {
        return (long) LONGS.get(block, at);
    }

    /** How many of eight bytes, the first one in the highest bits, come before the one that ends an entry; 8 if none does. */
    public static int bytesBeforeEnd(long eightBytes) {
        long differing = eightBytes ^ VALUE_END * EACH_BYTE;
        // The highest bit of each byte that is zero; no carry passes from one byte to the next.
        long found = ~(((differing & LOW_BITS) + LOW_BITS) | differing | LOW_BITS);
        return Long.numberOfLeadingZeros(found) / Byte.SIZE;
    }

    /** Position of the first {@code sought}, or {@code until}. */
    private static int indexOf(byte[] block, int from, int until, byte sought) {
        int at = from;
        while (at < until && block[at] != sought) {
            at++;
        }
        return at;
    }

    private static boolean isNamed(byte[] block, int entry, int entryEnd, String name) {
        int nameEnd = entry + name.length();
        if (nameEnd >= entryEnd || block[nameEnd] != NAME_END) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            // A byte outside of ASCII is negative and so equals no character.
            if (block[entry + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
