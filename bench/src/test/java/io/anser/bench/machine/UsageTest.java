package io.anser.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
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

        Usage usage = Usage.ofMachine(fields, 0.5, 0.7, Map.of());

        assertThat(usage.machine()).isEqualTo(1.6);
        assertThat(usage.stolen()).isEqualTo(0.4);
        assertThat(usage.stolenShare()).isCloseTo(0.4 / 15.4, within(1e-9));
        assertThat(usage.capacity()).isCloseTo(15.4, within(1e-9));
    }

    @Test
    void runIsQuietWhileOthersUseAtMostATwentieth() {
        Usage before = new Usage(100, 1000, 0, 10, 20, Map.of());

        assertThat(new Usage(120, 1100, 7, 25, 35.1, Map.of()).since(before).isQuiet())
                .isTrue();
        assertThat(new Usage(120, 1100, 7, 25, 34.9, Map.of()).since(before).isQuiet())
                .isFalse();
    }

    @Test
    void runIsNotQuietWhenTheHostTakesOverATenth() {
        Usage before = new Usage(100, 1000, 0, 10, 20, Map.of());

        assertThat(new Usage(120, 1100, 9.9, 25, 40, Map.of()).since(before).isQuiet())
                .isTrue();
        assertThat(new Usage(120, 1100, 10.1, 25, 40, Map.of()).since(before).isQuiet())
                .isFalse();
    }

    @Test
    void threadsOfTheKernelAreNotOthers() {
        Usage before = new Usage(100, 1000, 0, 10, 20, Map.of(7L, 3.0, 8L, 5.0));

        // Thread 8 has ended, thread 9 is new.
        Usage used = new Usage(120, 1100, 7, 20, 30, Map.of(7L, 7.0, 9L, 2.0)).since(before);

        assertThat(used.kernel()).isEqualTo(6.0);
        assertThat(used.kernelShare()).isEqualTo(0.06);
        assertThat(used.othersShare()).isEqualTo(0.04);
    }

    @Test
    void threadsOfTheKernelAreChildrenOfProcessTwo() {
        assertThat(Usage.isKernelThread("33 (kworker/0:1 x) I 2 0 0 0 -1 69238880 0 0 0 0 0 150 0 0 20 0 1 0"))
                .isTrue();
        assertThat(Usage.isKernelThread("33 (kworker) 2) S 1 0 0 0 -1 69238880 0 0 0 0 0 150 0 0 20 0 1 0"))
                .isFalse();
    }

    @Test
    void childrenThatHaveEndedAreOurs() {
        String line = "4711 (java) S 1 1 1 0 -1 4194560 9 9 9 9 250 150 70 30 20 0 99 0 1";

        assertThat(Usage.secondsIn(line)).isEqualTo(4.0);
        assertThat(Usage.withEndedIn(line)).isEqualTo(5.0);
    }

    @Test
    void ownTimeThatIsCountedLaterIsNoTimeOfOthers() {
        assertThat(new Usage(10, 100, 0, 11, 11, Map.of()).othersShare()).isZero();
    }

    @Test
    void thisMachineCanBeRead() {
        Usage usage = Usage.read(List.of(ProcessHandle.current().pid()), List.of());

        assertThat(usage.capacity()).isGreaterThan(usage.machine());
        assertThat(usage.own()).isGreaterThanOrEqualTo(usage.server());
    }
}
