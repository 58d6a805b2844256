package io.anser.broker.adoption;

import io.anser.broker.adoption.WaitingGroup.Member;
import io.anser.protocol.message.MessageView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Messages that wait for their time as far as Apache's notes tell. Those that may have been delivered all the same are kept
 * until their copies are counted; the others, nearly all, are handed on at once. Used by one thread.
 */
final class PossibleWaits {
    /** Clocks are set back sometimes: so much later than the end of the log a message may have been due and is delivered. */
    static final long SLACK_MILLIS = 60_000;

    private final TakeOver target;
    private final Copies copies;
    private final long endMillis;
    private final Map<Identity, WaitingGroup> doubtful = new HashMap<>();
    private final Set<Long> births = new HashSet<>();
    private long count;

    /**
     * Keeps nothing yet.
     *
     * @param endMillis when the last message of the log was stored
     */
    PossibleWaits(TakeOver target, Copies copies, long endMillis) {
        this.target = target;
        this.copies = copies;
        this.endMillis = endMillis;
    }

    /** Takes a message that waits. */
    void add(Identity identity, Member member) {
        if (member.dueMillis() > endMillis + SLACK_MILLIS && !doubtful.containsKey(identity)) {
            handOn(member);
        } else {
            addDoubtful(identity, member);
        }
    }

    /** Takes a message that may stand for another one. */
    void addDoubtful(Identity identity, Member member) {
        doubtful.computeIfAbsent(identity, any -> new WaitingGroup()).add(member);
        births.add(identity.bornMillis());
        copies.want(identity, member.position());
    }

    /** Takes note of a message that Apache has delivered, in case it looks like one that is kept. */
    void delivered(MessageView message) {
        if (births.contains(message.bornTimestamp())) {
            Identity identity = Identity.of(message, Destination.topic(message));
            WaitingGroup group = doubtful.get(identity);
            if (group != null) {
                group.addDelivered(message.physicalOffset());
                copies.want(identity, message.physicalOffset());
            }
        }
    }

    /** Whether any message is kept. */
    boolean isInDoubt() {
        return !doubtful.isEmpty();
    }

    /** Hands those on that wait, now that their copies are counted. */
    void decide() {
        doubtful.forEach((identity, group) ->
                group.waiting(copies.count(identity, group.firstPosition())).forEach(this::handOn));
        doubtful.clear();
    }

    private void handOn(Member member) {
        count++;
        target.waits(member.dueMillis(), member.position());
    }

    /** How many were handed on. */
    long count() {
        return count;
    }
}
