package io.anser.store.log;

import java.nio.ByteBuffer;

/**
 * An entry of a replicated log: one record. The engine that orders the log fixes index and term; the store fills in the rest
 * as it writes.
 *
 * @param index number of the entry, from 1, without gaps
 * @param term of the leader that made it; never less than that of the entry before
 * @param control whether it is the engine's own note; else it holds messages and state changes
 * @param payload from position to limit; not changed and not kept
 */
public record LogEntry(long index, long term, boolean control, ByteBuffer payload) {}
