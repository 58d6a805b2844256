package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.PowerCut;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.StoreException;
import io.anser.store.file.StoreFile;
import io.anser.store.install.InstallPiece;
import io.anser.store.install.InstallPlan;
import io.anser.store.install.Installation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A member that lacks the beginning of the log is given a snapshot and the segments before it. */
class InstallationTest {
    private static final int PIECE_BYTES = 3_000;
    private static final int SEEDS = 5;
    private static final String GIVER = "giver:1";

    private final FaultyStorage givingDevice = new FaultyStorage();
    private ReplicaDriven giving = giving();

    /** A member that has lost its first segments to retention. */
    private ReplicaDriven giving() {
        ReplicaDriven member = ReplicaDriven.open(givingDevice);
        member.control(1, "members");
        append(member, 25);
        member.commit(20);
        member.snapshot();
        try {
            assertThat(member.parts.log().removeBefore(2L * HandDriven.SEGMENT_BYTES))
                    .isEqualTo(2);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        ReplicaDriven restarted = ReplicaDriven.open(givingDevice.kill());
        assertThat(restarted.log().firstIndex()).isGreaterThan(10);
        restarted.commit(26);
        return restarted;
    }

    private static void append(ReplicaDriven member, int entries) {
        for (int i = 0; i < entries; i++) {
            String body = "entry " + member.log().lastIndex() + "x".repeat(2_000);
            member.append(1, member.payload(TestUnit.message(member.queue(i % 3), body)));
        }
    }

    /** A member with a few entries, that was away since. */
    private static ReplicaDriven behind(FaultyStorage device) {
        ReplicaDriven member = ReplicaDriven.open(device);
        member.control(1, "members");
        append(member, 4);
        member.commit(3);
        member.snapshot();
        return member;
    }

    /** Asks for what is missing until nothing is. */
    private void receive(Installation installation) throws IOException {
        for (var piece = installation.next(); piece.isPresent(); piece = installation.next()) {
            installation.add(piece.get(), read(installation, piece.get()));
        }
        installation.closeOpen();
    }

    private ByteBuffer read(Installation installation, InstallPiece piece) throws IOException {
        return giving.replica
                .source()
                .read(installation.position(), piece, PIECE_BYTES)
                .orElseThrow();
    }

    private InstallPlan plan() throws IOException {
        return giving.replica.source().plan().orElseThrow();
    }

    private Installation received(ReplicaDriven member) throws IOException {
        Installation installation = member.replica.installation();
        installation.follow(GIVER, plan());
        receive(installation);
        installation.verify();
        return installation;
    }

    private List<String> given() {
        return giving.entries().subList(0, (int) (20 - giving.log().firstIndex() + 1));
    }

    @Test
    void itHasWhatTheOtherHasToTheLastByte() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = behind(device);

        assertThat(received(member).seal(member.log().lastIndex())).isTrue();
        ReplicaDriven installed = ReplicaDriven.open(device.kill());

        assertThat(installed.log().firstIndex()).isEqualTo(giving.log().firstIndex());
        assertThat(installed.log().lastIndex()).isEqualTo(20);
        assertThat(installed.entries()).isEqualTo(given());
        assertThat(installed.replica.committer().applied().index()).isEqualTo(20);
        assertSameBytes(installed);
        assertThat(installed.replica.committer().control().index()).isEqualTo(1);
        for (long index = 21; index <= 26; index++) {
            installed.log().append(List.of(giving.log().read(index).orElseThrow()));
        }
        installed.log().force();
        installed.commit(26);
        assertSameAsGiving(installed);
        assertSameAsGiving(ReplicaDriven.open(installed.storage.kill()));
        assertThat(device.list("log.install")).isNotEmpty();
        assertThat(installed.storage.list("log.install")).isEmpty();
        assertThat(installed.storage.exists("INSTALL")).isFalse();
    }

    private void assertSameAsGiving(ReplicaDriven member) {
        member.commit(26);
        assertThat(member.entries()).isEqualTo(giving.entries());
        assertThat(member.state.applied).isEqualTo(giving.state.applied);
        for (int id = 0; id < 3; id++) {
            assertThat(member.bodies(id)).isNotEmpty().isEqualTo(giving.bodies(id));
        }
        assertThat(member.faults).isEmpty();
    }

    private void assertSameBytes(ReplicaDriven member) {
        long end = member.parts.marks().appended();
        for (long base = giving.parts.log().minPosition(); base < end; base += HandDriven.SEGMENT_BYTES) {
            String segment = String.format("log/%020d", base);
            int bytes = (int) Math.min(HandDriven.SEGMENT_BYTES, end - base);
            assertThat(Arrays.mismatch(
                            member.storage.bytes(segment), 0, bytes, giving.storage.bytes(segment), 0, bytes))
                    .as(segment)
                    .isEqualTo(-1);
        }
    }

    @Test
    void anEmptyMemberIsGivenItAll() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = ReplicaDriven.open(device);

        received(member).seal(0);

        assertThat(ReplicaDriven.open(device.kill()).entries()).isEqualTo(given());
    }

    /** Whatever the crash leaves is the store as it was, or the store that was given. */
    @Test
    void aCrashAtAnyStepLeavesTheOneStoreOrTheOther() throws IOException {
        boolean through = false;
        int old = 0;
        int installed = 0;
        for (int operation = 1; !through; operation++) {
            FaultyStorage device = new FaultyStorage();
            ReplicaDriven member = behind(device);
            List<String> before = member.entries();
            cutPowerAt(device, operation);
            FaultyStorage crashed = device;
            try {
                received(member).seal(member.log().lastIndex());
                crashed = device.kill();
                cutPowerAt(crashed, operation);
                ReplicaDriven.open(crashed);
                through = true;
            } catch (PowerCut cut) {
                assertThat(device.isOff() || crashed.isOff()).isTrue();
            }
            for (int seed = 0; seed < SEEDS; seed++) {
                List<String> after =
                        ReplicaDriven.open(crashed.losePower(new Random(seed))).entries();
                boolean isOld = after.equals(before);
                assertThat(isOld || after.equals(given()))
                        .as("operation=%d seed=%d entries=%s", operation, seed, after)
                        .isTrue();
                old += isOld ? 1 : 0;
                installed += isOld ? 0 : 1;
            }
        }
        assertThat(old).as("crashes before it was sealed").isGreaterThan(20);
        assertThat(installed).as("crashes behind that").isGreaterThan(10);
    }

    private static void cutPowerAt(FaultyStorage storage, int operation) {
        AtomicInteger left = new AtomicInteger(operation);
        storage.interceptor =
                (any, file) -> left.decrementAndGet() == 0 ? Verdict.cutPower(operation * 37 % 101) : Verdict.PASS;
    }

    /** A crash within the finishing, and one more within what goes on with it. */
    @Test
    void twoCrashesWithinTheFinishingDoNoHarmEither() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = behind(device);
        received(member).seal(member.log().lastIndex());
        for (int first = 1; first < 25; first++) {
            FaultyStorage once = device.kill();
            crash(once, first);
            for (int second = 1; second < 25; second += 3) {
                FaultyStorage twice = once.losePower(new Random(first));
                crash(twice, second);
                assertThat(ReplicaDriven.open(twice.losePower(new Random(second)))
                                .entries())
                        .as("operations=%d,%d", first, second)
                        .isEqualTo(given());
            }
        }
    }

    private static void crash(FaultyStorage device, int operation) {
        cutPowerAt(device, operation);
        try {
            ReplicaDriven.open(device);
        } catch (PowerCut cut) {
            assertThat(device.isOff()).isTrue();
        }
    }

    @Test
    void whatAProcessLeavesUnsealedIsThrownAway() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = behind(device);
        received(member);

        ReplicaDriven restarted = ReplicaDriven.open(device.kill());

        assertThat(restarted.entries()).isEqualTo(member.entries());
        assertThat(restarted.storage.list("log.install")).isEmpty();
    }

    /** What it has confirmed behind the snapshot must not go for it. */
    @Test
    void aMemberThatHasGoneFurtherByItselfKeepsItsLog() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = behind(device);
        Installation installation = received(member);
        append(member, 20);

        assertThat(installation.seal(member.log().lastIndex())).isFalse();

        assertThat(ReplicaDriven.open(device.kill()).entries()).isEqualTo(member.entries());
    }

    @Test
    void aNewerPlanGoesOnWithTheSegmentsThatAreThere() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = behind(device);
        Installation installation = member.replica.installation();
        installation.follow(GIVER, plan());
        receive(installation);
        giving.snapshot(); // at entry 26
        giving.parts.log().removeBefore(3L * HandDriven.SEGMENT_BYTES);

        installation.follow(GIVER, plan());

        int asked = 0;
        for (var piece = installation.next(); piece.isPresent(); piece = installation.next()) {
            boolean known = piece.get().file() >= 0 && piece.get().at() == 0;
            asked += known ? 1 : 0;
            installation.add(piece.get(), read(installation, piece.get()));
        }
        installation.verify();
        assertThat(installation.seal(member.log().lastIndex())).isTrue();
        assertThat(asked).as("segments from the start").isLessThanOrEqualTo(1);
        ReplicaDriven installed = ReplicaDriven.open(device.kill());
        giving = ReplicaDriven.open(giving.storage.kill());
        assertThat(installed.entries()).isEqualTo(giving.entries());
        assertThat(installed.log().lastIndex()).isEqualTo(26);
    }

    /** The same entries, of which each promised another part of the log when it was written. */
    private static ReplicaDriven otherGiving() throws IOException {
        ReplicaDriven member = ReplicaDriven.open(new FaultyStorage());
        member.control(1, "members");
        for (int i = 0; i < 25; i++) {
            String body = "entry " + member.log().lastIndex() + "x".repeat(2_000);
            member.append(1, member.payload(TestUnit.message(member.queue(i % 3), body)));
            member.commit(member.log().lastIndex());
        }
        member.snapshot();
        member.parts.log().removeBefore(2L * HandDriven.SEGMENT_BYTES);
        return ReplicaDriven.open(member.storage.kill());
    }

    @Test
    void segmentsOfTwoMembersAreNotMixed() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = behind(device);
        Installation installation = member.replica.installation();
        installation.follow(GIVER, plan());
        receive(installation);
        String shared = String.format("log/%020d", 2L * HandDriven.SEGMENT_BYTES);
        byte[] ofTheFirst = giving.storage.bytes(shared);
        giving = otherGiving();
        assertThat(giving.storage.bytes(shared)).isNotEqualTo(ofTheFirst);

        installation.follow("giver:2", plan());
        receive(installation);
        installation.verify();

        assertThat(installation.seal(member.log().lastIndex())).isTrue();
        ReplicaDriven installed = ReplicaDriven.open(device.kill());
        assertThat(installed.entries()).isEqualTo(giving.entries());
        assertSameBytes(installed);
    }

    /** As when the giver itself was given another log meanwhile. */
    @Test
    void whatDoesNotFollowWhatWasGivenBeforeIsGivenAnew() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = behind(device);
        Installation installation = member.replica.installation();
        giving.snapshot(); // at entry 26, in the second of the segments
        installation.follow(GIVER, plan());
        receive(installation);
        giving = otherGiving();
        append(giving, 5);
        giving.commit(giving.log().lastIndex());
        giving.snapshot();
        installation.follow(GIVER, plan());

        int tries = 0;
        for (boolean sound = false; !sound; tries++) {
            assertThat(tries).isLessThan(10);
            receive(installation);
            sound = isSound(installation);
        }

        assertThat(installation.seal(member.log().lastIndex())).isTrue();
        assertThat(ReplicaDriven.open(device.kill()).entries()).isEqualTo(giving.entries());
    }

    private static boolean isSound(Installation installation) throws IOException {
        try {
            installation.verify();
            return true;
        } catch (StoreException damaged) {
            return false;
        }
    }

    @Test
    void nothingIsLeftBehindTheEndOfAPlanThatEndsEarlier() throws IOException {
        FaultyStorage device = new FaultyStorage();
        ReplicaDriven member = behind(device);
        Installation installation = member.replica.installation();
        InstallPlan shorter = plan();
        giving.snapshot(); // at entry 26
        installation.follow(GIVER, plan());
        receive(installation);

        installation.follow(GIVER, shorter);
        receive(installation);
        installation.verify();

        assertThat(installation.seal(member.log().lastIndex())).isTrue();
        ReplicaDriven installed = ReplicaDriven.open(device.kill());
        assertThat(installed.log().lastIndex()).isEqualTo(20);
        assertThat(installed.entries()).isEqualTo(given());
    }

    @Test
    void aDamagedSnapshotIsNotOffered() throws IOException {
        InstallPlan whole = plan();
        giving.snapshot(); // at entry 26
        long newest = plan().position();
        assertThat(newest).isGreaterThan(whole.position());
        try (StoreFile file = giving.storage.open(String.format("snapshot/%020d", newest))) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 60);
        }

        assertThat(plan()).isEqualTo(whole);
    }

    @Test
    void damageOnTheWayIsFoundAndAskedForAgain() throws IOException {
        for (int damaged = 0; damaged < 12; damaged++) {
            FaultyStorage device = new FaultyStorage();
            ReplicaDriven member = behind(device);
            Installation installation = member.replica.installation();
            installation.follow(GIVER, plan());
            int count = 0;
            for (var piece = installation.next(); piece.isPresent(); piece = installation.next()) {
                ByteBuffer bytes = read(installation, piece.get());
                ByteBuffer copy = ByteBuffer.allocate(bytes.remaining())
                        .put(bytes.duplicate())
                        .flip();
                if (count++ == damaged) {
                    copy.put(100, (byte) (copy.get(100) ^ 4));
                }
                installation.add(piece.get(), copy);
            }
            if (damaged < count) {
                assertThatThrownBy(installation::verify)
                        .as("piece=%d", damaged)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("is damaged");
                assertThat(installation.seal(member.log().lastIndex())).isFalse();
                assertThat(installation.next()).isPresent();
            }
            receive(installation);
            installation.verify();
            assertThat(installation.seal(member.log().lastIndex())).isTrue();
            assertThat(ReplicaDriven.open(device.kill()).entries()).isEqualTo(given());
        }
    }

    @Test
    void segmentsOfAnotherSizeAreRefusedWithBothSizes() throws IOException {
        ReplicaDriven member = behind(new FaultyStorage());
        InstallPlan other = new InstallPlan(0, 100, 1, 100, 2 * HandDriven.SEGMENT_BYTES);

        assertThatThrownBy(() -> member.replica.installation().follow(GIVER, other))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("bytes=" + HandDriven.SEGMENT_BYTES)
                .hasMessageContaining("bytes=" + 2 * HandDriven.SEGMENT_BYTES);
    }

    @Test
    void whatHasGoneMeanwhileIsNotGiven() throws IOException {
        InstallPlan plan = plan();
        giving.snapshot();
        giving.parts.log().removeBefore(3L * HandDriven.SEGMENT_BYTES);

        InstallPiece segment = new InstallPiece(plan.firstPosition(), 0);
        InstallPiece snapshot = new InstallPiece(InstallPiece.SNAPSHOT, 0);

        assertThat(giving.replica.source().read(plan.position(), segment, PIECE_BYTES))
                .isEmpty();
        assertThat(giving.replica.source().read(plan.position(), snapshot, PIECE_BYTES))
                .isPresent();
        giving.append(1, "more");
        giving.commit(27);
        giving.snapshot();
        assertThat(giving.replica.source().read(plan.position(), snapshot, PIECE_BYTES))
                .isEmpty();
    }

    @Test
    void aMemberWithoutTheBeginningAndWithoutASnapshotDoesNotStart() throws IOException {
        FaultyStorage device = giving.storage.kill();
        for (String name : device.list("snapshot")) {
            device.delete("snapshot/" + name);
        }

        assertThatThrownBy(() -> ReplicaDriven.open(device))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no usable snapshot");
    }

    @Test
    void aPlanIsWhatItWasOnTheWire() {
        InstallPlan plan = new InstallPlan(1 << 20, (5L << 20) + 77, 1234, 99, 1 << 20);

        assertThat(InstallPlan.decode(plan.encode())).isEqualTo(plan);
        assertThatThrownBy(() -> InstallPlan.decode(ByteBuffer.allocate(InstallPlan.BYTES)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> InstallPlan.decode(ByteBuffer.allocate(7)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
