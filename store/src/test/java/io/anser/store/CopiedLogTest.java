package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.PowerCut;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.StoreException;
import io.anser.store.log.LogFeed;
import io.anser.store.log.LogPoint;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log that is copied record by record: what is the same afterwards, what is refused, and what a primary waits for. */
class CopiedLogTest {
    private HandDriven primary;
    private LogFeed feed;

    @BeforeEach
    void open() {
        primary = HandDriven.open(new FaultyStorage());
        feed = primary.parts.feed().orElseThrow();
    }

    private void store(int units) {
        for (int i = 0; i < units; i++) {
            primary.commit(
                    TestUnit.message(primary.queue(i % 2), "message " + i),
                    TestUnit.ofBytes(primary.queue(0), 1_500),
                    TestUnit.state(7, "state " + i));
        }
    }

    @Test
    void aCopyIsTheSameToTheLastByteOverAllSegmentsAndAppliesTheSame() {
        store(40);
        CopyDriven copy = CopyDriven.open(new FaultyStorage());

        copy.copyAll(feed);

        assertThat(feed.durable()).isGreaterThan(3L * HandDriven.SEGMENT_BYTES);
        for (long at = 0; at < feed.durable(); at += HandDriven.SEGMENT_BYTES) {
            int bytes = (int) Math.min(HandDriven.SEGMENT_BYTES, feed.durable() - at);
            assertThat(copy.parts.log().slice(at, bytes))
                    .isEqualTo(primary.parts.log().slice(at, bytes));
        }
        assertThat(copy.state.applied).isEqualTo(primary.state.applied);
        assertThat(copy.bodies(0)).isEqualTo(primary.bodies(0));
        assertThat(copy.bodies(1)).isEqualTo(primary.bodies(1)).hasSize(20);
        assertThat(feed.holds(copy.log.end())).isTrue();
        assertThat(copy.log.durable()).isEqualTo(feed.durable());
        assertThat(copy.faults).isEmpty();
    }

    @Test
    void nothingIsShownThatThePrimaryHasNotCommitted() {
        store(2);
        long committed = feed.committed();
        store(2);
        CopyDriven copy = CopyDriven.open(new FaultyStorage());
        while (copy.log.end().position() < feed.durable()) {
            assertThat(copy.append(feed.read(copy.log.end().position(), 1).orElseThrow()))
                    .isNull();
            copy.run();
        }

        assertThat(copy.state.applied).isEmpty();
        assertThat(copy.bodies(0)).isEmpty();
        copy.log.committed(committed);
        copy.run();
        assertThat(copy.state.applied).isEqualTo(primary.state.applied.subList(0, 6));
        assertThat(copy.parts.marks().committed()).isEqualTo(committed);
        copy.log.committed(feed.committed());
        copy.run();
        assertThat(copy.state.applied).isEqualTo(primary.state.applied);
    }

    @Test
    void whatDoesNotFollowIsRefusedAndNothingOfItIsWritten() {
        store(3);
        CopyDriven copy = CopyDriven.open(new FaultyStorage());
        ByteBuffer first = feed.read(0, 1).orElseThrow();
        ByteBuffer second = feed.read(first.remaining(), 1).orElseThrow();
        ByteBuffer changed = ByteBuffer.allocate(first.remaining()).put(first.duplicate());
        changed.put(changed.limit() - 1, (byte) (changed.get(changed.limit() - 1) ^ 1))
                .flip();
        HandDriven other = HandDriven.open(new FaultyStorage(), new VirtualTime(1_000));
        other.commit(TestUnit.message(other.queue(0), "of another log"));
        LogFeed otherFeed = other.parts.feed().orElseThrow();
        ByteBuffer otherSecond = otherFeed
                .read(otherFeed.read(0, 1).orElseThrow().remaining(), 1)
                .orElseThrow();

        assertRefused(copy, second);
        assertRefused(copy, changed);
        assertRefused(copy, first.slice(0, first.remaining() - 1));
        assertRefused(copy, ByteBuffer.allocate(100));
        assertRefused(copy, ByteBuffer.allocate(0));
        assertThat(copy.append(first)).isNull();
        assertRefused(copy, first);
        assertRefused(copy, otherSecond);
        assertThat(copy.append(second)).isNull();
        copy.copyAll(feed);
        assertThat(copy.state.applied).isEqualTo(primary.state.applied);
    }

    private static void assertRefused(CopyDriven copy, ByteBuffer records) {
        LogPoint before = copy.log.end();
        StoreException failure = Objects.requireNonNull(copy.append(records));
        assertThat(failure.kind()).isEqualTo(StoreException.Kind.REFUSED);
        assertThat(copy.log.end()).isEqualTo(before);
        assertThat(copy.parts.marks().appended()).isEqualTo(before.position());
    }

    @Test
    void aLogThatHoldsSomethingElseIsTold() {
        store(3);
        CopyDriven copy = CopyDriven.open(new FaultyStorage());
        copy.copyAll(feed);
        LogPoint end = copy.log.end();

        assertThat(feed.holds(end)).isTrue();
        assertThat(feed.holds(
                        new LogPoint(end.position(), end.term(), end.index(), end.crc() + 1, 0, end.recordPosition())))
                .isFalse();
        assertThat(feed.holds(
                        new LogPoint(end.position() + 1, end.term(), end.index(), end.crc(), 0, end.recordPosition())))
                .as("behind the primary's end")
                .isFalse();
        assertThat(feed.holds(LogPoint.START)).isTrue();
    }

    /** Whatever a power loss leaves is the start of the primary's log, with all that the replica said it has. */
    @Test
    void aCrashAtAnyStepLosesNothingThatWasAcknowledged() {
        store(30);
        boolean through = false;
        for (int operation = 1; !through; operation++) {
            FaultyStorage storage = new FaultyStorage();
            CopyDriven copy = CopyDriven.open(storage);
            AtomicInteger left = new AtomicInteger(operation);
            int percent = operation * 37 % 101;
            storage.interceptor = (any, file) -> left.decrementAndGet() == 0 ? Verdict.cutPower(percent) : Verdict.PASS;
            try {
                copy.copyAll(feed);
                through = true;
            } catch (PowerCut cut) {
                assertThat(storage.isOff()).isTrue();
            }
            for (int seed = 0; seed < 3; seed++) {
                CopyDriven again = CopyDriven.open(storage.losePower(new Random(seed)));
                assertThat(again.log.end().position())
                        .as("operation=%d seed=%d", operation, seed)
                        .isGreaterThanOrEqualTo(copy.log.durable());
                assertThat(feed.holds(again.log.end())).isTrue();
                again.copyAll(feed);
                assertThat(again.state.applied).isEqualTo(primary.state.applied);
            }
        }
    }

    @Test
    void aFullDeviceIsToldAndTheSameRecordsAreTakenLater() {
        store(30);
        FaultyStorage storage = new FaultyStorage();
        CopyDriven copy = CopyDriven.open(storage);
        storage.capacityBytes = 2L * HandDriven.SEGMENT_BYTES;
        StoreException failure = null;
        while (failure == null) {
            failure = copy.append(feed.read(copy.log.end().position(), 1).orElseThrow());
            copy.run();
        }

        assertThat(failure.kind()).isEqualTo(StoreException.Kind.FULL);
        storage.capacityBytes = Long.MAX_VALUE;
        copy.copyAll(feed);
        assertThat(copy.state.applied).isEqualTo(primary.state.applied);
        assertThat(copy.faults).isEmpty();
    }

    @Test
    void aReplicaThatBecomesThePrimaryHasAllThatItCopied() {
        store(10);
        FaultyStorage storage = new FaultyStorage();
        CopyDriven copy = CopyDriven.open(storage);
        while (copy.log.end().position() < feed.durable()) {
            assertThat(copy.append(feed.read(copy.log.end().position(), 4_000).orElseThrow()))
                    .isNull();
            copy.run();
        }

        HandDriven promoted = HandDriven.open(storage.kill());
        assertThat(promoted.state.applied).isEqualTo(primary.state.applied);
        promoted.commit(TestUnit.message(promoted.queue(0), "goes on"));
        assertThat(promoted.bodies(0))
                .startsWith(primary.bodies(0).toArray(String[]::new))
                .endsWith("goes on");

        // The old primary's log is the beginning of the new one's: it can be its replica, but for what it alone has.
        CopyDriven demoted = CopyDriven.open(primary.storage.kill());
        assertThat(promoted.parts.feed().orElseThrow().holds(demoted.log.end())).isTrue();
        primary = HandDriven.open(primary.storage.kill(), new VirtualTime(4_000_000_000_000L));
        demoted = CopyDriven.open(primary.storage.kill());
        assertThat(promoted.parts.feed().orElseThrow().holds(demoted.log.end())).isFalse();
    }

    @Test
    void aReplicaTakesNothingFromSenders() {
        CopyDriven copy = CopyDriven.open(new FaultyStorage());

        try {
            copy.parts.pipeline().append(TestUnit.state(7, "not here"));
            throw new AssertionError("taken");
        } catch (StoreException refused) {
            assertThat(refused.kind()).isEqualTo(StoreException.Kind.NOT_LEADING);
            assertThat(refused).hasMessageContaining("this broker is a replica and takes no messages");
        }
    }

    @Test
    void aPrimaryCommitsNothingThatItsReplicasDoNotHave() {
        AtomicLong copied = new AtomicLong(feed.committed());
        feed.waitForReplicas(copied::get, copied::get);
        TestUnit waiting = TestUnit.message(primary.queue(0), "waits");
        primary.commit(waiting);

        assertThat(waiting.isCommitted()).isFalse();
        assertThat(primary.bodies(0)).isEmpty();
        assertThat(feed.durable()).isGreaterThan(feed.committed());
        copied.set(feed.durable());
        feed.limitMoved();
        primary.run();
        assertThat(waiting.isCommitted()).isTrue();
        assertThat(feed.unreplicatedUnits()).isZero();
    }

    @Test
    void whatIsCommittedAloneIsCounted() {
        long copied = feed.committed();
        feed.waitForReplicas(() -> Long.MAX_VALUE, () -> copied);
        primary.commit(TestUnit.state(7, "one"), TestUnit.state(7, "two"));

        assertThat(feed.unreplicatedUnits()).isEqualTo(2);
    }

    @Test
    void whatWaitsForReplicasAtTheEndIsFailedAndNeverApplied() {
        long copied = feed.committed();
        feed.waitForReplicas(() -> copied, () -> copied);
        TestUnit waiting = TestUnit.state(7, "waits");
        primary.commit(waiting);
        feed.abandon();
        primary.run();

        assertThat(waiting.isCommitted()).isFalse();
        assertThat(Objects.requireNonNull(waiting.failure).kind()).isEqualTo(StoreException.Kind.UNDECIDED);
        assertThat(primary.state.applied).isEmpty();
    }

    @Test
    void aReplicaLetsGoOfSegmentsThatItsPrimaryDoesNotKeepWhenTwoSnapshotsAreBehindThem() {
        FaultyStorage storage = new FaultyStorage();
        CopyDriven copy = CopyDriven.open(storage);
        store(40);
        copy.copyAll(feed);
        long kept = 2L * HandDriven.SEGMENT_BYTES;

        copy.parts.retention().removeAsCopied(kept);
        assertThat(copy.parts.log().minPosition()).as("no snapshot yet").isZero();
        for (int i = 0; i < 3; i++) {
            store(1);
            copy.copyAll(feed); // takes the snapshot that was asked for
            copy.parts.retention().removeAsCopied(kept);
        }
        assertThat(copy.parts.log().minPosition()).isEqualTo(kept);

        CopyDriven again = CopyDriven.open(storage.kill());
        assertThat(again.parts.log().minPosition()).isEqualTo(kept);
        store(1);
        again.copyAll(feed);
        assertThat(again.log.end().crc()).isEqualTo(copyOfAll().crc());
        assertThat(again.log.end().position()).isEqualTo(copyOfAll().position());
    }

    @Test
    void aReplicaWithoutTheBeginningAndWithoutASnapshotDoesNotStart() throws IOException {
        FaultyStorage storage = new FaultyStorage();
        CopyDriven copy = CopyDriven.open(storage);
        store(40);
        copy.copyAll(feed);
        copy.parts.log().removeBefore(2L * HandDriven.SEGMENT_BYTES);
        FaultyStorage restarted = storage.kill();
        for (String name : restarted.list("snapshot")) {
            restarted.delete("snapshot/" + name);
        }

        assertThatThrownBy(() -> CopyDriven.open(restarted))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no usable snapshot")
                .hasMessageContaining("begin with an empty folder or a copy of the primary's");
    }

    private LogPoint copyOfAll() {
        CopyDriven whole = CopyDriven.open(new FaultyStorage());
        whole.copyAll(feed);
        return whole.log.end();
    }
}
