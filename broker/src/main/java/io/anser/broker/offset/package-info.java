/**
 * Consumer offsets and the bounds of queues (operations 14, 15, 29 to 32).
 *
 * <p>Commits are merged for a moment and then appended to the log as one state change; committed offsets live in
 * {@link io.anser.broker.metadata.OffsetTable}. Handlers run on event loops. Read
 * {@link io.anser.broker.offset.OffsetCommits} first.
 */
@NullMarked
package io.anser.broker.offset;

import org.jspecify.annotations.NullMarked;
