package io.anser.client;

import java.util.List;

/**
 * Divides the queues of a topic among the members of a group so that every member, computing alone, finds the same answer:
 * both lists sorted, each member a run of neighbouring queues, the first members one more where it does not come out even.
 *
 * <p>The same answer as Apache's default strategy, so that members of both kinds can share a group.
 */
final class AverageShare {
    private AverageShare() {}

    /**
     * The share of one member.
     *
     * @param sortedQueues all queues of the topic
     * @param sortedMembers client ids of all members
     * @param me the client id of the member asked for; a stranger gets nothing
     */
    static <Q> List<Q> of(List<Q> sortedQueues, List<String> sortedMembers, String me) {
        int index = sortedMembers.indexOf(me);
        if (index < 0) {
            return List.of();
        }
        int each = sortedQueues.size() / sortedMembers.size();
        int withOneMore = sortedQueues.size() % sortedMembers.size();
        int from = index * each + Math.min(index, withOneMore);
        int until = from + each + (index < withOneMore ? 1 : 0);
        return sortedQueues.subList(from, until);
    }
}
