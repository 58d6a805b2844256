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
        return new TimerRecalled(new PendingTimer(payload.getLong(), payload.getLong()), PayloadText.read(payload));
    }

    @Override
    public short kind() {
        return ChangeKind.TIMER_RECALLED;
    }

    @Override
    public byte[] payload() {
        ByteBuffer payload = ByteBuffer.allocate(2 * Long.BYTES + PayloadText.bytes(uniqueId))
                .putLong(timer.dueMillis())
                .putLong(timer.position());
        PayloadText.write(payload, uniqueId);
        return payload.array();
    }

    @Override
    public ChangeText text() {
        return new ChangeText(
                "timer recalled",
                "due=" + ChangeText.time(timer.dueMillis()) + " messagePosition=" + timer.position() + " uniqueId="
                        + uniqueId);
    }

    @Override
    public Object subject() {
        return timer;
    }
}
