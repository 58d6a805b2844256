package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.file.FaultyStorage;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Crashes that are worth a name, step by step; the simulation finds others. */
class ScriptedCrashTest {
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
}
