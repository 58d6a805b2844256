package io.anser.broker.metadata;

/**
 * A transaction that nobody has decided yet. Small, because all of them are kept in memory; everything else stands in the
 * half message.
 *
 * @param id log position at which the half message was stored first, which producers know the transaction by
 * @param queueOffset its offset in the half topic, likewise of the first time
 * @param position log position at which the half message lies now
 * @param previousPosition where it lay before that; there it can be read until the new place can
 * @param storedMillis wall time at which it was stored first
 * @param immunitySeconds how long the producer wants not to be asked; -1: as the broker likes
 * @param checks how often a producer was asked
 * @param checkedMillis wall time of the last check; 0 before the first
 */
public record OpenTransaction(
        long id,
        long queueOffset,
        long position,
        long previousPosition,
        long storedMillis,
        int immunitySeconds,
        int checks,
        long checkedMillis) {
    /** What {@link #immunitySeconds} is where the message does not say. */
    public static final int NO_IMMUNITY = -1;

    private static final int MAX_SECONDS_DIGITS = 9;

    /** Stands for the position 0, which an adopted log has, where 0 means that a half message is no copy. */
    private static final long FIRST_OF_LOG = -1;

    /** A new transaction. */
    static OpenTransaction of(long id, long queueOffset, long storedMillis, int immunitySeconds) {
        return new OpenTransaction(id, queueOffset, id, id, storedMillis, immunitySeconds, 0, 0);
    }

    /** What a half message that is appended again carries as position of its prepared message: it names the first one. */
    public long copyMark() {
        return id == 0 ? FIRST_OF_LOG : id;
    }

    /** The transaction that a half message with this mark is a copy of; not for the mark 0, which is that of a first one. */
    static long ofCopy(long mark) {
        return mark == FIRST_OF_LOG ? 0 : mark;
    }

    /** How long a message asks for no questions; {@link #NO_IMMUNITY} where it does not say. */
    static int seconds(String text) {
        boolean number = !text.isEmpty()
                && text.length() <= MAX_SECONDS_DIGITS
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Integer.parseInt(text) : NO_IMMUNITY;
    }

    OpenTransaction movedTo(long newPosition) {
        return new OpenTransaction(
                id, queueOffset, newPosition, position, storedMillis, immunitySeconds, checks, checkedMillis);
    }

    OpenTransaction checked(int times, long millis) {
        return new OpenTransaction(
                id, queueOffset, position, previousPosition, storedMillis, immunitySeconds, times, millis);
    }
}
