package io.anser.store.retention;

import java.util.Map;

/**
 * What is kept, and why.
 *
 * @param minPosition log position of the first byte that is still on the device
 * @param expiredPosition log position before which the messages of all topics without a retention of their own have expired
 * @param committedPosition the log's committed end
 * @param pinnedBytes topics whose unexpired messages alone hold back segments that have otherwise expired, and how many
 *     bytes of segments each
 * @param removedSegments segments removed since the start
 * @param heldBy why the oldest segment stays although it should go, for people; empty when it need not go
 */
public record RetentionStatus(
        long minPosition,
        long expiredPosition,
        long committedPosition,
        Map<String, Long> pinnedBytes,
        long removedSegments,
        String heldBy) {}
