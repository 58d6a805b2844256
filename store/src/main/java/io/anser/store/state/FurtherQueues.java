package io.anser.store.state;

import io.anser.protocol.message.MessageLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The store's own state change that lists the message behind it, in the same unit, in further queues beside its own: in queue
 * 0 of some topics. Whoever appends the message writes it with empty offsets; the log writer fills them in, here and in the
 * message, where a text of so many digits may tell readers.
 *
 * <table>
 * <caption>Payload</caption>
 * <tr><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>4</td><td>digitsAt</td><td>where in the message the offsets stand as {@value #DIGITS} digits each with one byte
 *     between; 0: nowhere</td></tr>
 * <tr><td>8</td><td>queueOffset</td><td>offset in the first further queue</td></tr>
 * <tr><td>2</td><td>nameBytes</td><td>length of its topic's name</td></tr>
 * <tr><td>n</td><td>name</td><td>UTF-8; these three fields once for each queue</td></tr>
 * </table>
 */
public final class FurtherQueues {
    /** The number of this kind in the log. */
    public static final short KIND = StateChange.STORE_KINDS_FROM + 3;

    /** Digits of an offset in a message, zeros in front: enough for any. */
    public static final int DIGITS = 19;

    private static final int ENTRY_BYTES = Long.BYTES + Short.BYTES;
    private static final int RADIX = 10;

    private FurtherQueues() {}

    /**
     * One further queue.
     *
     * @param topic whose queue 0 it is
     * @param offset of the message in it
     */
    public record Entry(String topic, long offset) {}

    /** Bytes of the item that names these topics. */
    public static int bytes(List<String> topics) {
        return StateChange.bytes(payloadBytes(topics));
    }

    private static int payloadBytes(List<String> topics) {
        int bytes = Integer.BYTES;
        for (String topic : topics) {
            bytes += ENTRY_BYTES + topic.getBytes(StandardCharsets.UTF_8).length;
        }
        return bytes;
    }

    /** Writes the item without offsets. */
    public static void write(ByteBuffer target, List<String> topics, int digitsAt) {
        StateChange.writeHeader(target, KIND, payloadBytes(topics));
        target.putInt(digitsAt);
        for (String topic : topics) {
            byte[] name = topic.getBytes(StandardCharsets.UTF_8);
            target.putLong(0).putShort((short) name.length).put(name);
        }
    }

    /** Reads a payload, which is consumed. */
    public static List<Entry> read(ByteBuffer payload) {
        List<Entry> entries = new ArrayList<>();
        payload.getInt();
        while (payload.hasRemaining()) {
            long offset = payload.getLong();
            byte[] name = new byte[payload.getShort()];
            payload.get(name);
            entries.add(new Entry(new String(name, StandardCharsets.UTF_8), offset));
        }
        return entries;
    }

    /**
     * Whether an item that somebody else wrote is one, with a message behind it in the same buffer that has room for the
     * digits.
     *
     * @param at index of the item's first byte; its header is sound, and the whole item is in the buffer
     */
    public static boolean isSound(ByteBuffer buffer, int at) {
        int end = at + buffer.getInt(at);
        int entry = at + StateChange.HEADER_BYTES + Integer.BYTES;
        int count = 0;
        while (entry + ENTRY_BYTES <= end && buffer.getShort(entry + Long.BYTES) > 0) {
            entry += ENTRY_BYTES + buffer.getShort(entry + Long.BYTES);
            count++;
        }
        if (entry != end || buffer.limit() - end < 2 * Integer.BYTES) {
            return false;
        }
        long digitsAt = buffer.getInt(at + StateChange.HEADER_BYTES);
        int message = buffer.getInt(end);
        boolean fits = digitsAt == 0
                || (digitsAt >= MessageLayout.MIN_MESSAGE_BYTES && digitsAt + count * (DIGITS + 1L) - 1 <= message);
        return fits && message <= buffer.limit() - end && buffer.getInt(end + Integer.BYTES) != StateChange.MAGIC;
    }

    /**
     * Fills offsets into an item and the message behind it.
     *
     * @param at index of the item's first byte
     * @param offsets as many as it names topics
     */
    public static void fill(ByteBuffer buffer, int at, List<Long> offsets) {
        int digitsAt = buffer.getInt(at + StateChange.HEADER_BYTES);
        int text = at + buffer.getInt(at) + digitsAt;
        int entry = at + StateChange.HEADER_BYTES + Integer.BYTES;
        for (long offset : offsets) {
            buffer.putLong(entry, offset);
            entry += ENTRY_BYTES + buffer.getShort(entry + Long.BYTES);
            if (digitsAt > 0) {
                writeDigits(buffer, text, offset);
                text += DIGITS + 1;
            }
        }
    }

    private static void writeDigits(ByteBuffer buffer, int at, long offset) {
        long rest = offset;
        for (int digit = DIGITS - 1; digit >= 0; digit--) {
            buffer.put(at + digit, (byte) ('0' + rest % RADIX));
            rest /= RADIX;
        }
    }
}
