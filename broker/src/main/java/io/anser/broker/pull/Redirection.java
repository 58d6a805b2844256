package io.anser.broker.pull;

/** Tells a reader that its group was put to another offset of the queue. Any thread. */
@FunctionalInterface
interface Redirection {
    /** That there is no other offset to go to. */
    long NONE = -1;

    /** A group that stays where it is. */
    Redirection NEVER = queueOffset -> NONE;

    /** Returns the offset to go to instead of the one that is asked for, or {@link #NONE}. */
    long target(long queueOffset);
}
