package io.anser.broker.group;

import io.anser.broker.filter.Subscription;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Members of one group that want different messages of a topic, or some of them none. They share the topic's queues, so what
 * one wants may lie where only another one reads.
 *
 * @param topic the topic
 * @param members the ids of the members by what they want, both in order; {@link #NOTHING} for those without a subscription
 */
record SubscriptionConflict(String topic, Map<String, List<String>> members) {
    /** What members want that have not subscribed to the topic. */
    static final String NOTHING = "nothing";

    private static final int MEMBERS_SHOWN_MAX = 5;
    private static final int WISHES_SHOWN_MAX = 5;
    private static final int CHARACTERS_SHOWN_MAX = 100;

    /** Finds the conflicts among the members of a group, by topic. Pure. */
    static Map<String, SubscriptionConflict> among(Collection<ConsumerMember> members) {
        List<ConsumerMember> sharing =
                members.stream().filter(ConsumerMember::sharesQueues).toList();
        if (sharing.size() < 2) {
            return Map.of();
        }
        Map<String, SubscriptionConflict> conflicts = new TreeMap<>();
        sharing.stream()
                .flatMap(member -> member.subscriptions().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .forEach(topic -> {
                    Map<String, List<String>> byWish = byWish(topic, sharing);
                    if (byWish.size() > 1) {
                        conflicts.put(topic, new SubscriptionConflict(topic, byWish));
                    }
                });
        return conflicts;
    }

    private static Map<String, List<String>> byWish(String topic, List<ConsumerMember> sharing) {
        return sharing.stream()
                .sorted((one, other) -> one.clientId().compareTo(other.clientId()))
                .collect(Collectors.groupingBy(
                        member -> wish(member, topic),
                        TreeMap::new,
                        Collectors.mapping(ConsumerMember::clientId, Collectors.toList())));
    }

    private static String wish(ConsumerMember member, String topic) {
        Subscription subscription = member.subscriptions().get(topic);
        if (subscription == null) {
            return NOTHING;
        }
        Subscription wish = subscription.withoutVersion();
        return wish.expressionType() + " '" + wish.expression() + "'";
    }

    /** Tells who wants what, for a person; names beyond a few are counted. */
    String text() {
        String shown = members.entrySet().stream()
                .limit(WISHES_SHOWN_MAX)
                .map(entry -> shortened(entry.getKey()) + " members=" + names(entry.getValue()))
                .collect(Collectors.joining("; "));
        int more = members.size() - WISHES_SHOWN_MAX;
        return "topic=" + topic + " " + shown + (more > 0 ? "; " + more + " more" : "");
    }

    private static String names(List<String> clientIds) {
        String shown = clientIds.stream().limit(MEMBERS_SHOWN_MAX).collect(Collectors.joining(",", "[", "]"));
        int more = clientIds.size() - MEMBERS_SHOWN_MAX;
        return more > 0 ? shown + " and " + more + " more" : shown;
    }

    private static String shortened(String text) {
        return text.length() <= CHARACTERS_SHOWN_MAX ? text : text.substring(0, CHARACTERS_SHOWN_MAX) + "...";
    }
}
