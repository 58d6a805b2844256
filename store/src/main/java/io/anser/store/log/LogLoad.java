package io.anser.store.log;

/**
 * What waits for the log, and how fast it is, at one moment.
 *
 * @param waiting units without an outcome
 * @param waitingBytes bytes of those
 * @param writeMillis how long the last write of a batch took, or the present one takes already
 * @param flushMillis the same of a flush to the device
 * @param commitMillis the same of the commit of what is written or flushed
 */
public record LogLoad(int waiting, long waitingBytes, long writeMillis, long flushMillis, long commitMillis) {}
