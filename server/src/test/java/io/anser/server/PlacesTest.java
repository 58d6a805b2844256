package io.anser.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.server.settings.ApachePlaces;
import io.anser.server.settings.SettingsException;
import io.anser.server.settings.SettingsLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacesTest {
    private static final Optional<Path> NO_DATA = Optional.empty();
    private static final Optional<String> NO_LISTEN = Optional.empty();

    @TempDir
    private Path folder;

    @Test
    void withoutAFileTheFlagsAndTheDefaultsDecide() {
        assertThat(Places.of(Role.BROKER, NO_DATA, NO_LISTEN, ApachePlaces.NONE))
                .isEqualTo(new Places(Path.of("anser-data"), new ListenAddress("127.0.0.1", 10911), List.of()));
        assertThat(Places.of(Role.SERVER, Optional.of(Path.of("/d")), Optional.of("h:1"), ApachePlaces.NONE))
                .isEqualTo(new Places(Path.of("/d"), new ListenAddress("h", 1), List.of()));
    }

    @Test
    void anApacheFileGivesTheDataAndThePort() throws IOException {
        Places places = Places.of(
                Role.SERVER,
                NO_DATA,
                NO_LISTEN,
                file(
                        "storePathRootDir=/rocketmq/store",
                        "storePathCommitLog=/rocketmq/store/commitlog/",
                        "listenPort=10911"));

        assertThat(places.data()).isEqualTo(Path.of("/rocketmq/store"));
        assertThat(places.listen()).isEqualTo(new ListenAddress("127.0.0.1", 10911));
        assertThat(places.remarks())
                .containsExactly(
                        "the data is in storePathRootDir=/rocketmq/store of the file",
                        "the port is listenPort=10911 of the file, the host 127.0.0.1 unless --listen says another");
    }

    @Test
    void flagsWinOverAnApacheFileAndSaySo() throws IOException {
        Places places = Places.of(
                Role.BROKER,
                Optional.of(Path.of("/new")),
                Optional.of("0.0.0.0:9876"),
                file("storePathRootDir=/old", "storePathCommitLog=/old/commitlog", "listenPort=10911"));

        assertThat(places.data()).isEqualTo(Path.of("/new"));
        assertThat(places.listen()).isEqualTo(new ListenAddress("0.0.0.0", 9876));
        assertThat(places.remarks())
                .containsExactly(
                        "--data /new is used, not storePathRootDir=/old of the file",
                        "--listen 0.0.0.0:9876 is used, not listenPort=10911 of the file");
    }

    @Test
    void flagsThatSayTheSameAsTheFileNeedNoWord() throws IOException {
        assertThat(Places.of(
                                Role.BROKER,
                                Optional.of(Path.of("/old/")),
                                Optional.of("h:10911"),
                                file("storePathRootDir=/old", "listenPort=10911"))
                        .remarks())
                .isEmpty();
    }

    @Test
    void aCommitLogOutsideTheStoreIsRefused() throws IOException {
        ApachePlaces apart = file("storePathRootDir=/store", "storePathCommitLog=/fast/commitlog");

        assertThatThrownBy(() -> Places.of(Role.BROKER, NO_DATA, NO_LISTEN, apart))
                .isInstanceOf(SettingsException.class)
                .hasMessage("storePathCommitLog=/fast/commitlog is not /store/commitlog: the commit log must be in the"
                        + " folder commitlog of the store, move it there or remove the line");
        ApachePlaces alone = file("storePathCommitLog=/fast/commitlog");
        assertThatThrownBy(() -> Places.of(Role.BROKER, NO_DATA, NO_LISTEN, alone))
                .isInstanceOf(SettingsException.class);
        assertThat(Places.of(Role.BROKER, Optional.of(Path.of("/fast")), NO_LISTEN, alone)
                        .data())
                .isEqualTo(Path.of("/fast"));
    }

    @Test
    void aPortThatIsNoneIsRefused() {
        assertThatThrownBy(() -> file("listenPort=99999"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("listenPort=99999 is no port; 0 to 65535 is allowed");
    }

    /** What the settings say of such a file, which has nothing that is ignored. */
    private ApachePlaces file(String... lines) throws IOException {
        Path file = Files.write(folder.resolve("broker.conf"), List.of(lines));
        var settings = SettingsLoader.load(ServerProcess.catalog(), Optional.of(file), Map.of(), List.of());
        assertThat(settings.ignored()).isEmpty();
        return settings.apachePlaces();
    }
}
