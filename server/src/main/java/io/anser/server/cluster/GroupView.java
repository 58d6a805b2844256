package io.anser.server.cluster;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.body.GroupMemberStatus.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A group as it is seen from outside, from what its members say.
 *
 * @param name of the group
 * @param members {@code host:port} of all that belong to it, those that vote first
 * @param answers of those that answered, by their address
 */
record GroupView(String name, List<String> members, Map<String, GroupMemberStatus> answers) {
    /** Whose word about the others counts: that of the leader of the newest term, else of who has seen most. */
    static final Comparator<GroupMemberStatus> BEST_INFORMED = Comparator.comparing(
                    (GroupMemberStatus status) -> status.role() == Role.LEADER)
            .thenComparingLong(GroupMemberStatus::term)
            .thenComparingLong(GroupMemberStatus::lastIndex);

    private static final long ENTRIES_BEHIND_MAX = 10_000;

    /** How well a group or a member is. */
    enum Health {
        /** All is as it should be. */
        HEALTHY,
        /** It works, with less to spare than it should have. */
        DEGRADED,
        /** It takes no messages. */
        UNAVAILABLE
    }

    /** Copies. */
    GroupView {
        members = List.copyOf(members);
        answers = Map.copyOf(answers);
    }

    /** Who leads. */
    Optional<GroupMemberStatus> leader() {
        return answers.values().stream()
                .filter(status -> status.role() == Role.LEADER)
                .max(BEST_INFORMED);
    }

    private List<String> voters() {
        return answers.values().stream()
                .max(BEST_INFORMED)
                .map(GroupMemberStatus::voters)
                .orElse(members);
    }

    /** Whether a member gets everything without a vote. */
    boolean learns(String member) {
        return !voters().contains(member);
    }

    /** How many entries of the leader's a member has not; empty when nobody can tell. */
    Optional<Long> entriesBehind(String member) {
        return leader().flatMap(lead -> Optional.ofNullable(answers.get(member))
                .map(status -> Math.max(0, lead.lastIndex() - status.lastIndex())));
    }

    /** How many bytes of the leader's log a member has not; empty when nobody can tell. */
    Optional<Long> bytesBehind(String member) {
        return leader().flatMap(lead ->
                Optional.ofNullable(answers.get(member)).map(status -> Math.max(0, lead.logEnd() - status.logEnd())));
    }

    /** A word about a member. */
    String state(String member) {
        GroupMemberStatus status = answers.get(member);
        if (status == null) {
            return "does not answer";
        }
        if (status.role() == Role.FAILED) {
            return "has failed, restart it";
        }
        if (status.role() == Role.WAITING) {
            return "waits for all members of a new group";
        }
        if (status.draining()) {
            return "drained, about to stop";
        }
        if (status.joining()) {
            return "joining, does not vote yet";
        }
        return entriesBehind(member).orElse(0L) > ENTRIES_BEHIND_MAX ? "behind" : "ok";
    }

    private boolean isOk(String member) {
        return state(member).equals("ok");
    }

    /** How the group is. */
    Health health() {
        if (leader().isEmpty()) {
            return Health.UNAVAILABLE;
        }
        return members.stream().allMatch(this::isOk) ? Health.HEALTHY : Health.DEGRADED;
    }

    /** One sentence about the group. */
    String sentence() {
        long votes = voters().stream().filter(this::isVoting).count();
        int majority = voters().size() / 2 + 1;
        if (answers.isEmpty()) {
            return "no member answers";
        }
        if (leader().isEmpty()) {
            return "no leader, so it takes no messages: " + votes + " of " + voters().size()
                    + " members can vote, needed are " + majority;
        }
        List<String> wrong = new ArrayList<>();
        members.stream().filter(member -> !isOk(member)).forEach(member -> wrong.add(member + " " + state(member)));
        if (wrong.isEmpty()) {
            return "healthy, " + (votes - majority) + " of " + voters().size() + " members may fail";
        }
        long spare = Math.max(0, votes - majority);
        return String.join("; ", wrong) + "; " + (spare == 0 ? "no other member may fail" : spare + " more may fail");
    }

    private boolean isVoting(String member) {
        GroupMemberStatus status = answers.get(member);
        return status != null && !status.joining() && status.role() != Role.FAILED && status.role() != Role.WAITING;
    }
}
