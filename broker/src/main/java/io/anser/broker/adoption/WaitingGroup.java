package io.anser.broker.adoption;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages that wait and have one identity: almost always one, or one that Apache wrote again because its wheel does not
 * reach that far. Owned by one thread.
 */
final class WaitingGroup {
    private final List<Member> members = new ArrayList<>();
    private int deliveredBefore;
    private long firstPosition = Long.MAX_VALUE;

    /**
     * A message that waits.
     *
     * @param dueMillis wall time at which it is due
     * @param position its log position
     * @param rolls how often Apache had written it again by then
     */
    record Member(long dueMillis, long position, int rolls) {}

    /** Takes note of a message that may wait. */
    void add(Member member) {
        members.add(member);
        firstPosition = Math.min(firstPosition, member.position());
    }

    /** Takes note of a message of the same identity whose delivery Apache has noted: one copy is that of it. */
    void addDelivered(long position) {
        deliveredBefore++;
        firstPosition = Math.min(firstPosition, position);
    }

    /** The log position behind which copies count. */
    long firstPosition() {
        return firstPosition;
    }

    /**
     * Those that wait: one that was written again stands for the one before, and of equal ones the first were delivered
     * first.
     *
     * @param copies how many copies have been delivered
     */
    List<Member> waiting(int copies) {
        Map<Integer, Integer> byRolls = new HashMap<>();
        members.forEach(member -> byRolls.merge(member.rolls(), 1, Integer::sum));
        int sent = byRolls.values().stream().max(Integer::compare).orElse(0);
        int waiting = Math.max(0, sent - Math.max(0, copies - deliveredBefore));
        List<Member> last = new ArrayList<>(members);
        last.sort(Comparator.comparingLong(Member::position));
        return last.subList(last.size() - waiting, last.size());
    }
}
