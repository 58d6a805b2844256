package io.anser.protocol.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Makes the ids that senders give their messages ({@link PropertyNames#UNIQ_KEY}): upper-case hex of 4 or 16 address
 * bytes, short process id, int instance hash, int milliseconds since the start of the month, short counter; 32 or 56
 * digits. Unique per instance as long as fewer than 65,536 ids are made per millisecond. Any thread may ask.
 */
public final class UniqueId {
    private static final int V4_DIGITS = 32;
    private static final int V6_DIGITS = 56;
    /** Digits of milliseconds and counter, the last ones of an id. */
    private static final int TIME_AND_COUNTER_DIGITS = 12;

    private static final int TIME_DIGITS = 8;
    /** How far a reader's clock may be behind the sender's before the previous month is assumed. */
    private static final long CLOCK_TOLERANCE_MILLIS = 3_600_000;

    private final byte[] prefix;
    private final LongSupplier wallMillis;
    private final ZoneId zone;
    private final AtomicInteger counter = new AtomicInteger();
    /** Replaced as a whole when a month has passed. */
    private volatile Month month;

    /**
     * A source of ids for one process.
     *
     * @param address of this host, 4 or 16 bytes
     * @param processId its lowest 16 bits are used
     * @param instance tells several instances in one process apart
     * @param wallMillis the clock
     * @param zone decides when a month starts; readers assume their own zone
     */
    public UniqueId(byte[] address, long processId, int instance, LongSupplier wallMillis, ZoneId zone) {
        if (address.length != 4 && address.length != 16) {
            throw new IllegalArgumentException("address bytes=" + address.length + " expected 4 or 16");
        }
        ByteBuffer bytes = ByteBuffer.allocate(address.length + 6);
        bytes.put(address).putShort((short) processId).putInt(instance);
        this.prefix = HexFormat.of().withUpperCase().formatHex(bytes.array()).getBytes(ISO_8859_1);
        this.wallMillis = wallMillis;
        this.zone = zone;
        this.month = Month.of(wallMillis.getAsLong(), zone);
    }

    /** A new id. */
    public String next() {
        long now = wallMillis.getAsLong();
        Month current = month;
        if (now < current.fromMillis || now >= current.untilMillis) {
            current = Month.of(now, zone);
            month = current;
        }
        long tail = ((now - current.fromMillis) << 16) | (counter.getAndIncrement() & 0xFFFF);
        byte[] text = new byte[prefix.length + TIME_AND_COUNTER_DIGITS];
        System.arraycopy(prefix, 0, text, 0, prefix.length);
        for (int i = text.length - 1; i >= prefix.length; i--) {
            text[i] = (byte) Character.toUpperCase(Character.forDigit((int) (tail & 0xF), 16));
            tail >>>= 4;
        }
        return new String(text, ISO_8859_1);
    }

    /**
     * Milliseconds between the start of the month and the making of the id.
     *
     * @throws MalformedMessageException if this is no id of 32 or 56 hex digits
     */
    public static long millisInMonth(String id) {
        if (id.length() != V4_DIGITS && id.length() != V6_DIGITS) {
            throw new MalformedMessageException("unique id length=" + id.length() + " expected 32 or 56");
        }
        int timeFrom = id.length() - TIME_AND_COUNTER_DIGITS;
        byte[] time = OffsetMessageId.Hex.parse("unique id", id.substring(timeFrom, timeFrom + TIME_DIGITS));
        return Integer.toUnsignedLong(ByteBuffer.wrap(time).getInt());
    }

    /**
     * The time at which the id was made, milliseconds: in the current month, or in the one before if that would lie in
     * the future. A guess for ids older than a month, which the id cannot tell apart.
     *
     * @param nowMillis the reader's time
     * @throws MalformedMessageException if this is no id of 32 or 56 hex digits
     */
    public static long bornMillis(String id, long nowMillis, ZoneId zone) {
        long inMonth = millisInMonth(id);
        Month current = Month.of(nowMillis, zone);
        long born = current.fromMillis + inMonth;
        return born <= nowMillis + CLOCK_TOLERANCE_MILLIS
                ? born
                : Month.of(current.fromMillis - 1, zone).fromMillis + inMonth;
    }

    private record Month(long fromMillis, long untilMillis) {
        static Month of(long millis, ZoneId zone) {
            ZonedDateTime from =
                    Instant.ofEpochMilli(millis).atZone(zone).withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS);
            return new Month(
                    from.toInstant().toEpochMilli(),
                    from.plusMonths(1).toInstant().toEpochMilli());
        }
    }
}
