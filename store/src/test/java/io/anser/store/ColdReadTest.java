package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.anser.store.file.FaultyStorage;
import io.anser.store.log.DamagedRanges.Range;
import io.anser.store.log.LogVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What lay in files while no process ran is checked before it is handed out. */
class ColdReadTest {
    private static final int MESSAGES = 200;

    private final FaultyStorage storage = new FaultyStorage();
    private final List<TestUnit> units = new ArrayList<>();

    @BeforeAll
    static void beQuiet() {
        ((Logger) LoggerFactory.getLogger("io.anser.store.log.DamagedRanges")).setLevel(Level.OFF);
    }

    @AfterAll
    static void beLoud() {
        ((Logger) LoggerFactory.getLogger("io.anser.store.log.DamagedRanges")).setLevel(null); // as those above it
    }

    /** A store of several segments whose snapshot spares the replay. */
    private FaultyStorage closedStore() {
        HandDriven store = HandDriven.open(storage);
        Random random = new Random(1);
        while (units.size() < MESSAGES) {
            TestUnit unit = TestUnit.message(store.queue(0), units.size() + "x".repeat(random.nextInt(900)));
            store.commit(unit);
            units.add(unit);
        }
        store.parts.finish();
        return storage.kill();
    }

    @Test
    void nothingIsCheckedAfterAStartAndEverythingIsSound() {
        HandDriven opened = HandDriven.open(closedStore());
        LogVerifier verifier = opened.parts.verifier();
        for (TestUnit unit : units) {
            if (unit == units.get(0)) {
                assertThat(verifier.isChecked(unit.position(0), unit.bytes(0))).isFalse();
            }
            assertThat(verifier.isSound(unit.position(0), unit.bytes(0))).isTrue();
            assertThat(verifier.isChecked(unit.position(0), unit.bytes(0))).isTrue();
        }
        TestUnit next = TestUnit.message(opened.queue(0), "written by this process");
        opened.commit(next);
        assertThat(verifier.isChecked(next.position(0), next.bytes(0))).isTrue();
        assertThat(opened.parts.log().damage().ranges()).isEmpty();
    }

    @Test
    void exactlyTheDamagedMessagesAreKeptBackWhateverIsReadFirst() {
        FaultyStorage closed = closedStore();
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            FaultyStorage hurt = closed.kill();
            List<Integer> damaged = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int message = random.nextInt(MESSAGES);
                TestUnit unit = units.get(message);
                // Any byte of the record: its header is before the message.
                long at = unit.position(0) - 40 + random.nextInt(unit.bytes(0) + 40);
                damaged.add(message);
                hurt.bytes(String.format("log/%020d", at - at % HandDriven.SEGMENT_BYTES))[
                                (int) (at % HandDriven.SEGMENT_BYTES)] ^=
                        (byte) (1 << random.nextInt(8));
            }
            HandDriven opened = HandDriven.open(hurt);
            for (int i = 0; i < 2 * MESSAGES; i++) {
                int message = i < MESSAGES ? random.nextInt(MESSAGES) : i - MESSAGES;
                TestUnit unit = units.get(message);
                assertThat(opened.parts.verifier().isSound(unit.position(0), unit.bytes(0)))
                        .as("seed %d message %d of damaged %s", seed, message, damaged)
                        .isEqualTo(!damaged.contains(message));
            }
        }
    }

    @Test
    void aFileCutWhileNobodyRanIsDamagedFromThereOn() {
        FaultyStorage hurt = closedStore();
        hurt.truncate("log/00000000000000016384", 5_000);
        HandDriven opened = HandDriven.open(hurt);
        for (TestUnit unit : units) {
            long until = unit.position(0) + unit.bytes(0);
            boolean lost = unit.position(0) >= 16_384 && unit.position(0) < 32_768 && until > 16_384 + 5_000;
            assertThat(opened.parts.verifier().isSound(unit.position(0), unit.bytes(0)))
                    .isEqualTo(!lost);
        }
        assertThat(opened.parts.log().damage().ranges())
                .singleElement()
                .extracting(Range::until)
                .isEqualTo(32_768L);
    }
}
