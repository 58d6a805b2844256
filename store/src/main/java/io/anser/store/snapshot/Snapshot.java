package io.anser.store.snapshot;

import io.anser.store.log.LogPoint;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The derived state at one place in the log. All integers of the file are big-endian.
 *
 * <table>
 * <caption>Layout of the file</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th><th>meaning</th></tr>
 * <tr><td>0</td><td>4</td><td>magic</td><td>0x414E5353 ({@code ANSS})</td></tr>
 * <tr><td>4</td><td>4</td><td>version</td><td>1</td></tr>
 * <tr><td>8</td><td>8</td><td>position</td><td>log position of the first record that is not contained</td></tr>
 * <tr><td>16</td><td>8</td><td>term</td><td>term of the record before</td></tr>
 * <tr><td>24</td><td>8</td><td>index</td><td>index of the record before</td></tr>
 * <tr><td>32</td><td>8</td><td>storeTimestamp</td><td>latest store time given out before, ms</td></tr>
 * <tr><td>40</td><td>8</td><td>recordPosition</td><td>log position of the record before</td></tr>
 * <tr><td>48</td><td>4</td><td>crc</td><td>checksum of the record before: the chain goes on from it</td></tr>
 * <tr><td>52</td><td>4</td><td>queueBytes</td><td>n</td></tr>
 * <tr><td>56</td><td>4</td><td>stateBytes</td><td>m</td></tr>
 * <tr><td>60</td><td>n</td><td>queues</td><td>what {@code QueueIndexer} wrote</td></tr>
 * <tr><td>60 + n</td><td>m</td><td>state</td><td>what the {@code StateMachine} wrote</td></tr>
 * <tr><td>60 + n + m</td><td>4</td><td>crc32c</td><td>over everything before</td></tr>
 * </table>
 *
 * @param point the place in the log
 * @param queues queue directory and tails, from position to limit
 * @param state the owner's state, from position to limit
 */
public record Snapshot(LogPoint point, ByteBuffer queues, ByteBuffer state) {
    private static final int MAGIC = 0x414E5353;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 60;
    private static final int CRC_BYTES = 4;

    /** The bytes of the file. */
    ByteBuffer encode() {
        int total = Math.addExact(HEADER_BYTES + CRC_BYTES, Math.addExact(queues.remaining(), state.remaining()));
        ByteBuffer file = ByteBuffer.allocate(total);
        file.putInt(MAGIC)
                .putInt(VERSION)
                .putLong(point.position())
                .putLong(point.term())
                .putLong(point.index())
                .putLong(point.storeTimestamp())
                .putLong(point.recordPosition())
                .putInt(point.crc())
                .putInt(queues.remaining())
                .putInt(state.remaining())
                .put(queues.duplicate())
                .put(state.duplicate());
        return file.putInt(checksum(file, file.position())).flip();
    }

    /** Reads the bytes of a file; empty when they are cut, damaged, or of another version. */
    static Optional<Snapshot> decode(ByteBuffer file) {
        int bytes = file.limit();
        if (bytes < HEADER_BYTES + CRC_BYTES
                || file.getInt(0) != MAGIC
                || file.getInt(4) != VERSION
                || file.getInt(bytes - CRC_BYTES) != checksum(file, bytes - CRC_BYTES)) {
            return Optional.empty();
        }
        int queueBytes = file.getInt(52);
        int stateBytes = file.getInt(56);
        if (queueBytes < 0 || stateBytes < 0 || (long) HEADER_BYTES + queueBytes + stateBytes + CRC_BYTES != bytes) {
            return Optional.empty();
        }
        LogPoint point = new LogPoint(
                file.getLong(8),
                file.getLong(16),
                file.getLong(24),
                file.getInt(48),
                file.getLong(32),
                file.getLong(40));
        return Optional.of(new Snapshot(
                point, file.slice(HEADER_BYTES, queueBytes), file.slice(HEADER_BYTES + queueBytes, stateBytes)));
    }

    private static int checksum(ByteBuffer file, int until) {
        CRC32C crc = new CRC32C();
        crc.update(file.slice(0, until));
        return (int) crc.getValue();
    }
}
