package io.anser.raft;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who belongs to a new group, and which member this process is.
 *
 * @param group name of the group, the same for all members: the broker's name
 * @param addresses {@code host:port} of each member by its number
 * @param self number of this process's member
 */
public record GroupMembers(String group, Map<Integer, String> addresses, int self) {
    /** Most members of a group. */
    public static final int MEMBERS_MAX = 7;

    /** Checks that this process is one of them. */
    public GroupMembers {
        addresses = Map.copyOf(addresses);
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
    }

    /**
     * Reads {@code 0=host:port,1=host:port,2=host:port}.
     *
     * @throws IllegalArgumentException when it is something else, or this process is not a member
     */
    public static GroupMembers parse(String group, String text, int self) {
        Map<Integer, String> addresses = new TreeMap<>();
        for (String member : text.split(",")) {
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
        }
        return new GroupMembers(group, addresses, self);
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

    /** {@code host:port} of all members. */
    public Collection<String> all() {
        return new TreeMap<>(addresses).values();
    }
}
