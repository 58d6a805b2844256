package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.PowerCut;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.NoSpaceException;
import io.anser.store.file.StoreException;
import io.anser.store.queue.PageFile;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Crashes that are worth a name, step by step; the simulation finds others. */
class ScriptedCrashTest {
    private static final String SEGMENT = "log/00000000000000000000";
    private static final String INDEX_FILES = "index/queue-pages-";
    private static final int SECTOR = 512;

    // Of a record's header.
    private static final int CRC = 4;
    private static final int CHECKED_FROM = 8;
    private static final int TERM = 16;
    private static final int INDEX = 24;

    private FaultyStorage storage = new FaultyStorage();

    @Test
    void whatARestartFoundAfterAFailedForceSurvivesThePowerLossThatFollows() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "acknowledged"));
        storage.forcesUntilFailure = 0;
        String cached = "in the cache, not on the device".repeat(300); // more than one page of the cache
        TestUnit refused = TestUnit.message(store.queue(0), cached);
        store.commit(refused);
        assertThat(refused.failure).isNotNull();

        storage = storage.kill();
        HandDriven restarted = HandDriven.open(storage);
        assertThat(restarted.bodies(0)).containsExactly("acknowledged", cached);
        restarted.commit(TestUnit.message(restarted.queue(0), "acknowledged behind it"));

        for (int seed = 0; seed < 10; seed++) {
            HandDriven after = HandDriven.open(storage.losePower(new Random(seed)));
            assertThat(after.bodies(0)).containsExactly("acknowledged", cached, "acknowledged behind it");
        }
    }

    @Test
    void aSnapshotIsNotWrittenBehindAForceThatFailed() throws IOException {
        List<Runnable> worker = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        OpenedStore store = OpenedStore.open(
                HandDriven.settings().withDurability(Durability.MEMORY),
                storage,
                HandDriven.SEGMENT_BYTES,
                new RecordingState(),
                new Silence(),
                new VirtualTime(),
                worker::add,
                (where, cause) -> faults.add(cause.getMessage()));
        store.pipeline().append(TestUnit.message(store.queues().queue("T", 0), "in the cache only"));
        store.pipeline().runWriter();
        store.requestSnapshot();
        store.pipeline().runWriter();
        storage.forcesUntilFailure = 0;
        store.pipeline().runFlusher();
        assertThat(store.fence().isClosed()).isTrue();

        worker.forEach(Runnable::run); // its own force would succeed, and prove nothing

        assertThat(storage.list("snapshot")).isEmpty();
        assertThat(faults).hasSize(2).last().isEqualTo("a force of the log failed before");
        for (int seed = 0; seed < 10; seed++) {
            assertThat(HandDriven.open(storage.losePower(new Random(seed))).bodies(0))
                    .isEmpty();
        }
    }

    /**
     * Raft's figure 8 on one device: the record of a later term was replaced by one of an older term and the same size, and
     * what stood behind the later one is still there, whole, with the index that fits and the higher term. Only the chain of
     * checksums tells that it does not follow.
     */
    @Test
    void aStaleRecordBehindOneThatWasReplacedByAnOlderTermIsCut() {
        HandDriven older = HandDriven.open(storage);
        older.commit(TestUnit.message(older.queue(0), "kept"));
        int replacedFrom = (int) older.parts.marks().committed();
        HandDriven later = HandDriven.open(storage.kill());
        later.commit(TestUnit.message(later.queue(0), "of the later term"));
        int laterUntil = (int) later.parts.marks().committed();
        later.commit(TestUnit.message(later.queue(0), "stale"));
        int staleUntil = (int) later.parts.marks().committed();

        // The older term goes on at the same place, and its record ends where those of the later term ended.
        int filling = laterUntil - replacedFrom - sizeOfRecordWith("");
        older.commit(TestUnit.message(older.queue(0), "y".repeat(filling)));
        assertThat(older.parts.marks().committed()).isEqualTo(laterUntil);
        byte[] bytes = storage.bytes(SEGMENT);
        System.arraycopy(later.storage.bytes(SEGMENT), laterUntil, bytes, laterUntil, staleUntil - laterUntil);
        // One record replaced two, the start of the term among them: the index is made to fit, under a good checksum.
        ByteBuffer log = ByteBuffer.wrap(bytes);
        log.putLong(laterUntil + INDEX, log.getLong(laterUntil + INDEX) - 1);
        reseal(log, laterUntil);

        HandDriven opened = HandDriven.open(storage.kill());

        assertThat(log.getLong(laterUntil + TERM))
                .as("term of the stale record")
                .isEqualTo(2);
        assertThat(opened.bodies(0)).hasSize(2).first().isEqualTo("kept");
        assertThat(opened.parts.log().damage().ranges()).isEmpty();
        TestUnit next = TestUnit.message(opened.queue(0), "next");
        opened.commit(next);
        assertThat(next.queueOffset(0)).isEqualTo(2);
        assertThat(HandDriven.open(opened.storage.kill()).bodies(0))
                .hasSize(3)
                .last()
                .isEqualTo("next");
    }

    @Test
    void recordsOfAnEarlierLifeBehindAShorterTailDoNotComeBack() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        int cut = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "one"), TestUnit.message(store.queue(0), "two"));
        byte[] stale = storage.bytes(SEGMENT).clone();
        int staleUntil = (int) store.parts.marks().committed();
        storage.truncate(SEGMENT, cut);

        HandDriven second = HandDriven.open(storage.kill());
        second.commit(TestUnit.message(second.queue(0), "new"));
        int end = (int) second.parts.marks().committed();
        byte[] bytes = second.storage.bytes(SEGMENT);
        System.arraycopy(stale, end, bytes, end, Math.max(0, staleUntil - end));

        assertThat(HandDriven.open(second.storage.kill()).bodies(0)).containsExactly("kept", "new");
    }

    @Test
    void aRecordTornExactlyBetweenTwoSectorsIsCut() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        int from = (int) store.parts.marks().committed();
        store.commit(TestUnit.ofBytes(store.queue(0), 3 * SECTOR));
        int until = (int) store.parts.marks().committed();

        for (int edge = (from / SECTOR + 1) * SECTOR; edge < until; edge += SECTOR) {
            FaultyStorage first = storage.kill();
            Arrays.fill(first.bytes(SEGMENT), edge, until, (byte) 0);
            FaultyStorage last = storage.kill();
            Arrays.fill(last.bytes(SEGMENT), from, edge, (byte) 0);
            assertThat(HandDriven.open(first).bodies(0))
                    .as("first sectors until %d", edge)
                    .containsExactly("kept");
            assertThat(HandDriven.open(last).bodies(0))
                    .as("last sectors from %d", edge)
                    .containsExactly("kept");
        }
    }

    /** The force after the one that failed has nothing to do and succeeds, but the device does not have the pages. */
    @Test
    void noSnapshotRestsOnIndexPagesWhoseForceFailed() {
        HandDriven store = HandDriven.open(storage);
        List<String> bodies = new ArrayList<>();
        commitPages(store, bodies);
        store.snapshot();
        List<String> before = storage.list("snapshot");
        assertThat(before).contains(String.format("%020d", store.parts.marks().committed()));
        commitPages(store, bodies);
        AtomicInteger forces = new AtomicInteger();
        storage.interceptor = (operation, file) ->
                operation == Operation.FORCE && file.startsWith(INDEX_FILES) && forces.getAndIncrement() == 0
                        ? Verdict.fail(0, "injected: input/output error")
                        : Verdict.PASS;
        store.snapshot();
        assertThat(forces).hasValue(1);
        store.snapshot();
        commitPages(store, bodies);
        store.snapshot();

        assertThat(storage.list("snapshot")).isEqualTo(before);
        for (int seed = 0; seed < 20; seed++) {
            FaultyStorage device = storage.losePower(new Random(seed));
            assertThat(device.list("snapshot")).isEqualTo(before);
            assertThat(HandDriven.open(device).bodies(0)).as("seed %d", seed).isEqualTo(bodies);
        }
    }

    private static void commitPages(HandDriven store, List<String> bodies) {
        for (int i = 0; i < 2 * PageFile.SLOTS; i++) {
            bodies.add("body-" + bodies.size());
            store.commit(TestUnit.message(store.queue(0), bodies.get(bodies.size() - 1)));
        }
    }

    /** Records right behind the end of a segment would be indexed with those before it, and once more when they are replayed. */
    @Test
    void anIndexIsBuiltAgainUpToTheSnapshotAndNoFurtherWhereverThatStands() {
        HandDriven store = HandDriven.open(storage);
        List<String> bodies = new ArrayList<>();
        commitPages(store, bodies);
        int segments = storage.list("log").size() + 3;
        while (storage.list("log").size() < segments) {
            for (int i = 0; i < 2; i++) {
                TestUnit unit = TestUnit.ofBytes(store.queue(0), 900);
                store.commit(unit);
                bodies.add(unit.text(0));
                if (i == 0) {
                    store.snapshot();
                }
            }
            FaultyStorage killed = storage.kill();
            killed.list("index").forEach(name -> killed.delete("index/" + name));
            assertThat(HandDriven.open(killed).bodies(0))
                    .as("messages %d", bodies.size())
                    .isEqualTo(bodies);
        }
    }

    @Test
    void aPowerCutBetweenRenameAndDirectoryForceOfASnapshotLosesNothing() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "one"), TestUnit.state(1, "s"));
        cutPowerAt(Operation.FORCE_DIRECTORY, "snapshot");
        assertThatThrownBy(store::snapshot).isInstanceOf(PowerCut.class);

        for (int seed = 0; seed < 20; seed++) {
            HandDriven opened = HandDriven.open(storage.losePower(new Random(seed)));
            assertThat(opened.bodies(0)).containsExactly("one");
            assertThat(opened.state.applied).containsExactly("message T/0#0 one", "state 1 s");
        }
    }

    @Test
    void aSegmentWhoseNameIsLostWithThePowerIsMadeAgain() {
        HandDriven store = HandDriven.open(storage);
        List<String> bodies = new ArrayList<>();
        storage.interceptor = (operation, file) ->
                operation == Operation.FORCE_DIRECTORY && storage.list("log").size() > 1
                        ? Verdict.cutPower(0)
                        : Verdict.PASS;
        assertThatThrownBy(() -> {
                    while (true) {
                        TestUnit unit = TestUnit.ofBytes(store.queue(0), 2_000);
                        store.commit(unit);
                        bodies.add(unit.text(0));
                    }
                })
                .isInstanceOf(PowerCut.class);

        for (int seed = 0; seed < 20; seed++) {
            HandDriven opened = HandDriven.open(storage.losePower(new Random(seed)));
            assertThat(opened.bodies(0)).as("seed %d", seed).startsWith(bodies.toArray(new String[0]));
            opened.commit(TestUnit.message(opened.queue(0), "goes on"));
            assertThat(opened.bodies(0)).last().isEqualTo("goes on");
        }
    }

    @Test
    void aForceThatFailsFailsTheSendsAndARestartKeepsWhatWasAcknowledged() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "acknowledged"));
        storage.forcesUntilFailure = 0;
        TestUnit failed = TestUnit.message(store.queue(0), "failed");
        TestUnit late = TestUnit.message(store.queue(0), "late");
        store.commit(failed);
        assertThat(failed.failure.kind()).isEqualTo(StoreException.Kind.FENCED);
        assertThatThrownBy(() -> store.commit(late)).isInstanceOf(StoreException.class);

        for (int seed = 0; seed < 10; seed++) {
            assertThat(HandDriven.open(storage.losePower(new Random(seed))).bodies(0))
                    .first()
                    .isEqualTo("acknowledged");
        }
    }

    @Test
    void theDeviceFillsUpInTheMiddleOfABatchAndAllOfItIsRefusedForGood() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "acknowledged"));
        storage.noSpaceAfterWrites = 0;
        TestUnit batch =
                new TestUnit().and(store.queue(0), "a".repeat(5_000), "").and(store.queue(1), "b".repeat(5_000), "");
        store.commit(batch);
        assertThat(batch.failure.kind()).isEqualTo(StoreException.Kind.FULL);

        for (int seed = 0; seed < 20; seed++) {
            HandDriven opened = HandDriven.open(storage.losePower(new Random(seed)));
            assertThat(opened.bodies(0)).as("seed %d", seed).containsExactly("acknowledged");
            assertThat(opened.bodies(1)).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void whatWasWrittenOfABatchBeforeTheDeviceWasFullDoesNotComeBack() {
        HandDriven store = HandDriven.open(storage);
        while (store.parts.marks().committed() < HandDriven.SEGMENT_BYTES - 6_000) {
            store.parts.pipeline().append(TestUnit.message(store.queue(1), "x".repeat(1_000)));
            store.parts.pipeline().runWriter();
            store.parts.pipeline().runFlusher();
        }
        storage.interceptor = (operation, file) ->
                operation == Operation.CREATE ? new Verdict(0, new NoSpaceException("injected"), false) : Verdict.PASS;
        TestUnit fits = TestUnit.ofBytes(store.queue(0), 3_000);
        TestUnit needsTheNextSegment = TestUnit.ofBytes(store.queue(0), 5_000);
        store.parts.pipeline().append(fits);
        store.parts.pipeline().append(needsTheNextSegment);
        store.parts.pipeline().runWriter();
        store.parts.pipeline().runFlusher();
        assertThat(needsTheNextSegment.failure.kind()).isEqualTo(StoreException.Kind.FULL);
        assertThat(fits.failure.kind()).isEqualTo(StoreException.Kind.FULL);

        for (int seed = 0; seed < 50; seed++) {
            assertThat(HandDriven.open(storage.losePower(new Random(seed))).bodies(0))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void powerCutsInTwoRecoveriesInARowLoseNothing() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "one"), TestUnit.state(1, "s"));
        store.snapshot();
        store.commit(TestUnit.message(store.queue(0), "two"));

        for (int first = 1; first < 20; first++) {
            for (int second = 1; second < 20; second++) {
                Random random = new Random(31 * first + second);
                FaultyStorage once = openAndCut(storage.kill(), first).losePower(random);
                FaultyStorage twice = openAndCut(once, second).losePower(random);
                HandDriven opened = HandDriven.open(twice);
                assertThat(opened.bodies(0))
                        .as("cut at %d, then at %d", first, second)
                        .containsExactly("one", "two");
                assertThat(opened.state.applied).hasSize(3);
            }
        }
    }

    /** Opens a store whose machine stops at one of the operations of its start, or just after it. */
    private static FaultyStorage openAndCut(FaultyStorage device, int operation) {
        AtomicInteger left = new AtomicInteger(operation);
        device.interceptor =
                (any, file) -> left.decrementAndGet() == 0 ? Verdict.cutPower(operation * 7 % 101) : Verdict.PASS;
        try {
            HandDriven.open(device);
        } catch (PowerCut cut) {
            assertThat(device.isOff()).isTrue();
        }
        return device;
    }

    private void cutPowerAt(Operation wanted, String where) {
        storage.interceptor =
                (operation, file) -> operation == wanted && file.equals(where) ? Verdict.cutPower(0) : Verdict.PASS;
    }

    /** Bytes that a record has beside the text of its only message. */
    private static int sizeOfRecordWith(String text) {
        HandDriven store = HandDriven.open(new FaultyStorage());
        long from = store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), text));
        return (int) (store.parts.marks().committed() - from);
    }

    private static void reseal(ByteBuffer log, int at) {
        CRC32C crc = new CRC32C();
        int length = log.getInt(at);
        crc.update(log.slice(at + CHECKED_FROM, length - CHECKED_FROM));
        log.putInt(at + CRC, (int) crc.getValue());
    }

    /** Nobody waits for messages. */
    private static final class Silence implements CommitListener {
        @Override
        public void arrived(QueueLog queue, long from, long until) {}

        @Override
        public void dropped(QueueLog queue) {}
    }
}
