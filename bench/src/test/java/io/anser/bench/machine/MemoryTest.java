package io.anser.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private static final int MIB = 1 << 20;

    @Test
    void liveHeapHasWhatIsReachable() throws IOException {
        long pid = ProcessHandle.current().pid();
        long before = Memory.liveHeapBytes(pid);
        byte[][] kept = new byte[64][MIB];

        assertThat(Memory.liveHeapBytes(pid) - before).isBetween(60L * MIB, 80L * MIB);
        assertThat(kept).hasNumberOfRows(64);
    }

    @Test
    void thisProcessCanBeRead() {
        long pid = ProcessHandle.current().pid();

        assertThat(Memory.of(pid).threads()).isPositive();
        assertThat(Memory.deviceReadBytes(pid)).isNotNegative();
    }
}
