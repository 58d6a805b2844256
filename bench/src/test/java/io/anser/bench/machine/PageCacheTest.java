package io.anser.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {
    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    @Test
    void foldersThatDoNotExistOccupyNothing() throws IOException {
        Path some = Files.createDirectories(folder.resolve("a/b"));
        Files.write(some.resolve("file"), new byte[MIB]);

        long bytes = PageCache.occupied(List.of(folder.resolve("a"), folder.resolve("none")));

        assertThat(bytes).isBetween((long) MIB, 2L * MIB);
        assertThat(PageCache.occupied(List.of(folder.resolve("none")))).isZero();
    }

    @Test
    void whatWasDroppedCanBeReadAgain() throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[MIB]);

        PageCache.drop(folder);

        assertThat(file).hasSize(MIB);
        assertThat(Files.readAllBytes(file)).containsOnly(0);
    }
}
