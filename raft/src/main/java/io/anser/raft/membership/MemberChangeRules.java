package io.anser.raft.membership;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.operation.ChangeMembers;
import io.anser.raft.GroupMembers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which changes of a group's members are safe. A change that fails in the middle is finished by whoever leads next; what it
 * must not do is to leave a group without a majority of members that answer. Pure.
 */
final class MemberChangeRules {
    private MemberChangeRules() {}

    /** The members after a change. */
    record Outcome(List<String> voters, List<String> learners) {}

    /**
     * Why a change is not carried out; empty when it may be.
     *
     * @param own of the leader
     * @param answers of all other members, and of the one that is to be one, as far as they answered
     */
    static Optional<String> refusal(
            ChangeMembers.Request change, GroupMemberStatus own, Map<String, GroupMemberStatus> answers) {
        String group = "the group=" + own.group();
        if (own.role() != GroupMemberStatus.Role.LEADER) {
            String leader = own.leader().isEmpty() ? "nobody knows who does" : own.leader() + " does";
            return Optional.of("this member does not lead " + group + ", " + leader);
        }
        return switch (change.kind()) {
            case ADD -> ofAddition(change.member(), own, answers, group);
            case ADD_LEARNER -> ofLearner(change.member(), own, answers, group);
            case REMOVE -> ofRemoval(change.member(), own, answers, group);
        };
    }

    private static Optional<String> ofAddition(
            String member, GroupMemberStatus own, Map<String, GroupMemberStatus> answers, String group) {
        if (own.voters().contains(member)) {
            return Optional.of(member + " is a member of " + group + " already");
        }
        if (own.voters().size() >= GroupMembers.MEMBERS_MAX) {
            return Optional.of(group + " has " + own.voters().size() + " members, which is the most it can have");
        }
        for (String voter : own.voters()) {
            if (!votes(voter, own, answers)) {
                return Optional.of(voter + " of " + group
                        + (answers.containsKey(voter) ? " does not vote now" : " does not answer")
                        + "; bring it back or remove it before"
                        + " another member comes, which raises the majority that is needed");
            }
        }
        return ofNewcomer(member, answers, own.group());
    }

    private static Optional<String> ofLearner(
            String member, GroupMemberStatus own, Map<String, GroupMemberStatus> answers, String group) {
        if (own.learners().contains(member)) {
            return Optional.of(member + " is a learner of " + group + " already");
        }
        if (own.voters().contains(member)) {
            return Optional.of(member + " is a member of " + group + " that votes; remove it first");
        }
        return ofNewcomer(member, answers, own.group());
    }

    private static Optional<String> ofNewcomer(String member, Map<String, GroupMemberStatus> answers, String group) {
        GroupMemberStatus newcomer = answers.get(member);
        if (newcomer == null) {
            return Optional.of(member + " does not answer as a member of a group; start it first, with an empty folder,"
                    + " --replication raft and --members that name it beside the others");
        }
        if (!newcomer.group().equals(group)) {
            return Optional.of(member + " is a member of the group=" + newcomer.group() + ", not of " + group);
        }
        if (newcomer.role() == GroupMemberStatus.Role.WAITING || newcomer.role() == GroupMemberStatus.Role.FAILED) {
            return Optional.of(member + " does not work yet, it is "
                    + newcomer.role().name() + "; try again in some seconds, or look into its log");
        }
        return Optional.empty();
    }

    private static Optional<String> ofRemoval(
            String member, GroupMemberStatus own, Map<String, GroupMemberStatus> answers, String group) {
        if (own.learners().contains(member)) {
            return Optional.empty();
        }
        if (!own.voters().contains(member)) {
            return Optional.of(member + " is no member of " + group);
        }
        if (own.voters().size() == 1) {
            return Optional.of(member + " is the only member of " + group);
        }
        if (member.equals(own.address())) {
            return Optional.of(
                    member + " leads " + group + "; move the lead to another member first: anser cluster leader move");
        }
        List<String> left =
                own.voters().stream().filter(voter -> !voter.equals(member)).toList();
        long answering =
                left.stream().filter(voter -> votes(voter, own, answers)).count();
        int majority = left.size() / 2 + 1;
        return answering >= majority
                ? Optional.empty()
                : Optional.of("without " + member + " only " + answering + " of the " + left.size() + " members of "
                        + group + " that are left answer and vote, which is no majority");
    }

    /** One that joins, has failed or waits answers, and confirms nothing that counts. */
    private static boolean votes(String voter, GroupMemberStatus own, Map<String, GroupMemberStatus> answers) {
        if (voter.equals(own.address())) {
            return true;
        }
        GroupMemberStatus answer = answers.get(voter);
        if (answer == null || answer.joining() || !answer.group().equals(own.group())) {
            return false;
        }
        return switch (answer.role()) {
            case LEADER, FOLLOWER, CANDIDATE -> true;
            case LEARNER, WAITING, FAILED, UNKNOWN -> false;
        };
    }

    /** Who belongs to the group when the change is done. */
    static Outcome outcome(ChangeMembers.Request change, GroupMemberStatus own) {
        List<String> voters = new ArrayList<>(own.voters());
        List<String> learners = new ArrayList<>(own.learners());
        voters.remove(change.member());
        learners.remove(change.member());
        switch (change.kind()) {
            case ADD -> voters.add(change.member());
            case ADD_LEARNER -> learners.add(change.member());
            case REMOVE -> {}
        }
        return new Outcome(List.copyOf(voters), List.copyOf(learners));
    }
}
