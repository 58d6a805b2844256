package io.anser.store.key;

/**
 * One entry of the index in a long that is never negative: the hash in the upper bits, then the log position of the message
 * relative to the first position of the run. Entries of a run therefore sort by hash and within it by position.
 */
final class KeyEntry {
    /** Bits of the hash. */
    static final int HASH_BITS = 27;

    /** Bits of the position. */
    static final int POSITION_BITS = 36;

    /** Most bytes of log that one run can cover: 64 GiB. */
    static final long RANGE_BYTES_MAX = 1L << POSITION_BITS;

    private KeyEntry() {}

    static long of(int hash, long relativePosition) {
        return (long) hash << POSITION_BITS | relativePosition;
    }

    static int hash(long entry) {
        return (int) (entry >>> POSITION_BITS);
    }

    static long relativePosition(long entry) {
        return entry & (RANGE_BYTES_MAX - 1);
    }
}
