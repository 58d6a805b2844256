package io.anser.broker.metadata;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a group starts in a queue in which it has no offset. Pure.
 *
 * <p>"Latest" is settled once, when the group first says so, for all queues that there are: at the end, but at 0 in a queue that
 * is young, because who starts a consumer next to a new topic means to miss nothing of it. What comes later, queues and whole
 * topics, starts at 0: its messages were all sent after the group subscribed.
 */
final class StartRule {
    private StartRule() {}

    /**
     * Says whether a queue is young: its first message is still there and was stored lately, or it never had one.
     *
     * @param min its first readable offset
     * @param max the offset after its last message
     * @param bornMillis store time of its first message; unknown is long ago
     * @param nowMillis the time now
     * @param youngMillis age at which a queue is young no more
     */
    static boolean isYoung(long min, long max, OptionalLong bornMillis, long nowMillis, long youngMillis) {
        return min == 0 && (max == 0 || (bornMillis.isPresent() && nowMillis - bornMillis.getAsLong() < youngMillis));
    }

    /**
     * Returns the offset to settle for a queue when a group says for the first time where it starts.
     *
     * @param committed the group's offset in it, or {@link OffsetTable#NONE}
     * @param max the offset after the queue's last message
     * @return {@link OffsetTable#NONE} where nothing is to be settled
     */
    static long settled(StartFrom from, long committed, long max, boolean young) {
        if (from != StartFrom.LAST || committed != OffsetTable.NONE) {
            return OffsetTable.NONE;
        }
        return young ? 0 : max;
    }

    /**
     * Returns where a group goes on in a queue in which it has no offset, committed or settled.
     *
     * @param noted what the group said when it first came, if it has
     * @return {@link OffsetTable#NONE} where the client decides
     */
    static long unsettled(boolean retryTopic, Optional<StartFrom> noted, boolean young) {
        if (retryTopic) {
            return 0; // what it holds has failed already, so that nobody can mean to skip it
        }
        boolean fromZero = noted.map(from -> from != StartFrom.TIME).orElse(young);
        return fromZero ? 0 : OffsetTable.NONE;
    }
}
