package io.anser.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class UsageTest {
    @Test
    void nameOfAProcessMayHoldAnything() {
        String line = "4711 (a) b (c)) S 1 1 1 0 -1 4194560 9 9 9 9 250 150 7 7 20 0 99 0 1";

        assertThat(Usage.secondsIn(line)).isEqualTo(4.0);
    }

    @Test
    void timeOfInterruptsIsNobodys() {
        // user, nice, system, idle, iowait, irq, softirq, steal
        String[] fields = "cpu 100 10 50 1000 300 20 20 40 0 0".split(" ");

        Usage usage = Usage.ofMachine(fields, 0.5, 0.7);

        assertThat(usage.machine()).isEqualTo(2.0);
        assertThat(usage.capacity()).isCloseTo(15.4, within(1e-9));
    }

    @Test
    void runIsQuietWhileOthersUseAtMostATwentieth() {
        Usage before = new Usage(100, 1000, 10, 20);

        assertThat(new Usage(120, 1100, 25, 35.1).since(before).isQuiet()).isTrue();
        assertThat(new Usage(120, 1100, 25, 34.9).since(before).isQuiet()).isFalse();
    }

    @Test
    void ownTimeThatIsCountedLaterIsNoTimeOfOthers() {
        assertThat(new Usage(10, 100, 11, 11).othersShare()).isZero();
    }

    @Test
    void thisMachineCanBeRead() {
        Usage usage = Usage.read(ProcessHandle.current().pid(), List.of());

        assertThat(usage.capacity()).isGreaterThan(usage.machine());
        assertThat(usage.own()).isGreaterThanOrEqualTo(usage.server());
    }
}
