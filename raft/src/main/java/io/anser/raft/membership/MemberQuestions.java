package io.anser.raft.membership;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetGroupStatus;
import io.anser.transport.RemotingClient;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Asks members how they stand. Thread-safe. */
public final class MemberQuestions {
    private static final long ANSWER_MILLIS = 1_000;

    private final RemotingClient connections;

    /** Questions over the connections of a process. */
    public MemberQuestions(RemotingClient connections) {
        this.connections = connections;
    }

    /** Asks one; fails when it does not answer as a member of a group. */
    public CompletableFuture<GroupMemberStatus> ask(String hostPort) {
        return connections
                .call(hostPort, GetGroupStatus.CODE, FieldSource.NONE, Unpooled.EMPTY_BUFFER, ANSWER_MILLIS)
                .thenApply(reply -> {
                    if (reply.code() != ResponseCode.SUCCESS) {
                        throw new IllegalStateException(
                                "code=" + reply.code() + " " + reply.remark().orElse(""));
                    }
                    return GroupMemberStatus.read(reply.body());
                });
    }

    /** Asks several; those that do not answer are not in the result. Never fails. */
    public CompletableFuture<Map<String, GroupMemberStatus>> askAll(Collection<String> addresses) {
        Map<String, GroupMemberStatus> answers = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (String address : Set.copyOf(addresses)) {
            asked.add(ask(address).handle((status, failure) -> {
                if (status != null) {
                    answers.put(address, status);
                }
                return address;
            }));
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(done -> Map.copyOf(answers));
    }

    /** All members but this one, as it knows them. */
    static List<String> others(GroupMemberStatus own) {
        return Stream.concat(own.voters().stream(), own.learners().stream())
                .filter(address -> !address.equals(own.address()))
                .collect(Collectors.toUnmodifiableList());
    }
}
