package io.anser.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
    private final VirtualTime time = new VirtualTime(1_000);
    private final List<String> ran = new ArrayList<>();

    @Test
    void runsTasksInDueOrderEachAtItsOwnTime() {
        time.schedule(200, () -> ran.add("b@" + time.wallMillis()));
        time.schedule(100, () -> ran.add("a@" + time.wallMillis()));

        time.advance(Duration.ofMillis(150));
        assertThat(ran).containsExactly("a@1100");

        time.advance(Duration.ofMillis(50));
        assertThat(ran).containsExactly("a@1100", "b@1200");
    }

    @Test
    void runsTasksThatADueTaskSchedulesOnTheWay() {
        time.schedule(10, () -> time.schedule(10, () -> ran.add("inner@" + time.wallMillis())));

        time.advance(Duration.ofMillis(100));

        assertThat(ran).containsExactly("inner@1020");
    }

    @Test
    void repeatsUntilCancelled() {
        Cancellable repetition = time.every(10, () -> ran.add("tick"));
        time.advance(Duration.ofMillis(35));
        repetition.cancel();
        time.advance(Duration.ofMillis(100));

        assertThat(ran).hasSize(3);
    }

    @Test
    void neverRunsACancelledTask() {
        List<Cancellable> tasks = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            tasks.add(time.schedule(i, () -> ran.add("cancelled")));
        }
        time.schedule(500, () -> ran.add("kept"));
        tasks.forEach(Cancellable::cancel);
        tasks.forEach(Cancellable::cancel);

        time.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("kept");
    }

    @Test
    void stepsTheWallClockWithoutTouchingTheMonotonicOne() {
        time.stepWallClock(Duration.ofHours(-1));

        assertThat(time.wallMillis()).isEqualTo(1_000 - 3_600_000);
        assertThat(time.nanos()).isZero();
    }
}
