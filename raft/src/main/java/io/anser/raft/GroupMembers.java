package io.anser.raft;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who belongs to a new group, and which member this process is.
 *
 * @param group name of the group, the same for all members: the broker's name
 * @param addresses {@code host:port} of each member by its number
 * @param self number of this process's member
 * @param learners numbers of the members that get everything and do not vote
 */
public record GroupMembers(String group, Map<Integer, String> addresses, int self, Set<Integer> learners) {
    /** Most members of a group. */
    public static final int MEMBERS_MAX = 7;

    /** What an address of a member that does not vote ends with. */
    public static final String LEARNER = "/learner";

    /** Checks that this process is one of them. */
    public GroupMembers {
        addresses = Map.copyOf(addresses);
        learners = Set.copyOf(learners);
        if (group.isBlank() || addresses.isEmpty() || addresses.size() > MEMBERS_MAX) {
            throw new IllegalArgumentException(
                    "group=" + group + " members=" + addresses.size() + ", allowed 1 to " + MEMBERS_MAX);
        }
        if (!addresses.containsKey(self)) {
            throw new IllegalArgumentException(
                    "member=" + self + " is not among the members " + new TreeMap<>(addresses));
        }
        if (addresses.values().stream().distinct().count() != addresses.size()) {
            throw new IllegalArgumentException("two members have the same address: " + new TreeMap<>(addresses));
        }
        if (learners.containsAll(addresses.keySet())) {
            throw new IllegalArgumentException("no member votes: " + new TreeMap<>(addresses));
        }
    }

    /** A group in which all members vote. */
    public GroupMembers(String group, Map<Integer, String> addresses, int self) {
        this(group, addresses, self, Set.of());
    }

    /**
     * Reads {@code 0=host:port,1=host:port,2=host:port}; an address of a learner ends with {@code /learner}.
     *
     * @throws IllegalArgumentException when it is something else, or this process is not a member
     */
    public static GroupMembers parse(String group, String text, int self) {
        Map<Integer, String> addresses = new TreeMap<>();
        Set<Integer> learners = new TreeSet<>();
        for (String given : text.split(",")) {
            boolean learner = given.endsWith(LEARNER);
            String member = learner ? given.substring(0, given.length() - LEARNER.length()) : given;
            int equals = member.indexOf('=');
            int colon = member.lastIndexOf(':');
            if (equals < 1 || colon < equals + 2) {
                throw new IllegalArgumentException("not number=host:port: " + member);
            }
            int number = number(member.substring(0, equals));
            number(member.substring(colon + 1));
            if (number < 0 || addresses.put(number, member.substring(equals + 1).trim()) != null) {
                throw new IllegalArgumentException("member number=" + number + " is given twice or negative");
            }
            if (learner) {
                learners.add(number);
            }
        }
        return new GroupMembers(group, addresses, self, learners);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a number: " + text, e);
        }
    }

    /** {@code host:port} of this process's member. */
    public String selfAddress() {
        return addresses.getOrDefault(self, "");
    }

    /** Whether this process's member does not vote. */
    public boolean selfLearns() {
        return learners.contains(self);
    }

    /** {@code host:port} of all members that vote, in the order of their numbers. */
    public List<String> voters() {
        return addresses(false);
    }

    /** {@code host:port} of all that do not. */
    public List<String> learnerAddresses() {
        return addresses(true);
    }

    private List<String> addresses(boolean learning) {
        Map<Integer, String> wanted = new TreeMap<>(addresses);
        wanted.keySet().removeIf(number -> learners.contains(number) != learning);
        return List.copyOf(wanted.values());
    }
}
