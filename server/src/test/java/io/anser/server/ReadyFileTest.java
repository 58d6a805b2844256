package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadyFileTest {
    @TempDir
    Path folder;

    @Test
    void appearsWithTheProcessIdAndGoesWithTheServer() throws IOException {
        Path path = folder.resolve("ready");
        ReadyFile file = ReadyFile.prepare(path);
        assertThat(path).doesNotExist();

        file.announce();
        assertThat(path).hasContent(Long.toString(ProcessHandle.current().pid()));

        file.remove();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anEarlierServersFileIsGoneBeforeTheNextServes() throws IOException {
        Path path = Files.writeString(folder.resolve("ready"), "4711");

        ReadyFile.prepare(path);

        assertThat(path).doesNotExist();
    }

    @Test
    void aFolderThatIsNotThereIsToldBeforeTheStart() {
        Path path = folder.resolve("none").resolve("ready");

        assertThatThrownBy(() -> ReadyFile.prepare(path))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(path.toString());
    }
}
