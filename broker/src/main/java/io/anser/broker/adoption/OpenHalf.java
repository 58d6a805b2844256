package io.anser.broker.adoption;

/**
 * A transaction that nobody has decided.
 *
 * @param id log position of its first half message, which producers know it by
 * @param queueOffset of its first half message
 * @param position log position of the last one, which Apache wrote when it asked the producer
 * @param storedMillis wall time at which the first was stored
 * @param immunity the seconds for which the producer wants not to be asked, as the message has them; empty when it does not say
 * @param checks how often the producer was asked
 * @param checkedMillis wall time of the last question; 0 before the first
 */
public record OpenHalf(
        long id, long queueOffset, long position, long storedMillis, String immunity, int checks, long checkedMillis) {}
