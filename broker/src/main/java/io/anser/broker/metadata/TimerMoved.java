package io.anser.broker.metadata;

import java.nio.ByteBuffer;

/**
 * A waiting message was appended again before its segment goes: the message in front of this change, in the same unit, waits
 * in its place.
 *
 * @param timer the timer that is done
 */
public record TimerMoved(PendingTimer timer) implements Change {
    static TimerMoved read(ByteBuffer payload) {
        return new TimerMoved(new PendingTimer(payload.getLong(), payload.getLong()));
    }

    @Override
    public short kind() {
        return ChangeKind.TIMER_MOVED;
    }

    @Override
    public byte[] payload() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(timer.dueMillis())
                .putLong(timer.position())
                .array();
    }

    @Override
    public ChangeText text() {
        return new ChangeText(
                "timer moved", "due=" + ChangeText.time(timer.dueMillis()) + " messagePosition=" + timer.position());
    }

    @Override
    public Object subject() {
        return timer;
    }
}
