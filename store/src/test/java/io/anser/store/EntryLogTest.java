package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.StoreException;
import io.anser.store.log.LogEntry;
import io.anser.store.log.ProposedEntry;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import io.anser.store.state.TopicDrop;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The log of a replicated group: what a member writes, cuts, applies and tells. */
class EntryLogTest {
    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void anEntryIsOneRecordThatGetsWhatTheLogDecides() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.control(1, "who belongs to the group");
        long first = member.parts.marks().appended();
        member.append(1, "one");
        long second = member.parts.marks().appended();
        member.append(
                2,
                member.payload(
                        TestUnit.message(member.queue(0), "two").andState(1, "s"),
                        TestUnit.message(member.queue(1), "three")));

        assertThat(member.log().firstIndex()).isEqualTo(1);
        assertThat(member.log().lastIndex()).isEqualTo(3);
        assertThat(member.log().term(2)).isEqualTo(1);
        assertThat(member.log().term(3)).isEqualTo(2);
        assertThat(member.log().term(4)).isZero();
        assertThat(member.entries().subList(0, 3))
                .containsExactly("1/1 control", "2/1 0@" + (first + 40) + " one", "3/2 1@" + (second + 40) + " two");
        assertThat(member.entries().get(3)).isEqualTo("3/2 state");
        assertThat(member.entries().get(4)).startsWith("3/2 0@").endsWith(" three");
    }

    @Test
    void whatIsNotCommittedIsSeenByNobody() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        long one = member.append(1, "one");
        member.append(1, "two");
        assertThat(member.bodies(0)).isEmpty();

        member.commit(one);

        assertThat(member.bodies(0)).containsExactly("one");
        assertThat(member.state.applied).containsExactly("message T/0#0 one");
    }

    @Test
    void aFollowerWritesWhatTheLeaderWritesWhateverTheEntryCarries() {
        ReplicaDriven leader = ReplicaDriven.open(storage);
        ReplicaDriven follower = ReplicaDriven.open(new FaultyStorage());
        ReplicaDriven late = ReplicaDriven.open(new FaultyStorage());
        for (int i = 0; i < 60; i++) {
            ByteBuffer proposed = leader.payload(TestUnit.ofBytes(leader.queue(i % 3), 100 + 37 * i % 900));
            leader.append(1, proposed);
            follower.append(1, proposed);
            late.append(1, leader.log().read(i + 1).orElseThrow().payload());
        }

        assertThat(storage.list("log").size()).as("segments").isGreaterThan(2);
        assertThat(follower.entries()).isEqualTo(leader.entries());
        assertThat(late.entries()).isEqualTo(leader.entries());
    }

    @Test
    void storeTimesNeverGoBackWhoeverProposes() {
        VirtualTime fast = new VirtualTime(50_000);
        ReplicaDriven ahead = ReplicaDriven.open(storage, fast);
        ReplicaDriven behind = ReplicaDriven.open(new FaultyStorage(), new VirtualTime(10_000));
        ReplicaDriven member = ReplicaDriven.open(new FaultyStorage());
        TestUnit unit = TestUnit.message(ahead.queue(0), "one");
        member.append(1, ahead.payload(unit));
        member.append(2, behind.payload(TestUnit.message(behind.queue(0), "two")));
        fast.advance(Duration.ofSeconds(1));
        member.append(3, ahead.payload(TestUnit.message(ahead.queue(0), "three")));
        member.commit(3);

        assertThat(List.of(0L, 1L, 2L))
                .extracting(offset -> storeTime(member, offset))
                .containsExactly(50_000L, 50_000L, 51_000L);
    }

    private static long storeTime(ReplicaDriven member, long offset) {
        QueueCursor cursor = new QueueCursor();
        cursor.seek(member.queue(0), offset);
        return member.parts.log().storeTimestamp(cursor.position());
    }

    @Test
    void aCutTakesOffsetsAndPlacesBack() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, "kept");
        long end = member.parts.marks().appended();
        member.append(1, "cut");
        member.append(
                1, member.payload(TestUnit.message(member.queue(0), "cut too").and(member.queue(1), "and this", "")));

        member.log().truncateSuffix(1);

        assertThat(member.log().lastIndex()).isEqualTo(1);
        assertThat(member.log().read(2)).isEmpty();
        assertThat(member.parts.marks().appended()).isEqualTo(end);
        member.append(2, "in its place");
        member.append(2, member.payload(TestUnit.message(member.queue(1), "first of its queue")));
        assertThat(member.entries().get(1)).isEqualTo("2/2 1@" + (end + 40) + " in its place");
        assertThat(member.entries().get(2)).startsWith("3/2 0@").endsWith("first of its queue");
        member.commit(3);
        assertThat(member.bodies(0)).containsExactly("kept", "in its place");
        assertThat(member.bodies(1)).containsExactly("first of its queue");
    }

    @Test
    void everyMemberGivesAMessageItsPlacesInFurtherQueues() {
        ReplicaDriven leader = ReplicaDriven.open(storage);
        ReplicaDriven follower = ReplicaDriven.open(new FaultyStorage());
        ByteBuffer other = leader.payload(TestUnit.message(further(leader, "B"), "in B"));
        TestUnit unit = listedAndTold(leader);
        ProposedEntry proposed = leader.propose(unit);
        for (ReplicaDriven member : List.of(leader, follower)) {
            member.append(1, other);
            member.append(1, proposed.payload());
        }

        leader.commit(1);
        leader.replica.committer().commit(2, proposed);
        follower.commit(2);

        assertThat(unit.isCommitted()).isTrue();
        assertThat(follower.entries()).isEqualTo(leader.entries()).contains("2/1 state A#0 B#1");
        for (ReplicaDriven member : List.of(leader, follower)) {
            assertThat(member.bodies(further(member, "A"))).containsExactly("listed");
            assertThat(member.bodies(further(member, "B"))).containsExactly("in B", "listed");
            assertThat(member.state.applied)
                    .containsExactly("message B/0#0 in B", "message T/0#0 listed", "listed A#0", "listed B#1");
            MessageView view = new MessageView().wrap(member.parts.log().slice(unit.position(1), unit.bytes(1)), 0);
            assertThat(view.property("OFFSETS")).contains("0000000000000000000,0000000000000000001");
            assertThat(member.faults).isEmpty();
        }
    }

    private static TestUnit listedAndTold(ReplicaDriven member) {
        String offsets = "9".repeat(FurtherQueues.DIGITS) + "," + "9".repeat(FurtherQueues.DIGITS);
        int until = new TestUnit()
                        .andWith(member.queue(0), "listed", "OFFSETS", offsets)
                        .bytes(0)
                - 1;
        return new TestUnit()
                .andListed(until - offsets.length(), List.of("A", "B"))
                .andWith(member.queue(0), "listed", "OFFSETS", offsets);
    }

    private static QueueLog further(ReplicaDriven member, String topic) {
        return member.parts.queues().queue(topic, 0);
    }

    @Test
    void aCutTakesPlacesInFurtherQueuesBack() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, member.payload(TestUnit.listed(member.queue(0), "kept", "A")));
        member.append(1, member.payload(TestUnit.listed(member.queue(0), "cut", "A", "B")));
        member.append(1, member.payload(TestUnit.listed(member.queue(1), "cut too", "A")));

        member.log().truncateSuffix(1);
        member.append(2, member.payload(TestUnit.listed(member.queue(0), "in its place", "B", "A")));

        assertThat(member.entries()).contains("1/1 state A#0", "2/2 state B#0 A#1");
        member.commit(2);
        assertThat(member.bodies(further(member, "A"))).containsExactly("kept", "in its place");
        assertThat(member.bodies(further(member, "B"))).containsExactly("in its place");
    }

    @Test
    void aRestartFindsThePlacesInFurtherQueues() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, member.payload(TestUnit.listed(member.queue(0), "one", "A")));
        member.commit(1);
        member.snapshot();
        member.append(1, member.payload(TestUnit.listed(member.queue(0), "two", "A")));
        member.append(1, member.payload(TestUnit.listed(member.queue(0), "three", "A", "B")));

        ReplicaDriven restarted = ReplicaDriven.open(storage.kill());
        restarted.log().truncateSuffix(2);
        restarted.append(2, restarted.payload(TestUnit.listed(restarted.queue(0), "four", "A", "B")));
        restarted.commit(3);

        assertThat(restarted.entries()).contains("2/1 state A#1", "3/2 state A#2 B#0");
        assertThat(restarted.bodies(further(restarted, "A"))).containsExactly("one", "two", "four");
        assertThat(restarted.bodies(further(restarted, "B"))).containsExactly("four");
    }

    @Test
    void furtherQueuesWithoutAMessageThatHasRoomForTheirOffsetsAreRefused() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        TestUnit unit = listedAndTold(member);
        ByteBuffer sound = member.payload(unit);
        int at = sound.getInt(StateChange.HEADER_BYTES);
        int digitsAt = StateChange.HEADER_BYTES;
        int nameBytes = StateChange.HEADER_BYTES + Integer.BYTES + Long.BYTES;

        refused(member, new LogEntry(1, 1, false, sound.slice(0, sound.getInt(0))), "something else than items");
        for (int wrong : new int[] {-1, 8, at + 2, Integer.MAX_VALUE}) {
            refused(
                    member,
                    new LogEntry(1, 1, false, copy(sound).putInt(digitsAt, wrong)),
                    "something else than items");
        }
        for (int wrong : new int[] {-1, 0, 2, Short.MAX_VALUE}) {
            ByteBuffer payload = copy(sound).putShort(nameBytes, (short) wrong);
            refused(member, new LogEntry(1, 1, false, payload), "something else than items");
        }
        member.append(1, sound);

        assertThat(member.entries()).hasSize(2).first().isEqualTo("1/1 state A#0 B#0");
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    /** At durability memory a thread of its own forces, while the log may be cut. */
    @Test
    void whatIsWrittenBehindACutIsNotTakenForForced() {
        ReplicaDriven member = ReplicaDriven.open(storage, HandDriven.settings().withDurability(Durability.MEMORY));
        long kept = member.append(1, "kept");
        long end = member.parts.marks().appended();
        ByteBuffer longer = member.payload(message(member, "instead of what was cut"));
        member.log().append(List.of(new LogEntry(kept + 1, 1, false, member.payload(message(member, "cut")))));
        AtomicBoolean cut = new AtomicBoolean();
        storage.interceptor = (operation, file) -> {
            if (operation == Operation.FORCE && cut.compareAndSet(false, true)) {
                member.log().truncateSuffix(kept);
                member.log().append(List.of(new LogEntry(kept + 1, 2, false, longer)));
            }
            return Verdict.PASS;
        };

        member.parts.pipeline().runFlusher();

        assertThat(cut).isTrue();
        assertThat(member.parts.marks().forced()).isEqualTo(end);
        member.parts.pipeline().runFlusher();
        assertThat(member.parts.marks().forced())
                .isEqualTo(member.parts.marks().appended())
                .isGreaterThan(end);
    }

    private static TestUnit message(ReplicaDriven member, String body) {
        return TestUnit.message(member.queue(0), body);
    }

    @Test
    void aCutTakesStoreTimesBack() {
        ReplicaDriven late = ReplicaDriven.open(new FaultyStorage(), new VirtualTime(90_000));
        ReplicaDriven early = ReplicaDriven.open(new FaultyStorage(), new VirtualTime(20_000));
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, early.payload(TestUnit.message(early.queue(0), "kept")));
        member.append(1, late.payload(TestUnit.message(late.queue(0), "cut")));
        member.log().truncateSuffix(1);
        member.append(2, early.payload(TestUnit.message(early.queue(0), "in its place")));
        member.commit(2);

        assertThat(List.of(0L, 1L))
                .extracting(offset -> storeTime(member, offset))
                .containsExactly(20_000L, 20_000L);
    }

    /** A member that had rolled for an entry which was cut, and one that never had it, put the next one at the same place. */
    @Test
    void aCutTakesTheRollBackToo() {
        ReplicaDriven cut = ReplicaDriven.open(storage);
        ReplicaDriven other = ReplicaDriven.open(new FaultyStorage());
        for (ReplicaDriven member : List.of(cut, other)) {
            while (member.parts.marks().appended() < HandDriven.SEGMENT_BYTES - 2_000) {
                member.append(1, "filling");
            }
        }
        long kept = cut.log().lastIndex();
        for (int i = 0; i < 12; i++) {
            cut.append(1, cut.payload(TestUnit.ofBytes(cut.queue(0), 4_000)));
        }
        assertThat(cut.parts.marks().appended()).isGreaterThan(3L * HandDriven.SEGMENT_BYTES);

        cut.log().truncateSuffix(kept);
        for (ReplicaDriven member : List.of(cut, other)) {
            member.append(2, "small");
            member.append(2, member.payload(TestUnit.ofBytes(member.queue(0), 5_000)));
            member.append(2, "behind it");
        }

        assertThat(cut.entries()).isEqualTo(other.entries());
        assertThat(ReplicaDriven.open(storage.kill()).entries()).isEqualTo(other.entries());
    }

    /** So does a member that was restarted between the roll and the entry that caused it. */
    @Test
    void aRestartBehindARollTakesItBack() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        ReplicaDriven other = ReplicaDriven.open(new FaultyStorage());
        for (ReplicaDriven each : List.of(member, other)) {
            while (each.parts.marks().appended() < HandDriven.SEGMENT_BYTES - 2_000) {
                each.append(1, "filling");
            }
        }
        long position = member.parts.marks().appended();
        member.append(1, member.payload(TestUnit.ofBytes(member.queue(0), 4_000)));
        FaultyStorage device = storage.kill();
        Arrays.fill(device.bytes("log/" + String.format("%020d", HandDriven.SEGMENT_BYTES)), 0, 4_200, (byte) 0);

        ReplicaDriven restarted = ReplicaDriven.open(device);
        assertThat(restarted.parts.marks().appended()).isEqualTo(position);
        for (ReplicaDriven each : List.of(restarted, other)) {
            each.append(2, "small");
        }

        assertThat(restarted.entries()).isEqualTo(other.entries());
        assertThat(ReplicaDriven.open(device.kill()).entries()).isEqualTo(other.entries());
    }

    @Test
    void whatIsCommittedIsNeverCut() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, "one");
        long committed = member.append(1, "two");
        member.append(1, "three");
        member.commit(committed);

        assertThatThrownBy(() -> member.log().truncateSuffix(committed - 1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is committed");
        member.log().truncateSuffix(committed);

        assertThat(member.entries()).hasSize(2);
        assertThat(member.faults).isEmpty();
    }

    @Test
    void entriesThatDoNotFollowAreRefusedAndNothingIsWritten() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(3, "one");
        long end = member.parts.marks().appended();
        ByteBuffer payload = member.payload(TestUnit.message(member.queue(0), "x"));

        refused(member, new LogEntry(3, 3, false, payload), "index=3");
        refused(member, new LogEntry(1, 3, false, payload), "index=1");
        refused(member, new LogEntry(2, 2, false, payload), "term=2");
        refused(member, new LogEntry(2, 3, false, ByteBuffer.wrap(new byte[100])), "something else than items");
        refused(
                member,
                new LogEntry(2, 3, true, ByteBuffer.allocate(HandDriven.SEGMENT_BYTES)),
                "does not fit into a segment");

        assertThat(member.parts.marks().appended()).isEqualTo(end);
        member.append(3, "two");
        assertThat(member.entries()).hasSize(2);
    }

    private static void refused(ReplicaDriven member, LogEntry entry, String why) {
        assertThatThrownBy(() -> member.log().append(List.of(entry)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aRestartHasAllEntriesAndAppliesNoneThatTheGroupHasNotConfirmed() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, "one");
        member.control(2, "members");
        member.append(2, "two");
        member.commit(1);

        ReplicaDriven restarted = ReplicaDriven.open(storage.kill());

        assertThat(restarted.entries()).isEqualTo(member.entries());
        assertThat(restarted.state.applied).isEmpty();
        restarted.commit(2);
        assertThat(restarted.state.applied).containsExactly("message T/0#0 one");
        restarted.log().truncateSuffix(2);
        restarted.append(3, "another two");
        restarted.commit(3);
        assertThat(restarted.bodies(0)).containsExactly("one", "another two");
    }

    @Test
    void aRestartGoesOnBehindItsSnapshotAndStillHasTheEntriesBefore() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.control(1, "members");
        member.append(1, "one");
        member.append(1, "two");
        member.commit(2);
        member.snapshot();
        member.append(1, "three");

        ReplicaDriven restarted = ReplicaDriven.open(storage.kill());

        assertThat(restarted.replica.committer().applied().index()).isEqualTo(2);
        assertThat(restarted.replica.committer().control().index()).isEqualTo(1);
        assertThat(restarted.replica.committer().control().payload())
                .isEqualTo(ByteBuffer.wrap(TestUnit.utf8("members")));
        assertThat(restarted.bodies(0)).containsExactly("one");
        assertThat(restarted.entries()).isEqualTo(member.entries());
        restarted.commit(4);
        assertThat(restarted.bodies(0)).containsExactly("one", "two", "three");
        assertThat(restarted.state.applied).hasSize(3);
    }

    @Test
    void aCutDropBringsTheTopicBack() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        long kept = member.append(1, "one");
        member.append(1, member.payload(TestUnit.state(TopicDrop.KIND, "T")));
        member.append(1, member.payload(TestUnit.message(member.queue(0), "of the next life")));
        assertThat(member.entries().get(member.entries().size() - 1)).contains(" 0@");

        member.log().truncateSuffix(kept);
        member.append(2, "two");
        member.commit(2);

        assertThat(member.bodies(0)).containsExactly("one", "two");
        assertThat(member.dropped).isEmpty();
    }

    @Test
    void whatIsDecidedBehindAProposedDropOfItsTopicIsRefusedUntilTheDropHasComeToNothing() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        QueueLog before = member.queue(0);
        TestUnit overtaken = TestUnit.message(before, "behind the drop");
        TestUnit own = TestUnit.message(member.queue(1), "in the same entry");

        ProposedEntry drop = member.propose(TestUnit.state(TopicDrop.KIND, "T"), own);
        member.parts.pipeline().append(overtaken);
        member.parts.pipeline().runWriter();

        assertThat(overtaken.failure).hasMessageContaining("was deleted");
        assertThat(own.failure).hasMessageContaining("was deleted");
        assertThat(member.proposed).containsExactly(drop);
        drop.fail(new StoreException(StoreException.Kind.UNDECIDED, "the lead has changed"));
        assertThat(member.append(1, "after all")).isEqualTo(1);
    }

    @Test
    void whatIsHandedOverInOneLeadIsNotProposedInTheNext() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        TestUnit late = TestUnit.message(member.queue(0), "decided before");
        member.parts.pipeline().append(late);

        member.replica.former().forgetWaiting();
        TestUnit next = TestUnit.message(member.queue(0), "decided now");
        ProposedEntry entry = member.propose(next);

        assertThat(late.failure).hasMessageContaining("did not lead");
        assertThat(entry.payload().remaining()).isEqualTo(next.bytes(0));
    }

    @Test
    void messagesBeforeADropThatIsPlacedAlreadyBelongToTheLifeBefore() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        long one = member.append(1, "one");
        long drop = member.append(1, member.payload(TestUnit.state(TopicDrop.KIND, "T")));
        member.append(1, member.payload(TestUnit.message(member.queue(0), "of the next life")));

        member.commit(one);
        member.commit(drop);
        member.commit(3);

        assertThat(member.dropped).hasSize(1);
        assertThat(member.dropped.get(0).maxOffset()).isEqualTo(1);
        assertThat(member.bodies(0)).containsExactly("of the next life");
        assertThat(member.faults).isEmpty();
    }

    @Test
    void sendersLearnTheirPlacesFromTheLog() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, "of an earlier leader");
        TestUnit first =
                TestUnit.message(member.queue(0), "one").andState(1, "s").and(member.queue(1), "b", "");
        TestUnit second = TestUnit.message(member.queue(0), "two");
        ProposedEntry entry = member.propose(first, second);
        assertThat(first.commits).isZero();
        long index = member.append(1, entry.payload());

        member.replica.committer().commit(index, entry);

        assertThat(first.isCommitted()).isTrue();
        assertThat(second.isCommitted()).isTrue();
        assertThat(first.queueOffset(0)).isEqualTo(1);
        assertThat(first.queueOffset(2)).isZero();
        assertThat(second.queueOffset(0)).isEqualTo(2);
        assertThat(member.entries())
                .contains("2/1 1@" + first.position(0) + " one", "2/1 2@" + second.position(0) + " two");
        assertThat(member.parts.pipeline().room().load().waiting()).isZero();
    }

    /** Two others can make an entry committed before this member, which leads, has written it. */
    @Test
    void aCommitWaitsForTheEntryToBeWrittenHere() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        ByteBuffer payload = member.payload(TestUnit.message(member.queue(0), "one"));
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> member.commit(1));
        assertThat(commit).isNotDone();

        member.append(1, payload);

        assertThat(commit).succeedsWithin(Duration.ofSeconds(30));
        assertThat(member.bodies(0)).containsExactly("one");
    }

    @Test
    void whatIsProposedFitsIntoASegment() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        for (int i = 0; i < 60; i++) {
            member.parts.pipeline().append(TestUnit.ofBytes(member.queue(0), 2_000));
        }
        while (member.parts.pipeline().runWriter()) {
            // forms entries of what waits
        }

        assertThat(member.proposed).hasSizeGreaterThan(1);
        for (ProposedEntry entry : member.proposed) {
            member.append(1, entry.payload());
        }
        assertThat(member.entries()).hasSize(60);
    }

    @Test
    void aProposalThatComesToNothingLeavesNoTrace() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        TestUnit lost = TestUnit.message(member.queue(0), "lost");
        ProposedEntry entry = member.propose(lost);
        entry.fail(new StoreException(StoreException.Kind.NOT_LEADING, "another one leads"));
        entry.fail(new StoreException(StoreException.Kind.NOT_LEADING, "told twice"));

        assertThat(lost.failure.kind()).isEqualTo(StoreException.Kind.NOT_LEADING);
        assertThat(lost.failure).hasMessage("another one leads");
        assertThat(member.parts.pipeline().room().load().waiting()).isZero();
        member.append(1, "one");
        assertThat(member.entries()).singleElement().asString().contains(" 0@");
    }

    @Test
    void aFullDeviceTakesNothingOfAnEntry() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, "one");
        long end = member.parts.marks().appended();
        List<LogEntry> entries = List.of(
                new LogEntry(2, 1, false, member.payload(TestUnit.ofBytes(member.queue(0), 9_000))),
                new LogEntry(3, 1, false, member.payload(TestUnit.ofBytes(member.queue(0), 9_000))));
        for (int writes = 0; writes < 3; writes++) {
            storage.noSpaceAfterWrites = writes;
            assertThatThrownBy(() -> member.log().append(entries))
                    .as("after writes=%d", writes)
                    .isInstanceOf(StoreException.class)
                    .extracting(thrown -> ((StoreException) thrown).kind())
                    .isEqualTo(StoreException.Kind.FULL);
            assertThat(member.parts.marks().appended()).isEqualTo(end);
        }
        assertThat(member.faults).isEmpty();

        storage.noSpaceAfterWrites = Integer.MAX_VALUE;
        member.log().append(entries);
        member.log().force();

        assertThat(member.entries())
                .extracting(line -> line.substring(0, 5))
                .containsExactly("1/1 0", "2/1 1", "3/1 2");
        assertThat(ReplicaDriven.open(storage.kill()).entries()).isEqualTo(member.entries());
    }

    @Test
    void aMemberWithADamagedEntryDoesNotStart() {
        ReplicaDriven member = ReplicaDriven.open(storage);
        member.append(1, "one");
        int damaged = (int) member.parts.marks().appended() + 60;
        member.append(1, "two");
        member.append(1, "three");
        member.commit(3);
        member.append(1, "promises that what is committed was on the device");
        storage.flip("log/00000000000000000000", damaged, 1);

        assertThatThrownBy(() -> ReplicaDriven.open(storage.kill()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("must not go on without an entry that it has confirmed");
    }

    @Test
    void aStoreIsOpenedOnlyAsWhatItWasMade() {
        FaultyStorage alone = new FaultyStorage();
        HandDriven.open(alone);
        ReplicaDriven.open(storage);

        assertThatThrownBy(() -> HandDriven.open(storage.kill()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("belongs to a replicated group");
        assertThatThrownBy(() -> ReplicaDriven.open(alone.kill()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was made without a group");
    }
}
