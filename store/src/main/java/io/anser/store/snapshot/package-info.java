/**
 * Snapshots: everything derived from the log, at one place in the log, in one file, so that a start replays only what came
 * later. Taken on the committing thread, written by a worker. Read {@link io.anser.store.snapshot.Snapshot} first.
 */
@NullMarked
package io.anser.store.snapshot;

import org.jspecify.annotations.NullMarked;
