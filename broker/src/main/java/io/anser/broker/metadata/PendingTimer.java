package io.anser.broker.metadata;

import java.nio.ByteBuffer;

/**
 * A stored message that waits for its time.
 *
 * @param dueMillis wall time at which it is delivered
 * @param position log position of the waiting message
 */
public record PendingTimer(long dueMillis, long position) implements Comparable<PendingTimer> {
    /** Bytes of one in a change. */
    static final int BYTES = 2 * Long.BYTES;

    static PendingTimer read(ByteBuffer payload) {
        return new PendingTimer(payload.getLong(), payload.getLong());
    }

    /** Writes it at the position of a payload, and returns the payload. */
    ByteBuffer write(ByteBuffer payload) {
        return payload.putLong(dueMillis).putLong(position);
    }

    /** Tells it in the text of a change. */
    String text() {
        return "due=" + ChangeText.time(dueMillis) + " messagePosition=" + position;
    }

    @Override
    public int compareTo(PendingTimer other) {
        int byTime = Long.compare(dueMillis, other.dueMillis);
        return byTime != 0 ? byTime : Long.compare(position, other.position);
    }
}
