package io.anser.server;

import io.anser.broker.role.Group;
import io.anser.protocol.frame.FieldSource;
import io.anser.raft.GroupEngine;
import io.anser.raft.GroupMembers;
import io.anser.transport.RemotingClient;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The other members of this process's group, as the broker asks about them. Any thread reads; the timer thread looks. */
final class OtherMembers implements Group {
    private final GroupMembers members;
    private final GroupEngine engine;
    private final RemotingClient connections;
    private volatile List<Integer> followers = List.of();

    OtherMembers(GroupMembers members, GroupEngine engine, RemotingClient connections) {
        this.members = members;
        this.engine = engine;
        this.connections = connections;
    }

    /** Looks who follows and is within reach: a reader is sent there, so what was found is remembered for a moment. */
    void look() {
        Set<String> reachable = engine.followers();
        followers = new TreeMap<>(members.addresses())
                .entrySet().stream()
                        .filter(member -> reachable.contains(member.getValue()))
                        .map(Map.Entry::getKey)
                        .toList();
    }

    @Override
    public List<Integer> followers() {
        return followers;
    }

    @Override
    public void tellLeader(int code, FieldSource request) {
        engine.leader().ifPresent(leader -> connections.oneWay(leader, code, request, Unpooled.EMPTY_BUFFER));
    }
}
