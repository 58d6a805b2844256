package io.anser.broker.assignment;

import io.anser.protocol.body.MessageQueue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** How queues are divided among members, by a rule that all of them know. Pure; both lists are sorted. */
final class Division {
    /** Each member gets queues that lie next to each other. */
    static final String AVERAGE = "AVG";
    /** Queues are dealt out one by one. */
    static final String CIRCLE = "AVG_BY_CIRCLE";

    private static final int ANY_QUEUE = -1;

    private Division() {}

    /** Whether the rule is known here. */
    static boolean isKnown(String strategy) {
        return strategy.equals(AVERAGE) || strategy.equals(CIRCLE);
    }

    /**
     * Returns what a member pulls: every queue belongs to exactly one member.
     *
     * @param strategy one that is known
     * @param member one of the members
     */
    static List<MessageQueue> pulled(String strategy, List<MessageQueue> queues, List<String> members, String member) {
        return share(strategy, queues, members.size(), members.indexOf(member));
    }

    /**
     * Returns what a member pops. A member whose share has failed must not hold up its messages, so shares overlap.
     *
     * @param sharing how many members pop a queue beside the first; where that is all of them, or 0 or less, every member
     *     pops every queue of every broker
     */
    static Set<MessageQueue> popped(
            String strategy, List<MessageQueue> queues, List<String> members, String member, int sharing) {
        int count = members.size();
        int index = members.indexOf(member);
        if (sharing <= 0 || sharing >= count - 1) {
            return anyQueues(queues);
        }
        Set<MessageQueue> mine = new LinkedHashSet<>();
        if (count <= queues.size()) {
            for (int next = 0; next <= sharing; next++) {
                mine.addAll(share(strategy, queues, count, (index + next) % count));
            }
        } else if (!queues.isEmpty()) {
            mine.add(queues.get(index % queues.size())); // nobody goes without
        }
        return mine;
    }

    private static Set<MessageQueue> anyQueues(List<MessageQueue> queues) {
        Set<MessageQueue> any = new LinkedHashSet<>();
        queues.forEach(queue -> any.add(new MessageQueue(queue.topic(), queue.brokerName(), ANY_QUEUE)));
        return any;
    }

    private static List<MessageQueue> share(String strategy, List<MessageQueue> queues, int members, int index) {
        return strategy.equals(CIRCLE) ? dealt(queues, members, index) : stretch(queues, members, index);
    }

    private static List<MessageQueue> stretch(List<MessageQueue> queues, int members, int index) {
        int each = queues.size() / members;
        int more = queues.size() % members; // so many members get one more, the first ones
        int from = index * each + Math.min(index, more);
        return queues.subList(from, from + each + (index < more ? 1 : 0));
    }

    private static List<MessageQueue> dealt(List<MessageQueue> queues, int members, int index) {
        List<MessageQueue> mine = new ArrayList<>();
        for (int i = index; i < queues.size(); i += members) {
            mine.add(queues.get(i));
        }
        return mine;
    }
}
