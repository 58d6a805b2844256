package io.anser.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.server.settings.Settings;
import io.anser.server.settings.SettingsException;
import io.anser.server.settings.SettingsLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
    @TempDir
    Path data;

    @Test
    void addressThatIsNotOfThisMachineIsNotCalledTaken() {
        Settings settings = SettingsLoader.load(ServerProcess.catalog(), Optional.empty(), Map.of(), List.of());

        // Of a range for documentation, which no machine has.
        assertThatThrownBy(() -> ServerProcess.start(Role.SERVER, settings, new ListenAddress("192.0.2.1", 0), data))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("cannot listen on")
                .hasMessageNotContaining("another server");
    }

    @Test
    void addressToAdvertiseThatMakesNoSenseIsNamed() {
        Settings settings = SettingsLoader.load(
                ServerProcess.catalog(), Optional.empty(), Map.of(), List.of("broker.advertise=here:there"));

        assertThatThrownBy(() -> ServerProcess.start(Role.SERVER, settings, new ListenAddress("127.0.0.1", 0), data))
                .isInstanceOf(SettingsException.class)
                .hasMessage("broker.advertise=here:there: expected host:port");
    }
}
