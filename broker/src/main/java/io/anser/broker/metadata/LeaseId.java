package io.anser.broker.metadata;

/**
 * Names a lease within one queue of one group; handles of clients carry it.
 *
 * @param start what the handle begins with: the first offset of the pop, also when a message's time was changed since
 * @param popMillis wall time of the pop, or of the last change; unique for a start
 */
public record LeaseId(long start, long popMillis) implements Comparable<LeaseId> {
    /** Before every other. */
    public static final LeaseId FIRST = new LeaseId(Long.MIN_VALUE, Long.MIN_VALUE);

    @Override
    public int compareTo(LeaseId other) {
        int byStart = Long.compare(start, other.start);
        return byStart != 0 ? byStart : Long.compare(popMillis, other.popMillis);
    }
}
