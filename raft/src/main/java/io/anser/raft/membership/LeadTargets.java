package io.anser.raft.membership;

import io.anser.protocol.body.GroupMemberStatus;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** To whom a leader may hand over. Pure. */
final class LeadTargets {
    /** Whoever lacks more has to catch up first; the group would not take messages meanwhile. */
    static final long ENTRIES_BEHIND_MAX = 1_000;

    private LeadTargets() {}

    /** Why a member cannot take the lead now; empty when it can. */
    static Optional<String> obstacle(GroupMemberStatus leader, String address, Map<String, GroupMemberStatus> answers) {
        GroupMemberStatus member = answers.get(address);
        if (!leader.voters().contains(address)) {
            return Optional.of(address + " is no voting member of the group=" + leader.group());
        }
        if (member == null || !member.group().equals(leader.group())) {
            return Optional.of(address + " does not answer");
        }
        if (member.joining() || member.role() != GroupMemberStatus.Role.FOLLOWER) {
            return Optional.of(address + " is not up to date yet");
        }
        if (member.draining()) {
            return Optional.of(address + " is about to stop");
        }
        long behind = leader.lastIndex() - member.lastIndex();
        return behind > ENTRIES_BEHIND_MAX
                ? Optional.of(address + " is " + behind + " entries behind")
                : Optional.empty();
    }

    /** The member that has most of those that can take the lead. */
    static Optional<String> best(GroupMemberStatus leader, Map<String, GroupMemberStatus> answers) {
        return answers.entrySet().stream()
                .filter(member -> leader.voters().contains(member.getKey()))
                .filter(member -> !member.getKey().equals(leader.address()))
                .filter(member -> obstacle(leader, member.getKey(), answers).isEmpty())
                .max(Comparator.comparingLong(member -> member.getValue().lastIndex()))
                .map(Map.Entry::getKey);
    }
}
