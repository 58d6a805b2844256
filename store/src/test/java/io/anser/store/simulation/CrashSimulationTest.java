package io.anser.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.store.HandDriven;
import io.anser.system.Clock;
import io.anser.system.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the simulated store with one seed after the other, from 0 on, on all processors, as long as the time allows.
 *
 * <p>A seed that fails names itself. What it found becomes a case of {@code ScriptedCrashTest}, or of the tests of the part
 * that was wrong, because a seed means something else when the simulation changes.
 *
 * <p>System properties: {@code crash.seconds} (default 120) is that time; {@code crash.seeds} (default 0) are run even when
 * they take longer; {@code crash.first} (default 0) is where to begin; {@code crash.seed} runs one seed only and prints all
 * that happens in it.
 */
class CrashSimulationTest {
    private static final int SECONDS = Integer.getInteger("crash.seconds", 120);
    private static final long SEEDS_MIN = Long.getLong("crash.seeds", 0);
    private static final long FIRST_SEED = Long.getLong("crash.first", 0);

    private final Clock clock = Clock.system();
    private final Counts counts = new Counts();
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void nothingPromisedIsLostOrChangedWhateverHappens() throws InterruptedException {
        HandDriven.quietRecovery();
        Long only = Long.getLong("crash.seed");
        if (only != null) {
            run(only, System.out::println);
        } else {
            runAsManyAsFit();
        }
        System.out.println("crash simulation: " + counts + " failures=" + failures.size());
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.get(0).getMessage(), failures.get(0));
        }
        assertThat(counts.of(Counts.What.SEEDS)).isPositive();
    }

    private void runAsManyAsFit() throws InterruptedException {
        long deadline = clock.nanos() + TimeUnit.SECONDS.toNanos(SECONDS);
        AtomicLong next = new AtomicLong(FIRST_SEED);
        int processors = Runtime.getRuntime().availableProcessors();
        ExecutorService workers =
                Threads.workers("worker-simulation", processors, processors, (where, cause) -> failures.add(cause));
        for (int worker = 0; worker < processors; worker++) {
            workers.execute(() -> {
                while (failures.isEmpty() && (clock.nanos() < deadline || next.get() < FIRST_SEED + SEEDS_MIN)) {
                    run(next.getAndIncrement(), line -> {});
                }
            });
        }
        workers.shutdown();
        assertThat(workers.awaitTermination(1, TimeUnit.HOURS)).isTrue();
    }

    private void run(long seed, Consumer<String> trace) {
        try {
            new Simulation(seed, counts, trace).run();
        } catch (Throwable e) {
            failures.add(new AssertionError(
                    "seed=" + seed + " failed, run it again with -Dcrash.seed=" + seed + ": " + e.getMessage(), e));
        }
    }
}
