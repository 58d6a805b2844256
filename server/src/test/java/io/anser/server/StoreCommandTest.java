package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.server.settings.SettingsLoader;
import io.anser.server.store.StoreCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The exit codes and texts of {@code anser store check} and {@code dump}. */
class StoreCommandTest {
    @TempDir
    private Path data;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void aStoreIsRefusedWhileItIsUsedSoundAfterwardsAndDamagedOnceItIsHurt() throws Exception {
        assertThat(run("check", "--data", data.toString())).isEqualTo(2);
        ServerProcess server = ServerProcess.start(
                Role.SERVER,
                SettingsLoader.load(
                        ServerProcess.catalog(), Optional.empty(), Map.of(), List.of("store.segment-bytes=1048576")),
                new ListenAddress("127.0.0.1", 0),
                data);
        try (server) {
            assertThat(run("check", "--data", data.toString())).isEqualTo(2);
            assertThat(run("dump", "--data", data.toString())).isEqualTo(2);
        }

        assertThat(run("check", "--data", data.toString())).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("verdict     sound");
        assertThat(run("dump", "--data", data.toString())).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("POSITION")
                .contains("(broker started)");

        Path log = data.resolve("log/00000000000000000000");
        byte[] bytes = Files.readAllBytes(log);
        bytes[20] ^= 1;
        Files.write(log, bytes);
        assertThat(run("check", "--data", data.toString(), "--output", "json")).isEqualTo(1);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("{\"sound\":false,")
                .contains("\"damage\":[{\"file\":\"");
        assertThat(run("dump", "--data", data.toString())).isEqualTo(1);
        assertThat(run("dump", "--data", data.toString(), "--limit", "0")).isEqualTo(2);
        assertThat(run("check", "--no-such-flag")).isEqualTo(2);
    }

    private int run(String... arguments) {
        printed.reset();
        PrintStream out = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            return new CommandLine(new StoreCommand())
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .execute(arguments);
        } finally {
            System.setOut(out);
        }
    }
}
