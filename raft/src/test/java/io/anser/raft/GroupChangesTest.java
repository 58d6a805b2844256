package io.anser.raft;

import static io.anser.raft.TestGroup.PATIENCE;
import static io.anser.raft.TestGroup.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.body.GroupMemberStatus;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.ChangeMembers;
import io.anser.protocol.operation.DrainProcess;
import io.anser.protocol.operation.GetGroupStatus;
import io.anser.protocol.operation.MoveLead;
import io.anser.protocol.operation.RecoverMember;
import io.anser.transport.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators do to a running group, asked over the network. */
class GroupChangesTest {
    @TempDir
    private Path directory;

    private TestGroup group;

    @AfterEach
    void end() {
        group.close();
    }

    @Test
    void theLeadMovesToTheMemberThatIsNamed() throws Exception {
        group = new TestGroup(directory, 3, Set.of());
        TestMember first = group.leader();
        List<SentMessage.Stored> acknowledged = new ArrayList<>(send(first, "before", 50));
        TestMember next = group.other(first);
        awaitEverywhere(acknowledged);

        Reply moved = first.administer(first.address(), MoveLead.CODE, new MoveLead.Request(next.address()));

        assertThat(moved.code()).as(moved.remark().orElse("")).isEqualTo(ResponseCode.SUCCESS);
        await().atMost(PATIENCE)
                .until(() -> next.engine().leads() && !first.engine().leads());
        acknowledged.addAll(send(next, "after", 50));
        awaitEverywhere(acknowledged);
        assertThat(status(first).role()).isEqualTo(GroupMemberStatus.Role.FOLLOWER);
        assertThat(status(next).role()).isEqualTo(GroupMemberStatus.Role.LEADER);
        Reply refused = first.administer(first.address(), MoveLead.CODE, new MoveLead.Request(""));
        assertThat(refused.code()).isEqualTo(ResponseCode.ILLEGAL_OPERATION);
        assertThat(refused.remark())
                .contains("this member does not lead the group=broker-a, " + next.address() + " does");
    }

    @Test
    void aLearnerGetsEverythingAndItsWordDoesNotCount() throws Exception {
        group = new TestGroup(directory, 3, Set.of(2));
        TestMember leader = group.leader();
        TestMember learner = group.member(2);

        awaitEverywhere(send(leader, "learnt", 100));
        assertThat(learner).isNotSameAs(leader);
        assertThat(status(learner).role()).isEqualTo(GroupMemberStatus.Role.LEARNER);
        assertThat(status(leader).learners()).containsExactly(learner.address());

        group.kill(group.other(leader, learner));
        await().atMost(PATIENCE).until(() -> !leader.engine().leads());
        await().during(Duration.ofSeconds(2))
                .atMost(PATIENCE)
                .until(() -> !learner.engine().leads());
    }

    @Test
    void aLearnerThatIsPromotedCounts() throws Exception {
        group = new TestGroup(directory, 3, Set.of(2));
        TestMember leader = group.leader();
        TestMember learner = group.member(2);
        List<SentMessage.Stored> acknowledged = new ArrayList<>(send(leader, "before", 100));

        change(leader, ChangeMembers.Kind.ADD, learner.address());

        assertThat(status(leader).voters()).hasSize(3).contains(learner.address());
        assertThat(status(leader).learners()).isEmpty();
        await().atMost(PATIENCE).until(() -> !status(learner).joining());
        group.kill(group.other(leader, learner));
        TestMember next = group.leader();
        acknowledged.addAll(send(next, "after", 100));
        awaitEverywhere(acknowledged);
    }

    @Test
    void aMemberComesAndAnotherGoesWhileMessagesAreSent() throws Exception {
        group = new TestGroup(directory, 3, Set.of());
        TestMember leader = group.leader();
        List<SentMessage.Stored> acknowledged = new ArrayList<>(send(leader, "before", 200));
        TestMember gone = group.other(leader);
        TestMember newcomer = group.startOneMore();
        await().atMost(PATIENCE).until(() -> status(newcomer).role() != GroupMemberStatus.Role.WAITING);

        change(leader, ChangeMembers.Kind.ADD, newcomer.address());
        acknowledged.addAll(send(leader, "with four", 50));
        awaitEverywhere(acknowledged);
        await().atMost(PATIENCE).until(() -> !status(newcomer).joining());
        change(leader, ChangeMembers.Kind.REMOVE, gone.address());
        group.kill(gone);
        acknowledged.addAll(send(leader, "without " + gone.address(), 50));

        assertThat(status(leader).voters())
                .hasSize(3)
                .contains(newcomer.address())
                .doesNotContain(gone.address());
        // Of the three that belong to the group now, one may go.
        group.kill(group.other(leader, newcomer));
        acknowledged.addAll(send(group.leader(), "by two", 50));
        awaitEverywhere(acknowledged);
    }

    /** Were it a member that votes at once, neither could lead without the other, and the newcomer does not vote yet. */
    @Test
    void theSecondMemberDoesNotTakeTheVoteOfAGroupOfOneBeforeItVotes() throws Exception {
        group = new TestGroup(directory, 1, Set.of());
        TestMember first = group.leader();
        List<SentMessage.Stored> acknowledged = new ArrayList<>(send(first, "before", 20));
        TestMember second = group.startOneMore();
        await().atMost(PATIENCE).until(() -> status(second).role() != GroupMemberStatus.Role.WAITING);

        CompletableFuture<Reply> added = first.administering(
                first.address(),
                ChangeMembers.CODE,
                new ChangeMembers.Request(ChangeMembers.Kind.ADD, second.address()));
        await().atMost(PATIENCE).until(() -> status(first).learners().contains(second.address()));
        assertThat(status(first).voters()).containsExactly(first.address());

        Reply reply = added.get(60, TimeUnit.SECONDS);
        assertThat(reply.code()).as(reply.remark().orElse("")).isEqualTo(ResponseCode.SUCCESS);
        assertThat(status(first).voters()).containsExactlyInAnyOrder(first.address(), second.address());
        assertThat(status(second).joining()).isFalse();
        acknowledged.addAll(send(group.leader(), "after", 20));
        awaitEverywhere(acknowledged);
    }

    @Test
    void aChangeThatIsNotSafeIsRefusedWithASentence() throws Exception {
        group = new TestGroup(directory, 3, Set.of());
        TestMember leader = group.leader();
        TestMember down = group.other(leader);
        group.kill(down);

        Reply refused = leader.administer(
                leader.address(),
                ChangeMembers.CODE,
                new ChangeMembers.Request(
                        ChangeMembers.Kind.REMOVE, group.other(leader).address()));

        assertThat(refused.code()).isEqualTo(ResponseCode.ILLEGAL_OPERATION);
        assertThat(refused.remark().orElse(""))
                .endsWith(
                        "only 1 of the 2 members of the group=broker-a that are left answer and vote, which is no majority");
        assertThat(status(leader).voters()).hasSize(3);
    }

    @Test
    void aDrainedProcessGivesItsLeadAwayAndStopsWhenItsTimeIsOver() throws Exception {
        group = new TestGroup(directory, 3, Set.of());
        TestMember leader = group.leader();
        awaitEverywhere(send(leader, "before", 20));

        Reply drained = leader.administer(leader.address(), DrainProcess.CODE, new DrainProcess.Request(500));

        assertThat(drained.code()).as(drained.remark().orElse("")).isEqualTo(ResponseCode.SUCCESS);
        assertThat(leader.engine().leads()).isFalse();
        assertThat(status(leader).draining()).isTrue();
        assertThat(group.leader()).isNotSameAs(leader);
        assertThat(leader.whoHandles(leader.address()).header().string(TestMember.SAYS))
                .isEqualTo(group.leader().address());
        await().atMost(PATIENCE).until(() -> leader.toldToStop);
        // One that is about to stop is not given the lead.
        Reply refused =
                leader.administer(group.leader().address(), MoveLead.CODE, new MoveLead.Request(leader.address()));
        assertThat(refused.remark()).contains(leader.address() + " is about to stop");
    }

    @Test
    void membersThatAllMayHaveLostSomethingGoOnWhenAnOperatorSaysSo() throws Exception {
        group = new TestGroup(directory, 3, Set.of());
        TestMember leader = group.leader();
        List<SentMessage.Stored> acknowledged = new ArrayList<>(send(leader, "before", 100));
        Reply refused = leader.administer(leader.address(), RecoverMember.CODE, FieldSource.NONE);
        assertThat(refused.remark().orElse("")).endsWith("votes anyway");
        group.restartAll(folder -> Files.writeString(folder.resolve("raft").resolve("joining"), "test\n"));
        await().during(Duration.ofSeconds(4))
                .atMost(PATIENCE)
                .until(() ->
                        group.all().stream().noneMatch(member -> member.engine().leads()));

        for (TestMember member : group.all()) {
            Reply recovered = member.administer(member.address(), RecoverMember.CODE, FieldSource.NONE);
            assertThat(recovered.code()).as(recovered.remark().orElse("")).isEqualTo(ResponseCode.SUCCESS);
        }

        acknowledged.addAll(send(group.leader(), "after", 20));
        awaitEverywhere(acknowledged);
    }

    private static void change(TestMember leader, ChangeMembers.Kind kind, String member) throws Exception {
        Reply changed =
                leader.administer(leader.address(), ChangeMembers.CODE, new ChangeMembers.Request(kind, member));
        assertThat(changed.code()).as(changed.remark().orElse("")).isEqualTo(ResponseCode.SUCCESS);
    }

    private static GroupMemberStatus status(TestMember member) throws Exception {
        Reply reply = member.administer(member.address(), GetGroupStatus.CODE, FieldSource.NONE);
        return GroupMemberStatus.read(reply.body());
    }

    private void awaitEverywhere(List<SentMessage.Stored> acknowledged) {
        for (TestMember member : group.all()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(member.messages(0)).isEqualTo(acknowledged));
            assertThat(member.faults).isEmpty();
        }
    }
}
