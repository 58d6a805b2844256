package io.anser.store.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.store.file.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreHomeTest {
    @TempDir
    Path directory;

    @Test
    void anEmptyDirectoryIsItsOwn() {
        assertThat(StoreHome.of(directory).own()).isEqualTo(directory);
        assertThat(StoreHome.of(directory).apache()).isEmpty();
    }

    @Test
    void inAnApacheDirectoryOurFilesAreInAFolder() throws IOException {
        Files.createDirectories(directory.resolve("commitlog"));

        assertThat(StoreHome.of(directory).own()).isEqualTo(directory.resolve("anser"));
        assertThat(StoreHome.of(directory).apache()).contains(directory);
    }

    @Test
    void anAdoptedStoreStaysOneWithoutTheApacheLog() throws IOException {
        Files.createDirectories(directory.resolve("anser/log"));
        assertThat(StoreHome.of(directory).own()).isEqualTo(directory); // any folder may be called so
        Files.createFile(directory.resolve("anser/VERSION"));

        assertThat(StoreHome.of(directory).own()).isEqualTo(directory.resolve("anser"));
    }

    @Test
    void anApacheBrokerThatRunsKeepsUsAway() throws IOException {
        Files.createDirectories(directory.resolve("commitlog"));
        Path lock = Files.writeString(directory.resolve("lock"), "lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.lock(0, 1, false)) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> StoreHome.of(directory).lock(0))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the store is in use: " + lock);
        }
        try (Closeable ours = StoreHome.of(directory).lock(0)) {
            assertThat(ours).isNotNull();
        }
        assertThat(lock).hasContent("lock");
    }
}
