package io.anser.broker.metadata;

/**
 * A stored message that waits for its time.
 *
 * @param dueMillis wall time at which it is delivered
 * @param position log position of the waiting message
 */
public record PendingTimer(long dueMillis, long position) implements Comparable<PendingTimer> {
    @Override
    public int compareTo(PendingTimer other) {
        int byTime = Long.compare(dueMillis, other.dueMillis);
        return byTime != 0 ? byTime : Long.compare(position, other.position);
    }
}
