/**
 * The queue index: for every message queue the list of its messages (log position, size, tag), derived from the log and
 * rebuilt from it when lost. Written by the committing thread through {@link io.anser.store.queue.QueueIndexer}; read by
 * any thread through a {@link io.anser.store.queue.QueueCursor} without locks. Read {@link io.anser.store.queue.QueueLog}
 * first.
 */
@NullMarked
package io.anser.store.queue;

import org.jspecify.annotations.NullMarked;
