package io.anser.client;

import java.time.Instant;

/**
 * Where a consumer group begins in a queue for which it has no offset yet. Queues that appear while a member is running (a
 * topic made later, a topic that gets more queues) are always read from their start, so that nothing sent to them is missed.
 */
public final class StartFrom {
    /** The oldest message there is. */
    public static final StartFrom START = new StartFrom(Kind.START, Instant.EPOCH);

    /** The first message that arrives after the consumer has started. The default. */
    public static final StartFrom END = new StartFrom(Kind.END, Instant.EPOCH);

    enum Kind {
        START,
        END,
        TIME
    }

    private final Kind kind;
    private final Instant time;

    private StartFrom(Kind kind, Instant time) {
        this.kind = kind;
        this.time = time;
    }

    /** The first message stored at or after a time. */
    public static StartFrom at(Instant time) {
        return new StartFrom(Kind.TIME, time);
    }

    Kind kind() {
        return kind;
    }

    /** The time asked for; meaningful for {@link Kind#TIME} only. */
    Instant time() {
        return time;
    }

    @Override
    public String toString() {
        return kind == Kind.TIME ? "TIME " + time : kind.name();
    }
}
