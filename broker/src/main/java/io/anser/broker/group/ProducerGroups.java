package io.anser.broker.group;

import io.anser.system.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The producers of each group that are there now. Any thread. */
public final class ProducerGroups {
    /** A producer that is silent for longer is gone, in milliseconds. */
    public static final long EXPIRY_MILLIS = 120_000;

    private final Clock clock;
    private final ConcurrentHashMap<String, Map<String, Member>> groups = new ConcurrentHashMap<>();

    private record Member(ClientChannel channel, long seenNanos) {}

    /** Makes an empty table. */
    public ProducerGroups(Clock clock) {
        this.clock = clock;
    }

    void seen(String group, String clientId, ClientChannel channel) {
        Member member = new Member(channel, clock.nanos());
        groups.compute(group, (name, known) -> {
            Map<String, Member> members = known == null ? new ConcurrentHashMap<>() : known;
            members.put(clientId, member);
            return members;
        });
    }

    /** Takes a producer out, unless it has meanwhile come back over another channel. */
    void gone(String group, String clientId, ClientChannel channel) {
        groups.computeIfPresent(group, (name, members) -> {
            members.computeIfPresent(clientId, (id, member) -> member.channel().equals(channel) ? null : member);
            return members.isEmpty() ? null : members;
        });
    }

    void expire() {
        long now = clock.nanos();
        long life = TimeUnit.MILLISECONDS.toNanos(EXPIRY_MILLIS);
        groups.keySet()
                .forEach(group -> groups.computeIfPresent(group, (name, members) -> {
                    members.values().removeIf(member -> now - member.seenNanos() > life);
                    return members.isEmpty() ? null : members;
                }));
    }

    /** Returns the way to the producer of that client id, whatever groups it is in. */
    public Optional<ClientChannel> client(String clientId) {
        Member latest = null;
        for (Map<String, Member> members : groups.values()) {
            Member member = members.get(clientId);
            if (member != null && (latest == null || member.seenNanos() - latest.seenNanos() > 0)) {
                latest = member;
            }
        }
        return Optional.ofNullable(latest).map(Member::channel);
    }

    /** Returns the client ids of the group's producers in their natural order; empty if there are none. */
    public List<String> clientIds(String group) {
        return groups.getOrDefault(group, Map.of()).keySet().stream().sorted().toList();
    }

    /** One producer and when it was last heard of. */
    record Producer(String clientId, ClientChannel channel, long seenNanos) {}

    /** The names of the groups that somebody is in, in their natural order. */
    List<String> groups() {
        return groups.keySet().stream().sorted().toList();
    }

    /** The producers of a group in the natural order of their ids; empty if there are none. */
    List<Producer> members(String group) {
        return groups.getOrDefault(group, Map.of()).entrySet().stream()
                .map(entry -> new Producer(
                        entry.getKey(),
                        entry.getValue().channel(),
                        entry.getValue().seenNanos()))
                .sorted(Comparator.comparing(Producer::clientId))
                .toList();
    }

    /**
     * Returns the way to one of the group's producers, if there is one.
     *
     * @param turn any number; members are taken in turn
     */
    public Optional<ClientChannel> any(String group, int turn) {
        List<Map.Entry<String, Member>> members =
                new ArrayList<>(groups.getOrDefault(group, Map.of()).entrySet());
        if (members.isEmpty()) {
            return Optional.empty();
        }
        members.sort(Map.Entry.comparingByKey());
        Member chosen = members.get(Math.floorMod(turn, members.size())).getValue();
        return Optional.of(chosen.channel());
    }
}
