package io.anser.store.key;

/**
 * When the key index does what.
 *
 * @param runEntries a run in memory of so many entries becomes a file; a single batch may take it beyond
 * @param pieceBytes a gap is filled from its end, in pieces of about so many bytes of log
 * @param tailBytes bytes of log behind the last file that a start leaves to the run in memory
 */
record KeyLimits(int runEntries, long pieceBytes, long tailBytes) {
    /** A run over so many bytes of log becomes a file, however few entries it has. */
    static final long RUN_BYTES_MAX = 1L << 30;

    private static final int PIECE_TIMES = 64;
    private static final int TAIL_TIMES = 16;

    /** The limits for an amount of memory for the newest keys: 4 MB are half a million entries. */
    static KeyLimits of(long memoryBytes) {
        return new KeyLimits((int) (memoryBytes / Long.BYTES), PIECE_TIMES * memoryBytes, TAIL_TIMES * memoryBytes);
    }

    boolean isFull(MemoryRun run) {
        return run.count() >= runEntries || run.until() - run.from() >= RUN_BYTES_MAX;
    }
}
