package io.anser.transport.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {
    @TempDir
    private Path folder;

    @Test
    void aSecretThatWasMadeIsForItsOwnerAloneAndCanBeRead() throws IOException {
        Path file = folder.resolve("secret");
        ClusterSecret.make(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(file)).matches("[0-9a-f]{64}\n");
        assertThat(ClusterSecret.read(file).codeOf(new byte[] {1})).hasSize(32);
    }

    @Test
    void aSecretIsNeverOverwritten() throws IOException {
        Path file = folder.resolve("secret");
        ClusterSecret.make(file);
        String before = Files.readString(file);

        assertThatThrownBy(() -> ClusterSecret.make(file))
                .hasMessage(file + " is there already; a secret is never overwritten");
        assertThat(Files.readString(file)).isEqualTo(before);
    }

    @Test
    void aSecretThatOthersCanReadIsRefusedByPathAndMode() throws IOException {
        Path file = folder.resolve("secret");
        ClusterSecret.make(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> ClusterSecret.read(file))
                .isInstanceOf(SecretException.class)
                .hasMessageContaining("cluster.secret=" + file + " has the mode rw-r-----")
                .hasMessageContaining("chmod 600 " + file);
    }

    @Test
    void aShortSecretIsRefusedWithoutShowingIt() throws IOException {
        Path file = write("hunter2-is-too-short\n");

        assertThatThrownBy(() -> ClusterSecret.read(file))
                .hasMessage("cluster.secret=" + file + " is too short: it has characters=20, at least 32 are needed");
    }

    @Test
    void aMissingSecretSaysHowToMakeIt() {
        Path file = folder.resolve("none");

        assertThatThrownBy(() -> ClusterSecret.read(file)).hasMessageContaining("anser cluster secret " + file);
    }

    @Test
    void blanksAroundASecretDoNotCount() throws IOException {
        ClusterSecret one = ClusterSecret.read(write("0123456789abcdef0123456789abcdef"));
        ClusterSecret other = ClusterSecret.read(write("  0123456789abcdef0123456789abcdef\n\n"));

        assertThat(one.codeOf(new byte[] {7})).isEqualTo(other.codeOf(new byte[] {7}));
        assertThat(one).hasToString("ClusterSecret");
    }

    private Path write(String text) throws IOException {
        Path file = Files.createTempFile(
                folder, "s", "", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }
}
