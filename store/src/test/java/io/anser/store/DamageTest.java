package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.StoreException;
import io.anser.store.log.DamagedRanges.Range;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.TimeBoundary;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Damage to what was on the device is reported, left out, and keeps nothing else from being served. */
class DamageTest {
    private static final String FIRST_SEGMENT = "log/00000000000000000000";
    private static final String SECOND_SEGMENT = "log/00000000000000016384";

    private final FaultyStorage storage = new FaultyStorage();

    @BeforeAll
    static void beQuiet() {
        level(Level.OFF); // damage is an error, and made here on purpose
    }

    @AfterAll
    static void beLoud() {
        level(null); // as the loggers above them
    }

    private static void level(@Nullable Level level) {
        ((Logger) LoggerFactory.getLogger("io.anser.store.log.DamagedRanges")).setLevel(level);
        ((Logger) LoggerFactory.getLogger("io.anser.store.recovery.Recovery")).setLevel(level);
    }

    @Test
    void aRecordWithAnyByteChangedBeforeAcknowledgedOnesIsLeftOutAndTheRestIsServed() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "before"));
        int at = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "damaged"));
        int end = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "behind"), TestUnit.state(7, "it"));
        store.commit(TestUnit.message(store.queue(0), "and more"));

        for (int damaged = at; damaged < end; damaged++) {
            FaultyStorage hurt = storage.kill();
            hurt.bytes(FIRST_SEGMENT)[damaged] ^= 0x10;
            HandDriven opened = HandDriven.open(hurt);

            assertThat(messages(opened, 0))
                    .as("byte %d", damaged)
                    .isEqualTo(List.of("0 before", "2 behind", "3 and more"));
            assertThat(opened.state.applied)
                    .containsExactly(
                            "message T/0#0 before", "message T/0#2 behind", "state 7 it", "message T/0#3 and more");
            assertThat(opened.parts.log().damage().ranges())
                    .containsExactly(new Range(at, end, "memory:" + FIRST_SEGMENT));

            TestUnit next = TestUnit.message(opened.queue(0), "next");
            opened.commit(next);
            assertThat(next.queueOffset(0)).isEqualTo(4);
            assertThat(messages(HandDriven.open(hurt.kill()), 0))
                    .containsExactly("0 before", "2 behind", "3 and more", "4 next");
        }
    }

    @Test
    void whereDamageWasFoundIsKnownAfterARestartUntilTheFileIsRestored() {
        TestUnit hurt = damaged();
        assertThat(storage.list("snapshot")).isNotEmpty();
        HandDriven first = HandDriven.open(storage);
        assertThat(first.parts.log().damage().ranges()).as("nobody has looked").isEmpty();
        assertThat(first.parts.verifier().isSound(hurt.position(0), hurt.bytes(0)))
                .isFalse();
        List<Range> found = first.parts.log().damage().ranges();
        assertThat(found).hasSize(1);
        first.parts.finish();

        HandDriven second = HandDriven.open(storage);
        assertThat(second.parts.log().damage().ranges()).isEqualTo(found);
        second.parts.finish();

        storage.flip(FIRST_SEGMENT, (int) hurt.position(0) + 89, 0x40);
        HandDriven restored = HandDriven.open(storage);
        assertThat(restored.parts.log().damage().ranges()).isEmpty();
        assertThat(messages(restored, 0)).contains("1 damaged");
        restored.parts.finish();
        assertThat(HandDriven.open(storage).parts.log().damage().ranges()).isEmpty();
    }

    @Test
    void aPlaceOfDamageIsNotForgottenByAProcessThatHasNotLookedYet() throws IOException {
        TestUnit hurt = damaged();
        HandDriven first = HandDriven.open(storage);
        first.parts.verifier().isSound(hurt.position(0), hurt.bytes(0));
        first.parts.finish();
        StoreParts busy = StoreParts.open(new StoreSurroundings(
                HandDriven.settings(),
                storage,
                Optional.empty(),
                HandDriven.SEGMENT_BYTES,
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                task -> {},
                (where, cause) -> {}));
        assertThat(busy.log().damage().ranges()).isEmpty();
        busy.finish();

        assertThat(HandDriven.open(storage).parts.log().damage().ranges()).hasSize(1);
    }

    /** A message of a closed store, of which a bit has changed since. */
    private TestUnit damaged() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "before"));
        TestUnit hurt = TestUnit.message(store.queue(0), "damaged");
        store.commit(hurt);
        store.commit(TestUnit.message(store.queue(0), "behind"));
        store.parts.finish();
        storage.flip(FIRST_SEGMENT, (int) hurt.position(0) + 89, 0x40);
        return hurt;
    }

    @Test
    void damageOverManyRecordsAndASegmentsEndIsOneHoleInEachFile() {
        HandDriven store = HandDriven.open(storage);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            TestUnit unit = TestUnit.message(store.queue(0), i + "x".repeat(2_000));
            store.commit(unit);
            if (unit.position(0) + 2_200 < 14_000 || unit.position(0) > 18_000) {
                expected.add(i + " " + unit.text(0));
            }
        }
        Arrays.fill(storage.bytes(FIRST_SEGMENT), 14_000, 16_384, (byte) 0x55);
        Arrays.fill(storage.bytes(SECOND_SEGMENT), 0, 1_000, (byte) 0);

        HandDriven opened = HandDriven.open(storage.kill());

        assertThat(messages(opened, 0)).isEqualTo(expected);
        assertThat(opened.parts.log().damage().ranges())
                .extracting(Range::file)
                .containsExactly("memory:" + FIRST_SEGMENT, "memory:" + SECOND_SEGMENT);
    }

    @Test
    void aMissingSegmentIsAHoleOfItsSize() {
        HandDriven store = HandDriven.open(storage);
        for (int i = 0; i < 40; i++) {
            store.commit(TestUnit.ofBytes(store.queue(0), 2_000));
        }
        storage.delete(SECOND_SEGMENT);

        HandDriven opened = HandDriven.open(storage.kill());

        assertThat(opened.parts.log().damage().ranges())
                .containsExactly(new Range(16_384, 32_768, "memory:" + SECOND_SEGMENT));
        assertThat(messages(opened, 0)).hasSize(33);
        assertThat(opened.queue(0).maxOffset()).isEqualTo(40);
        TestUnit next = TestUnit.message(opened.queue(0), "next");
        opened.commit(next);
        assertThat(next.queueOffset(0)).isEqualTo(40);
    }

    @Test
    void anyDamageAnywhereNeverChangesAMessageNorGivesItsOffsetAgain() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            FaultyStorage device = new FaultyStorage();
            HandDriven store = HandDriven.open(device);
            TreeMap<String, String> sent = new TreeMap<>();
            for (int i = 0; i < 60; i++) {
                QueueLog queue = store.queue(random.nextInt(3));
                TestUnit unit = TestUnit.message(queue, i + ":" + "y".repeat(random.nextInt(1_500)));
                store.commit(random.nextInt(4) == 0 ? unit.andState(1, "s" + i) : unit);
                sent.put(queue.queueId() + "#" + unit.queueOffset(0), unit.text(0));
                if (random.nextInt(25) == 0) {
                    store.snapshot();
                }
            }
            // The end is kept: it alone tells that what lies before it was on the device.
            store.commit(TestUnit.message(store.queue(3), "evidence"));
            store.commit(TestUnit.message(store.queue(3), "end"));
            FaultyStorage hurt = device.kill();
            byte[] file = hurt.bytes(hurt.list("log").size() > 2 ? SECOND_SEGMENT : FIRST_SEGMENT);
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                int from = random.nextInt(16_000);
                int length = random.nextBoolean() ? 1 : random.nextInt(300);
                for (int at = from; at < from + length; at++) {
                    file[at] ^= (byte) (1 + random.nextInt(255));
                }
            }
            HandDriven opened = HandDriven.open(hurt);
            TreeMap<String, String> found = new TreeMap<>();
            for (int id = 0; id < 3; id++) {
                for (String message : messages(opened, id)) {
                    String[] parts = message.split(" ", 2);
                    found.put(id + "#" + parts[0], parts[1]);
                }
            }
            assertThat(sent).as("seed %d", seed).containsAllEntriesOf(found);
            assertThat(found).as("seed %d", seed).hasSizeGreaterThan(30);
            assertThat(messages(opened, 3)).as("seed %d", seed).containsExactly("0 evidence", "1 end");
            for (int id = 0; id < 3; id++) {
                TestUnit next = TestUnit.message(opened.queue(id), "next");
                opened.commit(next);
                assertThat(sent.get(id + "#" + next.queueOffset(0)))
                        .as("seed %d queue %d", seed, id)
                        .isNull();
            }
        }
    }

    @Test
    void aRecordInsideTheBodyOfADamagedMessageIsNotTakenForOne() {
        HandDriven other = HandDriven.open(new FaultyStorage());
        for (int i = 0; i < 4; i++) {
            other.commit(TestUnit.message(other.queue(5), "of another log " + i));
        }
        byte[] foreign = Arrays.copyOf(
                other.storage.bytes(FIRST_SEGMENT), (int) other.parts.marks().committed());
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "before"));
        int at = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "z".repeat(foreign.length)));
        int end = (int) store.parts.marks().committed();
        byte[] log = storage.bytes(FIRST_SEGMENT);
        // The body begins behind record header, message head and length; putting the bytes there damages the record.
        System.arraycopy(foreign, 0, log, at + 40 + 88, foreign.length);
        log[at + 1] ^= 1; // and its length is of no help
        store.commit(TestUnit.message(store.queue(0), "behind"));
        store.commit(TestUnit.message(store.queue(0), "end"));

        HandDriven opened = HandDriven.open(storage.kill());

        assertThat(messages(opened, 0)).containsExactly("0 before", "2 behind", "3 end");
        assertThat(opened.parts.log().damage().ranges()).containsExactly(new Range(at, end, "memory:" + FIRST_SEGMENT));
        assertThat(opened.parts.queues().find("T", 5)).isEmpty();
    }

    @Test
    void aLogShorterThanItsSnapshotGoesOnAtTheSnapshot() {
        HandDriven store = HandDriven.open(storage);
        store.commit(new TestUnit().and(store.queue(0), "one", "tag")); // ends with a byte that is not zero
        int first = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "two"), TestUnit.state(1, "kept in the snapshot"));
        int end = (int) store.parts.marks().committed();
        store.snapshot();

        for (int length = 0; length < end; length += 7) {
            FaultyStorage cut = storage.kill();
            cut.truncate(FIRST_SEGMENT, length);
            HandDriven opened = HandDriven.open(cut);
            assertThat(opened.state.applied).as("length %d", length).isEqualTo(store.state.applied);
            assertThat(opened.parts.log().damage().intersects(first, end))
                    .as("length %d", length)
                    .isTrue();
            TestUnit next = TestUnit.message(opened.queue(0), "three");
            opened.commit(next);
            assertThat(next.queueOffset(0)).isEqualTo(2);
            assertThat(next.position(0)).isGreaterThan(end);

            HandDriven again = HandDriven.open(cut.kill());
            assertThat(messages(again, 0))
                    .as("length %d", length)
                    .isEqualTo(length < first ? List.of("2 three") : List.of("0 one", "2 three"));
        }
    }

    @Test
    void aSnapshotBehindManyMissingSegmentsIsStillTheStart() {
        HandDriven store = HandDriven.open(storage);
        for (int i = 0; i < 40; i++) {
            store.commit(TestUnit.ofBytes(store.queue(0), 2_000));
        }
        store.snapshot();
        for (String name : storage.list("log")) {
            if (!name.equals("00000000000000000000")) {
                storage.delete("log/" + name);
            }
        }
        HandDriven opened = HandDriven.open(storage.kill());

        assertThat(opened.queue(0).maxOffset()).isEqualTo(40);
        assertThat(messages(opened, 0)).hasSize(7);
        assertThat(opened.parts.log().damage().bytes()).isGreaterThan(50_000);
        TestUnit next = TestUnit.message(opened.queue(0), "next");
        opened.commit(next);
        assertThat(next.queueOffset(0)).isEqualTo(40);
        assertThat(messages(HandDriven.open(storage.kill()), 0)).hasSize(7);
    }

    @Test
    void aLogShorterThanADamagedSnapshotLosesOnlyWhatIsMissing() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "one"));
        int first = (int) store.parts.marks().committed();
        store.commit(TestUnit.message(store.queue(0), "two"));
        int end = (int) store.parts.marks().committed();
        store.snapshot();
        storage.bytes("snapshot/" + storage.list("snapshot").get(0))[70] ^= 1;
        storage.truncate(FIRST_SEGMENT, first);

        HandDriven opened = HandDriven.open(storage.kill());

        assertThat(messages(opened, 0)).containsExactly("0 one");
        assertThat(opened.parts.log().damage().ranges())
                .containsExactly(new Range(first, end, "memory:" + FIRST_SEGMENT));
        TestUnit next = TestUnit.message(opened.queue(0), "next");
        opened.commit(next);
        assertThat(next.position(0)).isGreaterThan(end);
    }

    @Test
    void aStoreWithoutItsFirstSegmentsServesTheOthers() {
        HandDriven store = HandDriven.open(storage);
        for (int i = 0; i < 40; i++) {
            store.commit(TestUnit.ofBytes(store.queue(0), 2_000));
        }
        storage.delete(FIRST_SEGMENT);
        HandDriven opened = HandDriven.open(storage.kill());
        assertThat(opened.queue(0).minOffset()).isEqualTo(7);
        assertThat(messages(opened, 0)).hasSize(33);
        opened.snapshot();
        assertThat(messages(HandDriven.open(storage.kill()), 0)).hasSize(33);
    }

    @Test
    void onlyAStoreWhoseWholeLogIsGoneIsRefused() {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "one"));
        store.snapshot();
        storage.delete(FIRST_SEGMENT);
        assertThatThrownBy(() -> HandDriven.open(storage))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no segment is left in memory:log though there are snapshots up to position=");
    }

    @Test
    void strayFilesAreLeftAlone() throws Exception {
        HandDriven store = HandDriven.open(storage);
        store.commit(TestUnit.message(store.queue(0), "one"));
        Set<String> strays =
                Set.of("00000000000000000001", "99999999999999999999", "notes.txt", "00000000000000000000.bak");
        for (String stray : strays) {
            storage.open("log/" + stray).close();
        }
        assertThat(messages(HandDriven.open(storage.kill()), 0)).containsExactly("0 one");
        assertThat(storage.list("log")).containsAll(strays);
    }

    @Test
    void searchesByTimeSkipHoles() {
        HandDriven store = HandDriven.open(storage);
        List<TestUnit> units = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            TestUnit unit = TestUnit.message(store.queue(0), "m" + i);
            store.commit(unit);
            units.add(unit);
        }
        for (int lost : new int[] {0, 1, 5, 6, 7}) {
            storage.bytes(FIRST_SEGMENT)[(int) units.get(lost).position(0) + 90] ^= 1;
        }
        HandDriven opened = HandDriven.open(storage.kill());
        QueueLog queue = opened.queue(0);
        long time = units.get(0).storeTimestamp();
        assertThat(messages(opened, 0)).hasSize(7);
        assertThat(queue.offsetByTime(time, TimeBoundary.LOWER)).isEqualTo(2);
        assertThat(queue.offsetByTime(time + 1, TimeBoundary.LOWER)).isEqualTo(12);
        assertThat(queue.offsetByTime(time, TimeBoundary.UPPER)).isEqualTo(11);
    }

    /** Offset and body of what is readable of a queue. */
    static List<String> messages(HandDriven store, int id) {
        List<String> messages = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        QueueLog queue = store.queue(id);
        MessageView view = new MessageView();
        for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
            if (store.parts.verifier().isSound(cursor.position(), cursor.size())) {
                view.wrap(store.parts.log().slice(cursor.position(), cursor.size()), 0);
                assertThat(view.queueOffset()).isEqualTo(cursor.offset());
                messages.add(cursor.offset() + " " + RecordingState.body(view));
            }
        }
        return messages;
    }
}
