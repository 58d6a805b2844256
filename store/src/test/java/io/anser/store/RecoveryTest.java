package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a start makes of a store that was hurt. */
class RecoveryTest {
    private static final String FIRST_SEGMENT = "log/00000000000000000000";
    private static final String SECOND_SEGMENT = "log/00000000000000016384";
    private static final String INDEX = "index/queue-pages-0000000000";

    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void aTailTornAtAnyByteOfTheLastTwoRecordsIsCutAtTheLastWholeRecord() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        int first = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "last but one"));
        int second = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "last"));
        int end = (int) store.parts.marks().committed();

        for (int length = first; length <= end; length++) {
            FaultyStorage torn = storage.kill();
            torn.truncate(FIRST_SEGMENT, length);
            HandDriven opened = HandDriven.open(torn);
            List<String> expected = length == end
                    ? List.of("kept", "last but one", "last")
                    : length >= second ? List.of("kept", "last but one") : List.of("kept");
            assertThat(opened.bodies(0)).as("length %d", length).isEqualTo(expected);

            TestUnit next = TestUnit.message(opened.queue(0), "next");
            opened.commit(next);
            assertThat(next.queueOffset(0)).as("length %d", length).isEqualTo(expected.size());
        }
    }

    @Test
    void aSegmentWhoseNameWasNotForcedBeforeAKillStaysAfterTheNextStart() {
        HandDriven.open(storage).commit();
        FaultyStorage killed = storage.kill();
        killed.forgetForcedName(FIRST_SEGMENT);
        HandDriven opened = HandDriven.open(killed);
        TestUnit unit = TestUnit.message(opened.queue(0), "acknowledged");
        opened.commit(unit);
        assertThat(unit.isCommitted()).isTrue();

        Random random = new Random(1);
        for (int loss = 0; loss < 8; loss++) {
            HandDriven restarted = HandDriven.open(killed.losePower(random));
            assertThat(restarted.bodies(0)).as("loss %d", loss).containsExactly("acknowledged");
        }
    }

    @Test
    void aTailWithAnyByteChangedIsCutThere() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        int first = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "last"));
        int end = (int) store.parts.marks().committed();

        for (int at = first; at < end; at++) {
            FaultyStorage damaged = storage.kill();
            damaged.bytes(FIRST_SEGMENT)[at] ^= 0x40;
            assertThat(HandDriven.open(damaged).bodies(0)).as("byte %d", at).containsExactly("kept");
        }
    }

    @Test
    void aStaleTailWithAGoodChecksumButAnotherChainIsRejected() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        int at = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "stale"));
        byte[] log = storage.bytes(FIRST_SEGMENT);
        log[at + 8] ^= 1; // the chain
        CRC32C crc = new CRC32C();
        int length = ByteBuffer.wrap(log).getInt(at);
        crc.update(log, at + 8, length - 8);
        ByteBuffer.wrap(log).putInt(at + 4, (int) crc.getValue());

        HandDriven opened = HandDriven.open(storage.kill());

        assertThat(opened.bodies(0)).containsExactly("kept");
        assertThat(opened.state.applied).containsExactly("message T/0#0 kept");
    }

    @Test
    void aDamagedNewestSnapshotFallsBackToTheOneBeforeAndThenToTheLog() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "one"), TestUnit.state(1, "s"));
        store.snapshot();
        store.commit(TestUnit.message(store.queue(0), "two"));
        store.snapshot();
        store.commit(TestUnit.message(store.queue(0), "three"));
        List<String> everything = List.copyOf(store.state.applied);
        assertThat(everything).hasSize(4);
        assertThat(storage.list("snapshot")).hasSize(3).endsWith("new");

        for (int damaged = 1; damaged <= 2; damaged++) {
            String name = "snapshot/" + storage.list("snapshot").get(2 - damaged);
            storage.bytes(name)[40] ^= 1;
            HandDriven opened = HandDriven.open(storage.kill());
            assertThat(opened.bodies(0)).containsExactly("one", "two", "three");
            assertThat(opened.state.applied).isEqualTo(everything);
        }
    }

    @Test
    void aSnapshotOfAnotherVersionIsRefusedAndLeftAsItIs() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "one"));
        store.snapshot();
        String name = "snapshot/" + storage.list("snapshot").get(0);
        byte[] file = storage.bytes(name);
        int length = (int) storage.size(name);
        file[7] = 9;
        CRC32C crc = new CRC32C();
        crc.update(file, 0, length - 4);
        ByteBuffer.wrap(file).putInt(length - 4, (int) crc.getValue());

        FaultyStorage killed = storage.kill();
        assertThatThrownBy(() -> HandDriven.open(killed))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("snapshot version=9")
                .hasMessageContaining(name);
        assertThat(killed.exists(name)).isTrue();
    }

    @Test
    void aSnapshotSparesTheReplayOfWhatItHolds() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "one"), TestUnit.state(1, "s"));
        store.snapshot();
        // A record before the snapshot may be damaged now: it is not read.
        storage.bytes(FIRST_SEGMENT)[20] ^= 1;

        HandDriven opened = HandDriven.open(storage.kill());

        assertThat(opened.state.applied).containsExactly("message T/0#0 one", "state 1 s");
        assertThat(opened.queue(0).maxOffset()).isEqualTo(1);
    }

    @Test
    void aDeletedOrTruncatedIndexIsBuiltAgain() {
        HandDriven store = HandDriven.open(storage);
        List<String> bodies = fill(store, 300);
        store.snapshot();
        store.commit(TestUnit.message(store.queue(0), "after the snapshot"));
        bodies.add("after the snapshot");

        FaultyStorage deleted = storage.kill();
        deleted.delete(INDEX);
        FaultyStorage truncated = storage.kill();
        truncated.truncate(INDEX, 1500);

        for (FaultyStorage hurt : List.of(deleted, truncated)) {
            HandDriven opened = HandDriven.open(hurt);
            assertThat(opened.bodies(0)).isEqualTo(bodies);
            opened.commit(TestUnit.message(opened.queue(0), "goes on"));
            assertThat(opened.bodies(0)).hasSize(302).endsWith("goes on");
        }
    }

    @Test
    void aDamagedIndexPageIsBuiltAgainWhenItIsReadAndReadsAreRefusedUntilThen() {
        HandDriven store = HandDriven.open(storage);
        List<String> bodies = fill(store, 300);
        store.parts.finish();
        byte[] sound = storage.bytes(INDEX).clone();

        for (int at = 0; at < 8 * 1024; at += 301) {
            FaultyStorage hurt = storage.kill();
            hurt.bytes(INDEX)[at] ^= 1;
            HandDriven opened = HandDriven.open(hurt);
            int refused = 0;
            for (int id = 0; id < 2; id++) {
                try {
                    opened.bodies(id);
                } catch (StoreException e) {
                    assertThat(e.kind()).isEqualTo(StoreException.Kind.BUSY);
                    refused++; // the repair, in this thread, is over now
                }
            }
            assertThat(refused).as("byte %d", at).isEqualTo(1);
            assertThat(opened.bodies(0)).isEqualTo(bodies);
            assertThat(opened.bodies(1)).hasSize(300);
            assertThat(hurt.bytes(INDEX)).isEqualTo(sound);
        }
    }

    @Test
    void aReplayWritesTheSameIndexPages() {
        HandDriven store = HandDriven.open(storage);
        fill(store, 200);
        int pages = 200 / 63 * 1024;
        byte[] before = Arrays.copyOf(storage.bytes(INDEX), pages);

        FaultyStorage again = storage.kill();
        again.delete(INDEX);
        HandDriven.open(again);

        assertThat(Arrays.copyOf(again.bytes(INDEX), pages)).isEqualTo(before);
    }

    @Test
    void everyStartRaisesTheTermAndGoesOnWithIndexAndOffsets() {
        for (int start = 1; start <= 3; start++) {
            HandDriven store = HandDriven.open(storage);
            store.commit(TestUnit.message(store.queue(0), "start " + start));
            assertThat(store.parts.applied().get().term()).isEqualTo(start);
            assertThat(store.parts.applied().get().index()).isEqualTo(2L * start);
        }
        assertThat(HandDriven.open(storage).bodies(0)).containsExactly("start 1", "start 2", "start 3");
    }

    @Test
    void tenThousandQueuesComeBackFromSnapshotAndReplay() {
        HandDriven store = HandDriven.open(storage);
        for (int id = 0; id < 10_000; id++) {
            if (id == 7_000) {
                store.snapshot();
            }
            store.commit(TestUnit.message(store.queue(id), "q" + id));
        }
        HandDriven opened = HandDriven.open(storage.kill());
        for (int id = 0; id < 10_000; id++) {
            assertThat(opened.bodies(id)).containsExactly("q" + id);
        }
        assertThat(storage.exists(INDEX))
                .as("no page is written before it is full")
                .isFalse();
    }

    @Test
    void aLogWithoutItsVersionFileIsReported() {
        HandDriven.open(storage);
        storage.delete("VERSION");

        assertThatThrownBy(() -> HandDriven.open(storage.kill()))
                .hasMessageContaining("there are segments but no file memory:VERSION");
    }

    private static List<String> fill(HandDriven store, int messages) {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            store.commit(TestUnit.message(store.queue(0), "body-" + i), TestUnit.message(store.queue(1), "other-" + i));
            bodies.add("body-" + i);
        }
        return bodies;
    }

    @Test
    void aFileBehindTheEndOfTheLogIsNamedBeforeItGoes() throws IOException {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        FaultyStorage killed = storage.kill();
        killed.open(SECOND_SEGMENT).write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}), 100);

        List<String> said = logged(() -> HandDriven.open(killed));

        assertThat(said)
                .anyMatch(line ->
                        line.contains("taken away") && line.contains("file=memory:" + SECOND_SEGMENT + " bytes=105"));
        assertThat(killed.list("log")).hasSize(1);
    }

    @Test
    void aSegmentOfAnotherLogBehindTheEndIsSetAside() throws IOException {
        HandDriven other = HandDriven.open(new FaultyStorage());
        other.commit(TestUnit.message(other.queue(0), "of another store"));
        byte[] foreign = Arrays.copyOf(other.storage.bytes(FIRST_SEGMENT), (int) other.storage.size(FIRST_SEGMENT));
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        FaultyStorage killed = storage.kill();
        killed.open(SECOND_SEGMENT).write(ByteBuffer.wrap(foreign), 0);

        List<String> said =
                logged(() -> assertThat(HandDriven.open(killed).bodies(0)).containsExactly("kept"));

        String kept = SECOND_SEGMENT + ".aside";
        assertThat(said).anyMatch(line -> line.contains("taken away") && line.endsWith(" bytes=" + foreign.length));
        assertThat(said)
                .anyMatch(line -> line.contains("set aside file=memory:" + SECOND_SEGMENT + " as=memory:" + kept));
        assertThat(Arrays.copyOf(killed.bytes(kept), foreign.length)).isEqualTo(foreign);

        FaultyStorage again = killed.kill();
        again.open(SECOND_SEGMENT).write(ByteBuffer.wrap(foreign), 0);
        HandDriven opened = HandDriven.open(again);
        assertThat(again.list("log")).contains("00000000000000016384.aside", "00000000000000016384.aside-2");
        assertThat(opened.bodies(0)).containsExactly("kept");
    }

    @Test
    void recordsBehindATearAcrossSegmentsAreCutAndTheirFileIsNamed() {
        HandDriven store = HandDriven.open(storage, HandDriven.settings().withDurability(Durability.MEMORY));
        while (store.parts.marks().committed() < HandDriven.SEGMENT_BYTES + 1_000) {
            store.parts.pipeline().append(TestUnit.ofBytes(store.queue(0), 1_000));
            store.parts.pipeline().runWriter();
        }
        FaultyStorage torn = storage.kill();
        torn.flip(FIRST_SEGMENT, 3_000, 0x40);

        List<String> said = logged(() -> HandDriven.open(torn));

        assertThat(said)
                .anyMatch(line ->
                        line.contains("taken away") && line.contains("file=memory:" + SECOND_SEGMENT + " bytes="));
        assertThat(torn.list("log")).doesNotContain("00000000000000016384.aside");
    }

    @Test
    void aDamagedSnapshotWithoutAnOlderOneIsNotSaidToBeReplaced() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "kept"));
        store.snapshot();
        FaultyStorage killed = storage.kill();
        killed.flip("snapshot/" + killed.list("snapshot").get(0), 60, 0x40);

        List<String> said =
                logged(() -> assertThat(HandDriven.open(killed).bodies(0)).containsExactly("kept"));

        assertThat(said).anyMatch(line -> line.startsWith("snapshot damaged, left out"));
        assertThat(said).noneMatch(line -> line.contains("older"));
    }

    /** What the store logs meanwhile. */
    private static List<String> logged(Runnable work) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.anser.store");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.WARN);
        try {
            work.run();
        } finally {
            logger.setLevel(Level.OFF);
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
