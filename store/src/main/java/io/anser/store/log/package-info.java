/**
 * The commit log: segments, records, the one writer, the flusher, and the committer that applies what is committed. Threads:
 * {@code log-writer} owns the tail, {@code log-flusher} owns forcing; the committing thread is the flusher at durability
 * disk and the writer at durability memory. Read {@link io.anser.store.log.Append} first.
 */
@NullMarked
package io.anser.store.log;

import org.jspecify.annotations.NullMarked;
