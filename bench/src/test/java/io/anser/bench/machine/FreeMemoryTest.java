package io.anser.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeMemoryTest {
    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    @Test
    void fillingOccupiesNothingOnTheDeviceAndLeavesNothingBehind() throws IOException {
        try (FreeMemory memory = new FreeMemory(folder)) {
            assertThat(memory.read(3 * MIB + 1)).isEqualTo(4 * MIB);
            assertThat(memory.read(2 * MIB)).isEqualTo(2 * MIB);

            assertThat(PageCache.occupied(List.of(folder))).isLessThan(MIB);
        }
        assertThat(folder).isEmptyDirectory();
    }
}
