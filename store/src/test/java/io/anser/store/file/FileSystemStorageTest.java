package io.anser.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FileSystemStorageTest {
    @TempDir
    private Path directory;

    @Test
    void nothingIsChangedAfterTheClose() throws IOException {
        FileSystemStorage storage = new FileSystemStorage(directory);
        StoreFile file = storage.open("folder/file");
        storage.openLocked("locked");
        file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);

        storage.close();

        assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[] {4}), 0))
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> storage.open("other")).hasMessage("the storage is closed");
        assertThatThrownBy(() -> storage.openLocked("locked")).hasMessage("the storage is closed");
        assertThatThrownBy(() -> storage.delete("folder/file")).hasMessage("the storage is closed");
        assertThatThrownBy(() -> storage.rename("folder/file", "moved")).hasMessage("the storage is closed");
        assertThat(directory.resolve("other")).doesNotExist();
        assertThat(directory.resolve("folder/file")).hasBinaryContent(new byte[] {1, 2, 3});
        try (FileSystemStorage next = new FileSystemStorage(directory)) {
            assertThat(next.openLocked("locked")).isNotNull(); // the lock went with the file
        }
    }

    @Test
    void aLockedFileIsNotOpenedTwice() throws IOException {
        try (FileSystemStorage storage = new FileSystemStorage(directory);
                FileSystemStorage other = new FileSystemStorage(directory)) {
            assertThat(storage.openLocked("locked")).isNotNull();

            assertThatThrownBy(() -> other.openLocked("locked"))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("the store is in use: " + directory.resolve("locked") + " is held by this process");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // which does not let go of the name of an open file
    void aFileKnowsWhetherItStillHasItsName() throws IOException {
        try (FileSystemStorage storage = new FileSystemStorage(directory)) {
            StoreFile file = storage.open("log/file");
            assertThat(file.isInPlace()).isTrue();
            Files.move(directory.resolve("log"), directory.resolve("log.moved"));
            assertThat(file.isInPlace()).isFalse();
            StoreFile other = storage.open("log/file");
            assertThat(file.isInPlace()).isFalse();
            assertThat(other.isInPlace()).isTrue();
        }
    }
}
