package io.anser.protocol.body;

/** Where a consumer group starts that has no offset yet. */
public enum ConsumeFromWhere {
    /** At the end of the queue. */
    CONSUME_FROM_LAST_OFFSET,
    /** Old name, still sent; the same as {@link #CONSUME_FROM_LAST_OFFSET}. */
    CONSUME_FROM_LAST_OFFSET_AND_FROM_MIN_WHEN_BOOT_FIRST,
    /** Old name, still sent; clients take it for {@link #CONSUME_FROM_LAST_OFFSET}. */
    CONSUME_FROM_MIN_OFFSET,
    /** Old name, still sent; the same as {@link #CONSUME_FROM_LAST_OFFSET}. */
    CONSUME_FROM_MAX_OFFSET,
    /** At the first message that is still there. */
    CONSUME_FROM_FIRST_OFFSET,
    /** At a time the client knows. */
    CONSUME_FROM_TIMESTAMP
}
