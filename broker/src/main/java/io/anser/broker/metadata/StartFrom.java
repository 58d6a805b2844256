package io.anser.broker.metadata;

import io.anser.protocol.body.ConsumeFromWhere;

/** Where a group said it starts in a topic in which it has consumed nothing. */
public enum StartFrom {
    /** At the end, as it was when the group first said so. */
    LAST(1),
    /** At the first message that is there. */
    FIRST(2),
    /** At a time that the clients know; they look the offsets up. */
    TIME(3);

    private final int number;

    StartFrom(int number) {
        this.number = number;
    }

    /** Returns what a client's wish means; the old names mean the end, as they do to the clients. */
    public static StartFrom of(ConsumeFromWhere where) {
        return switch (where) {
            case CONSUME_FROM_FIRST_OFFSET -> FIRST;
            case CONSUME_FROM_TIMESTAMP -> TIME;
            case CONSUME_FROM_LAST_OFFSET,
                    CONSUME_FROM_LAST_OFFSET_AND_FROM_MIN_WHEN_BOOT_FIRST,
                    CONSUME_FROM_MIN_OFFSET,
                    CONSUME_FROM_MAX_OFFSET -> LAST;
        };
    }

    /** Returns the number that stands for it in the log, from 1; never used again for another meaning. */
    int number() {
        return number;
    }

    static StartFrom of(int number) {
        for (StartFrom from : values()) {
            if (from.number == number) {
                return from;
            }
        }
        throw new IllegalArgumentException("start of a group=" + number + " is not known");
    }

    /**
     * Says whether this counts where another one was noted before. The first one counts, but a start by time settles
     * nothing, so that any other may come after it.
     */
    boolean countsAfter(StartFrom noted) {
        return noted == TIME && this != TIME;
    }
}
