package io.anser.raft.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.body.GroupMemberStatus.Role;
import io.anser.protocol.operation.ChangeMembers.Kind;
import io.anser.protocol.operation.ChangeMembers.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemberChangeRulesTest {
    private static final List<String> THREE = List.of("a:1", "b:1", "c:1");

    private final GroupMemberStatus leader = member("a:1", Role.LEADER);
    private final Map<String, GroupMemberStatus> answers =
            new HashMap<>(Map.of("b:1", member("b:1", Role.FOLLOWER), "c:1", member("c:1", Role.FOLLOWER)));

    @Test
    void addsAMemberThatAnswersWhereAllOthersAnswer() {
        answers.put("d:1", member("d:1", Role.FOLLOWER));

        assertThat(refusal(Kind.ADD, "d:1")).isEmpty();
        assertThat(MemberChangeRules.outcome(new Request(Kind.ADD, "d:1"), leader)
                        .voters())
                .containsExactly("a:1", "b:1", "c:1", "d:1");
    }

    @Test
    void addsNobodyWhileAMemberIsAway() {
        answers.put("d:1", member("d:1", Role.FOLLOWER));
        answers.remove("c:1");

        assertThat(refusal(Kind.ADD, "d:1").orElseThrow()).startsWith("c:1 of the group=g does not answer");
    }

    @Test
    void addsNobodyWhoDoesNotAnswerOrBelongsToAnotherGroup() {
        assertThat(refusal(Kind.ADD, "d:1").orElseThrow()).startsWith("d:1 does not answer as a member of a group");
        answers.put("d:1", member("h", "d:1", Role.FOLLOWER));
        assertThat(refusal(Kind.ADD, "d:1")).contains("d:1 is a member of the group=h, not of g");
        assertThat(refusal(Kind.ADD, "b:1")).contains("b:1 is a member of the group=g already");
    }

    @Test
    void promotesALearner() {
        GroupMemberStatus own = status("g", "a:1", Role.LEADER, List.of("a:1", "b:1"), List.of("c:1"));

        assertThat(MemberChangeRules.refusal(new Request(Kind.ADD, "c:1"), own, answers))
                .isEmpty();
        MemberChangeRules.Outcome outcome = MemberChangeRules.outcome(new Request(Kind.ADD, "c:1"), own);
        assertThat(outcome.voters()).containsExactly("a:1", "b:1", "c:1");
        assertThat(outcome.learners()).isEmpty();
    }

    @Test
    void removesAMemberThatIsAwayButNotOneOfThoseThatAreLeft() {
        answers.remove("c:1");

        assertThat(refusal(Kind.REMOVE, "c:1")).isEmpty();
        assertThat(refusal(Kind.REMOVE, "b:1"))
                .contains("without b:1 only 1 of the 2 members of the group=g that are left answer and vote,"
                        + " which is no majority");
    }

    /** They answer, but confirm nothing that counts: the group would be left with one that does. */
    @Test
    void membersThatAnswerAndDoNotVoteAreNoPartOfAMajority() {
        GroupMemberStatus votes = member("c:1", Role.FOLLOWER);
        for (GroupMemberStatus silent : List.of(
                joining("c:1"),
                member("c:1", Role.WAITING),
                member("c:1", Role.FAILED),
                member("c:1", Role.LEARNER),
                member("h", "c:1", Role.FOLLOWER))) {
            answers.put("c:1", silent);
            answers.put("d:1", member("d:1", Role.FOLLOWER));

            assertThat(refusal(Kind.REMOVE, "b:1").orElseThrow()).startsWith("without b:1 only 1 of the 2 members");
            assertThat(refusal(Kind.ADD, "d:1").orElseThrow()).startsWith("c:1 of the group=g does not vote now");
        }
        answers.put("c:1", votes);
        assertThat(refusal(Kind.REMOVE, "b:1")).isEmpty();
    }

    @Test
    void removesNeitherTheLeaderNorAStranger() {
        assertThat(refusal(Kind.REMOVE, "a:1").orElseThrow()).startsWith("a:1 leads the group=g; move the lead");
        assertThat(refusal(Kind.REMOVE, "x:1")).contains("x:1 is no member of the group=g");
    }

    @Test
    void onlyALeaderDecides() {
        GroupMemberStatus follower = member("b:1", Role.FOLLOWER);

        assertThat(MemberChangeRules.refusal(new Request(Kind.REMOVE, "c:1"), follower, answers))
                .contains("this member does not lead the group=g, a:1 does");
    }

    @Test
    void theLeadGoesToTheMemberThatHasMost() {
        answers.put("c:1", ahead(member("c:1", Role.FOLLOWER)));

        assertThat(LeadTargets.best(leader, answers)).contains("c:1");
        answers.remove("c:1");
        assertThat(LeadTargets.best(leader, answers)).contains("b:1");
    }

    private Optional<String> refusal(Kind kind, String member) {
        return MemberChangeRules.refusal(new Request(kind, member), leader, answers);
    }

    private static GroupMemberStatus ahead(GroupMemberStatus of) {
        return new GroupMemberStatus(
                of.group(), of.address(), 0, of.role(), 1, "a:1", 9, 9, 9, 900, false, false, THREE, List.of());
    }

    private static GroupMemberStatus joining(String address) {
        return new GroupMemberStatus(
                "g", address, 0, Role.FOLLOWER, 1, "a:1", 5, 5, 5, 500, true, false, THREE, List.of());
    }

    private static GroupMemberStatus member(String address, Role role) {
        return member("g", address, role);
    }

    private static GroupMemberStatus member(String group, String address, Role role) {
        return status(group, address, role, THREE, List.of());
    }

    private static GroupMemberStatus status(
            String group, String address, Role role, List<String> voters, List<String> learners) {
        return new GroupMemberStatus(group, address, 0, role, 1, "a:1", 5, 5, 5, 500, false, false, voters, learners);
    }
}
