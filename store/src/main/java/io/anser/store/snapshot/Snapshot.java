package io.anser.store.snapshot;

import io.anser.store.file.StoreException;
import io.anser.store.file.StoreFile;
import io.anser.store.log.LogPoint;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The derived state at one place in the log. All integers of the file are big-endian.
 *
 * <table>
 * <caption>Layout of the file</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>magic</td><td>0x414E5353 ({@code ANSS})</td></tr>
 * <tr><td>4</td><td>4</td><td>version</td><td>2</td></tr>
 * <tr><td>8</td><td>8</td><td>position</td><td>log position of the first record that is not contained</td></tr>
 * <tr><td>16</td><td>8</td><td>term</td><td>term of the record before</td></tr>
 * <tr><td>24</td><td>8</td><td>index</td><td>index of the record before</td></tr>
 * <tr><td>32</td><td>8</td><td>storeTimestamp</td><td>latest store time given out before, ms</td></tr>
 * <tr><td>40</td><td>8</td><td>recordPosition</td><td>log position of the record before</td></tr>
 * <tr><td>48</td><td>4</td><td>crc</td><td>checksum of the record before: the chain goes on from it</td></tr>
 * <tr><td>52</td><td>4</td><td>sections</td><td>how many follow</td></tr>
 * <tr><td>56</td><td>n</td><td>section</td><td>name bytes (1), name (UTF-8), length (4), what its {@link SnapshotPart} wrote;
 *     one behind the other, by name</td></tr>
 * <tr><td>56 + n</td><td>4</td><td>crc32c</td><td>over everything before</td></tr>
 * </table>
 *
 * @param point the place in the log
 * @param sections what each part wrote, from position to limit
 */
public record Snapshot(LogPoint point, SortedMap<String, ByteBuffer> sections) {
    private static final int MAGIC = 0x414E5353;
    private static final int VERSION = 2;
    private static final int HEADER_BYTES = 56;
    private static final int CRC_BYTES = 4;

    /** The bytes of the file. */
    ByteBuffer encode() {
        int total = HEADER_BYTES + CRC_BYTES;
        for (var section : sections.entrySet()) {
            total = Math.addExact(total, sectionBytes(section.getKey(), section.getValue()));
        }
        ByteBuffer file = ByteBuffer.allocate(total);
        file.putInt(MAGIC)
                .putInt(VERSION)
                .putLong(point.position())
                .putLong(point.term())
                .putLong(point.index())
                .putLong(point.storeTimestamp())
                .putLong(point.recordPosition())
                .putInt(point.crc())
                .putInt(sections.size());
        sections.forEach((name, bytes) -> {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            file.put((byte) text.length).put(text).putInt(bytes.remaining()).put(bytes.duplicate());
        });
        return file.putInt(checksum(file, file.position())).flip();
    }

    private static int sectionBytes(String name, ByteBuffer bytes) {
        return Math.addExact(1 + name.getBytes(StandardCharsets.UTF_8).length + Integer.BYTES, bytes.remaining());
    }

    /** Reads the log position of the record before the snapshot out of a file that is known to be whole; 0 if it is not. */
    static long recordPosition(StoreFile file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        return file.read(header, 0) == HEADER_BYTES && header.getInt(0) == MAGIC ? header.getLong(40) : 0;
    }

    private static LogPoint point(ByteBuffer file) {
        return new LogPoint(
                file.getLong(8),
                file.getLong(16),
                file.getLong(24),
                file.getInt(48),
                file.getLong(32),
                file.getLong(40));
    }

    /** Reads the bytes of a file; empty when they are cut, damaged, or of another version. */
    static Optional<Snapshot> decode(ByteBuffer file) {
        int bytes = file.limit();
        if (!isWhole(file) || file.getInt(4) != VERSION) {
            return Optional.empty();
        }
        LogPoint point = point(file);
        return sections(file.duplicate().position(HEADER_BYTES).limit(bytes - CRC_BYTES), file.getInt(52))
                .map(sections -> new Snapshot(point, sections));
    }

    private static boolean isWhole(ByteBuffer file) {
        int bytes = file.limit();
        return bytes >= HEADER_BYTES + CRC_BYTES
                && file.getInt(0) == MAGIC
                && file.getInt(bytes - CRC_BYTES) == checksum(file, bytes - CRC_BYTES);
    }

    /**
     * Refuses a file that another version of this code has written, undamaged.
     *
     * @param name of the file, for people
     * @throws StoreException IO if it is one
     */
    static void refuseOtherVersion(ByteBuffer file, String name) {
        if (isWhole(file) && file.getInt(4) != VERSION) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "snapshot version=" + file.getInt(4) + ", this program knows only " + VERSION + ": " + name
                            + "; start the program that wrote it");
        }
    }

    /** Reads the sections; empty when lengths do not fit, which a good checksum makes all but impossible. */
    private static Optional<SortedMap<String, ByteBuffer>> sections(ByteBuffer file, int count) {
        SortedMap<String, ByteBuffer> sections = new TreeMap<>();
        try {
            for (int section = 0; section < count; section++) {
                byte[] name = new byte[Byte.toUnsignedInt(file.get())];
                file.get(name);
                int bytes = file.getInt();
                sections.put(new String(name, StandardCharsets.UTF_8), file.slice(file.position(), bytes));
                file.position(file.position() + bytes);
            }
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            return Optional.empty();
        }
        return file.hasRemaining() ? Optional.empty() : Optional.of(sections);
    }

    private static int checksum(ByteBuffer file, int until) {
        CRC32C crc = new CRC32C();
        crc.update(file.slice(0, until));
        return (int) crc.getValue();
    }
}
