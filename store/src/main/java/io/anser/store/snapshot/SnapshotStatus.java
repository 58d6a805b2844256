package io.anser.store.snapshot;

/**
 * How snapshots go.
 *
 * @param position log position of the newest one
 * @param stopped whether none is taken any more until the store is opened again: the log grows, and the next start reads all
 *     of it that is behind the newest one
 * @param problem why the last attempt failed, for people; empty when it did not
 */
public record SnapshotStatus(long position, boolean stopped, String problem) {}
