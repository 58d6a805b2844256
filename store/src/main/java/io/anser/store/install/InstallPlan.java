package io.anser.store.install;

import java.nio.ByteBuffer;

/**
 * What a member is given.
 *
 * <table>
 * <caption>Layout on the wire, big-endian</caption>
 * <tr><th>offset</th><th>bytes</th><th>field</th></tr>
 * <tr><td>0</td><td>8</td><td>firstPosition</td></tr>
 * <tr><td>8</td><td>8</td><td>position</td></tr>
 * <tr><td>16</td><td>8</td><td>index</td></tr>
 * <tr><td>24</td><td>8</td><td>snapshotBytes</td></tr>
 * <tr><td>32</td><td>4</td><td>segmentBytes</td></tr>
 * </table>
 *
 * @param firstPosition of the first segment
 * @param position of the snapshot: the log is given up to there
 * @param index of the last entry before it
 * @param snapshotBytes size of the snapshot's file
 * @param segmentBytes size of a segment
 */
public record InstallPlan(long firstPosition, long position, long index, long snapshotBytes, int segmentBytes) {
    /** Bytes on the wire. */
    public static final int BYTES = 36;

    /** A plan that makes sense. */
    public InstallPlan {
        boolean sound = segmentBytes > 0
                && snapshotBytes > 0
                && index > 0
                && firstPosition >= 0
                && firstPosition < position
                && firstPosition % segmentBytes == 0;
        if (!sound) {
            throw new IllegalArgumentException("not a plan: first=" + firstPosition + " position=" + position
                    + " index=" + index + " snapshotBytes=" + snapshotBytes + " segmentBytes=" + segmentBytes);
        }
    }

    /** The plan in its layout. */
    public ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(firstPosition)
                .putLong(position)
                .putLong(index)
                .putLong(snapshotBytes)
                .putInt(segmentBytes)
                .flip();
    }

    /**
     * Reads a plan from a buffer's position.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static InstallPlan decode(ByteBuffer bytes) {
        if (bytes.remaining() != BYTES) {
            throw new IllegalArgumentException("not a plan: bytes=" + bytes.remaining());
        }
        return new InstallPlan(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getInt());
    }

    /** Bytes that are given of the segment at a position. */
    long segmentLength(long base) {
        return Math.min(segmentBytes, position - base);
    }
}
