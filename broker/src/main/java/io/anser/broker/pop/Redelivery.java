package io.anser.broker.pop;

import io.anser.broker.metadata.Lease;
import io.anser.broker.metadata.QueueLeases.Left;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Messages popped in order that are delivered once more, all that are left of a queue together: their order would be lost
 * otherwise. Pure.
 */
final class Redelivery {
    private static final int MOST_COUNTED = Byte.MAX_VALUE;

    private final TreeMap<Long, Byte> attempts = new TreeMap<>();
    private final List<Left> leases;

    private Redelivery(List<Left> leases) {
        this.leases = leases;
    }

    /** The leases that the messages are in now. */
    List<Left> leases() {
        return leases;
    }

    /**
     * Decides whether what is out may be delivered again.
     *
     * @param out the leases of the queue, at least one
     * @param attemptId the name of the new pop: whoever repeats a pop under the same name gets the same messages, and that
     *     does not count as another delivery
     * @return empty while somebody else has the messages
     */
    static Optional<Redelivery> of(List<Left> out, String attemptId, long nowMillis) {
        boolean same = !attemptId.isEmpty()
                && out.stream().allMatch(each -> each.lease().attemptId().equals(attemptId));
        boolean ordered = out.stream().allMatch(each -> each.lease().ordered());
        boolean over = out.stream().allMatch(each -> each.lease().visibleMillis() <= nowMillis);
        if (!ordered || !(same || over)) {
            return Optional.empty();
        }
        Redelivery redelivery = new Redelivery(out);
        out.forEach(each -> redelivery.add(each.lease(), each.left(), same ? 0 : 1));
        return redelivery.attempts.size() > Lease.MAX_MESSAGES ? Optional.empty() : Optional.of(redelivery);
    }

    private void add(Lease lease, int left, int more) {
        for (int place = 0; place < lease.size(); place++) {
            if ((left & (1 << place)) != 0) {
                int count = Math.min(MOST_COUNTED, lease.attempts()[place] + more);
                attempts.put(lease.offsets()[place], (byte) count);
            }
        }
    }

    /** The queue offsets of the messages, rising. */
    long[] offsets() {
        return attempts.keySet().stream().mapToLong(Long::longValue).toArray();
    }

    /** How often each of these messages was delivered before. */
    byte[] attempts(long[] offsets) {
        byte[] counts = new byte[offsets.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = attempts.getOrDefault(offsets[i], (byte) 0);
        }
        return counts;
    }
}
