package io.anser.broker.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.MessageView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The properties of one message that an expression names, found in one walk over the message's property block. Reused for
 * message after message; owned by one thread.
 */
final class PropertyRow {
    private static final int FIRST_BLOCK_BYTES = 512;
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES << 7;
    private static final byte[] TRUE = "true".getBytes(UTF_8);

    private final PropertyNumber number = new PropertyNumber();
    private byte[] block = new byte[FIRST_BLOCK_BYTES];
    // By slot: where the value lies in the block; from 0 for a missing one, as no value can begin there.
    private int[] from = new int[8];
    private int[] until = new int[8];

    PropertyRow() {}

    /**
     * Takes a message's properties in.
     *
     * @param names in UTF-8, by slot
     */
    void load(MessageView message, byte[][] names) {
        if (from.length < names.length) {
            from = new int[names.length];
            until = new int[names.length];
        }
        Arrays.fill(from, 0, names.length, 0);
        int length = message.propertiesLength();
        if (block.length < length) {
            block = new byte[length];
        }
        message.copyProperties(block);
        int entry = 0;
        while (entry < length) {
            entry = take(entry, length, names);
        }
    }

    /** Looks at one entry; of two with one name the last one counts, and one without a value is none. */
    private int take(int entry, int length, byte[][] names) {
        int end = entryEnd(entry, length);
        for (int slot = 0; slot < names.length; slot++) {
            byte[] name = names[slot];
            int nameEnd = entry + name.length;
            if (nameEnd + 1 < end && block[nameEnd] == MessageProperties.NAME_END && holds(entry, name)) {
                from[slot] = nameEnd + 1;
                until[slot] = end;
            }
        }
        return end + 1;
    }

    /** Where the entry ends: looks at eight bytes at once, as this is most of the work. */
    private int entryEnd(int entry, int length) {
        int at = entry;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            long zeroWhereEnd = (long) EIGHT_BYTES.get(block, at) ^ (ONES * MessageProperties.VALUE_END);
            // The lowest bit that is set is that of the first byte which is zero; higher ones may be set by borrowing.
            long found = (zeroWhereEnd - ONES) & ~zeroWhereEnd & HIGH_BITS;
            if (found != 0) {
                return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
            }
        }
        while (at < length && block[at] != MessageProperties.VALUE_END) {
            at++;
        }
        return at;
    }

    boolean has(int slot) {
        return from[slot] != 0;
    }

    /** Position of the first byte of a property that is there. */
    int from(int slot) {
        return from[slot];
    }

    /** Position after the last byte of a property that is there. */
    int until(int slot) {
        return until[slot];
    }

    /** Bytes of a property that is there, at least 1. */
    int length(int slot) {
        return until[slot] - from[slot];
    }

    byte at(int position) {
        return block[position];
    }

    /** Says whether these bytes lie at a position; they must not pass the block. */
    boolean holds(int position, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (block[position + i] != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /** Says whether two properties that are there have the same value. */
    boolean isSame(int slot, int other) {
        return Arrays.equals(block, from[slot], until[slot], block, from[other], until[other]);
    }

    /** Says whether a property that is there is the word true, in letters of either case. */
    boolean isTrue(int slot) {
        if (length(slot) != TRUE.length) {
            return false;
        }
        for (int i = 0; i < TRUE.length; i++) {
            if ((block[from[slot] + i] | 0x20) != TRUE[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads properties of this row as numbers. */
    PropertyNumber number() {
        return number;
    }

    /** The text of a property that is there; allocates. */
    String text(int slot) {
        return new String(block, from[slot], length(slot), UTF_8);
    }
}
