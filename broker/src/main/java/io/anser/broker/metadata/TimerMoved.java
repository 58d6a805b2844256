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
        return new TimerMoved(PendingTimer.read(payload));
    }

    @Override
    public short kind() {
        return ChangeKind.TIMER_MOVED;
    }

    @Override
    public byte[] payload() {
        return timer.write(ByteBuffer.allocate(PendingTimer.BYTES)).array();
    }

    @Override
    public ChangeText text() {
        return new ChangeText("timer moved", timer.text());
    }

    @Override
    public Object subject() {
        return timer;
    }
}
