package io.anser.broker.metadata;

import java.nio.ByteBuffer;

/**
 * A waiting message was taken back by its sender and is never delivered.
 *
 * @param timer the timer that is done
 * @param uniqueId the sender's id of the message
 */
public record TimerRecalled(PendingTimer timer, String uniqueId) implements Change {
    static TimerRecalled read(ByteBuffer payload) {
        return new TimerRecalled(PendingTimer.read(payload), PayloadText.read(payload));
    }

    @Override
    public short kind() {
        return ChangeKind.TIMER_RECALLED;
    }

    @Override
    public byte[] payload() {
        ByteBuffer payload = timer.write(ByteBuffer.allocate(PendingTimer.BYTES + PayloadText.bytes(uniqueId)));
        PayloadText.write(payload, uniqueId);
        return payload.array();
    }

    @Override
    public ChangeText text() {
        return new ChangeText("timer recalled", timer.text() + " uniqueId=" + uniqueId);
    }

    @Override
    public Object subject() {
        return timer;
    }
}
