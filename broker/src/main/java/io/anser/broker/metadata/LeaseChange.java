package io.anser.broker.metadata;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A change of what a group has popped from a queue. {@link LeaseChangeKind} lists the kinds and their layouts.
 */
public sealed interface LeaseChange extends Change {
    /** The queue as the group sees it. */
    QueueKey queue();

    @Override
    default Object subject() {
        return queue();
    }

    /** Reads a change back; see {@link Change#read}. */
    static LeaseChange read(short kind, ByteBuffer payload) {
        QueueKey queue = PayloadText.readKey(payload);
        return switch (kind) {
            case LeaseChangeKind.POPPED -> Popped.read(queue, payload);
            case LeaseChangeKind.SETTLED -> new Settled(queue, readId(payload), payload.getInt());
            case LeaseChangeKind.RENEWED ->
                new Renewed(queue, readId(payload), payload.getInt(), payload.getLong(), payload.getLong());
            default -> throw new UnknownChangeException(kind);
        };
    }

    private static LeaseId readId(ByteBuffer payload) {
        return new LeaseId(payload.getLong(), payload.getLong());
    }

    private static byte[] payloadOf(QueueKey queue, int moreBytes) {
        return new byte[PayloadText.keyBytes(queue) + moreBytes];
    }

    private static ByteBuffer begin(byte[] payload, QueueKey queue) {
        ByteBuffer buffer = ByteBuffer.wrap(payload);
        PayloadText.writeKey(buffer, queue);
        return buffer;
    }

    /**
     * A pop has handed out messages of a queue, or has found none that it wants.
     *
     * @param queue the queue as the group sees it
     * @param from first offset that the pop looked at
     * @param until the one after the last; those in between that are not handed out are done with
     * @param lease what was handed out
     */
    record Popped(QueueKey queue, long from, long until, Lease lease) implements LeaseChange {
        private static final int FIXED_BYTES = 4 * Long.BYTES + 2;

        @Override
        public short kind() {
            return LeaseChangeKind.POPPED;
        }

        @Override
        public byte[] payload() {
            long[] offsets = lease.offsets();
            byte[] attempts = lease.attempts();
            boolean ordered = attempts.length > 0;
            int orderBytes = ordered ? PayloadText.bytes(lease.attemptId()) + attempts.length : 0;
            byte[] bytes = payloadOf(queue, FIXED_BYTES + offsets.length * Integer.BYTES + orderBytes);
            ByteBuffer payload = begin(bytes, queue);
            payload.putLong(from).putLong(until).putLong(lease.popMillis()).putLong(lease.visibleMillis());
            payload.put((byte) (ordered ? 1 : 0)).put((byte) offsets.length);
            for (long offset : offsets) {
                payload.putInt(Math.toIntExact(offset - from));
            }
            if (ordered) {
                payload.put(attempts);
                PayloadText.write(payload, lease.attemptId());
            }
            return bytes;
        }

        private static Popped read(QueueKey queue, ByteBuffer payload) {
            long from = payload.getLong();
            long until = payload.getLong();
            long popMillis = payload.getLong();
            long visibleMillis = payload.getLong();
            boolean ordered = payload.get() != 0;
            long[] offsets = new long[payload.get()];
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = from + payload.getInt();
            }
            byte[] attempts = new byte[ordered ? offsets.length : 0];
            payload.get(attempts);
            String attemptId = ordered ? PayloadText.read(payload) : "";
            return new Popped(queue, from, until, new Lease(offsets, popMillis, visibleMillis, attempts, attemptId));
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "popped",
                    queue.text() + " from=" + from + " until=" + until + " offsets="
                            + Arrays.toString(lease.offsets()) + " visibleAgain="
                            + ChangeText.time(lease.visibleMillis()));
        }
    }

    /**
     * Messages of a lease are done with: acknowledged, or appended to another topic in the same unit.
     *
     * @param queue the queue as the group sees it
     * @param lease which lease; one that is not there changes nothing
     * @param mask bits of the messages, by their place in the lease
     */
    record Settled(QueueKey queue, LeaseId lease, int mask) implements LeaseChange {
        @Override
        public short kind() {
            return LeaseChangeKind.SETTLED;
        }

        @Override
        public byte[] payload() {
            byte[] payload = payloadOf(queue, 2 * Long.BYTES + Integer.BYTES);
            begin(payload, queue)
                    .putLong(lease.start())
                    .putLong(lease.popMillis())
                    .putInt(mask);
            return payload;
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "pop settled",
                    queue.text() + " start=" + lease.start() + " mask=" + Integer.toBinaryString(mask) + " popped="
                            + ChangeText.time(lease.popMillis()));
        }
    }

    /**
     * One message of a lease has a lease of its own from now on.
     *
     * @param queue the queue as the group sees it
     * @param lease where it was; one that is not there, or has not the message any more, changes nothing
     * @param place the message's place in it
     * @param popMillis of the new lease, whose start is the old one's
     * @param visibleMillis wall time at which the message is visible again
     */
    record Renewed(QueueKey queue, LeaseId lease, int place, long popMillis, long visibleMillis)
            implements LeaseChange {
        @Override
        public short kind() {
            return LeaseChangeKind.RENEWED;
        }

        @Override
        public byte[] payload() {
            byte[] payload = payloadOf(queue, 4 * Long.BYTES + Integer.BYTES);
            begin(payload, queue)
                    .putLong(lease.start())
                    .putLong(lease.popMillis())
                    .putInt(place)
                    .putLong(popMillis)
                    .putLong(visibleMillis);
            return payload;
        }

        @Override
        public ChangeText text() {
            return new ChangeText(
                    "pop renewed",
                    queue.text() + " start=" + lease.start() + " place=" + place + " visibleAgain="
                            + ChangeText.time(visibleMillis));
        }
    }
}
