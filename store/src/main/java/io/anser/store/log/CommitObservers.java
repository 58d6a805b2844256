package io.anser.store.log;

/**
 * Those who are told of commits.
 *
 * @param batches of each batch, first
 * @param points of the place behind it
 */
public record CommitObservers(BatchObserver batches, PointObserver points) {}
