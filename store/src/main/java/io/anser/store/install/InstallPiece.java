package io.anser.store.install;

/**
 * Bytes that are wanted.
 *
 * @param file log position of the segment, or {@link #SNAPSHOT}
 * @param at index of the first byte in the file
 */
public record InstallPiece(long file, long at) {
    /** In the place of a segment: the snapshot. */
    public static final long SNAPSHOT = -1;
}
