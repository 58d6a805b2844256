package io.anser.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.system.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsLoaderTest {
    enum Level {
        DISK,
        MEMORY
    }

    record Fixture(
            @Setting(key = "store.durability", text = "How safe.", alias = "flushDiskType")
            Level durability,

            @Setting(key = "store.segment-bytes", text = "How big.", unit = "bytes", min = 1024, max = 1 << 30)
            int segmentBytes,

            @Setting(key = "broker.nameservers", text = "Where.", alias = "namesrvAddr")
            List<String> nameservers,

            @Setting(key = "broker.auto-create", text = "Whether.")
            boolean autoCreate,

            Path notASetting) {
        Fixture {
            if (segmentBytes == 4096 && !autoCreate) {
                throw new IllegalArgumentException("4096 needs auto-create");
            }
        }

        public static Fixture defaults() {
            return new Fixture(Level.DISK, 1 << 20, List.of(), true, Path.of("given"));
        }
    }

    private static final SettingsCatalog CATALOG = SettingsCatalog.of(List.of(Fixture.class));

    @TempDir
    Path folder;

    @Test
    void takesDefaultsWhenNothingIsSet() {
        assertThat(load().as(Fixture.class)).isEqualTo(Fixture.defaults());
    }

    @Test
    void laterSourcesOverrideEarlierOnes() throws IOException {
        Path file = write("anser.yaml", "store:\n  durability: memory\n  segment-bytes: 2MiB\n");

        Settings settings = SettingsLoader.load(
                CATALOG,
                Optional.of(file),
                Map.of("ANSER_STORE_SEGMENT_BYTES", "4MiB", "ANSER_HOME", "ignored"),
                List.of("broker.nameservers=a:1;b:2"));

        Fixture bound = settings.as(Fixture.class);
        assertThat(bound.durability()).isEqualTo(Level.MEMORY);
        assertThat(bound.segmentBytes()).isEqualTo(4 << 20);
        assertThat(bound.nameservers()).containsExactly("a:1", "b:2");
        assertThat(originOf(settings, "store.segment-bytes")).isEqualTo("environment ANSER_STORE_SEGMENT_BYTES");
        assertThat(originOf(settings, "store.durability")).isEqualTo("file " + file);
        assertThat(originOf(settings, "broker.auto-create")).isEqualTo("default");
    }

    @Test
    void refusesAnUnknownKeyAndSuggestsTheNearest() {
        assertThatThrownBy(() -> load("store.durabilty=disk"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("unknown setting store.durabilty (--set); did you mean store.durability?");
    }

    @Test
    void refusesAnEnvironmentNameThatBeginsLikeASettingAndIsNone() {
        Map<String, String> environment = Map.of("ANSER_STORE_DURABILTY", "disk", "ANSER_HEAP", "1g", "HOME", "/");

        assertThatThrownBy(() -> SettingsLoader.load(CATALOG, Optional.empty(), environment, List.of()))
                .hasMessage("unknown setting store.durabilty (environment ANSER_STORE_DURABILTY);"
                        + " did you mean store.durability?");
    }

    @Test
    void refusesANumberOutsideItsRange() {
        assertThatThrownBy(() -> load("store.segment-bytes=100"))
                .hasMessage("setting store.segment-bytes=100 is outside its range 1024 to 1073741824");
    }

    @Test
    void refusesAValueOfTheWrongType() {
        assertThatThrownBy(() -> load("store.segment-bytes=many")).hasMessageContaining("is not a number");
        assertThatThrownBy(() -> load("broker.auto-create=yes")).hasMessageContaining("neither true nor false");
        assertThatThrownBy(() -> load("store.durability=paper").as(Fixture.class))
                .hasMessage("setting store.durability=paper is none of disk, memory");
        assertThatThrownBy(() -> load("store.durability")).hasMessageContaining("not of the form key=value");
    }

    @Test
    void reportsWhatTheRecordItselfRefuses() {
        assertThatThrownBy(() -> load("store.segment-bytes=4096", "broker.auto-create=false")
                        .as(Fixture.class))
                .hasMessage("the settings do not fit together: 4096 needs auto-create");
    }

    @Test
    void understandsAnApacheFileAndListsWhatItIgnored() throws IOException {
        Path file = write("broker.conf", "flushDiskType=ASYNC_FLUSH\nnamesrvAddr=h:9876\ndeleteWhen=04\n");

        Settings settings = SettingsLoader.load(CATALOG, Optional.of(file), Map.of(), List.of());

        assertThat(settings.as(Fixture.class).durability()).isEqualTo(Level.MEMORY);
        assertThat(settings.as(Fixture.class).nameservers()).containsExactly("h:9876");
        assertThat(settings.ignored()).singleElement().asString().startsWith("deleteWhen=04");
    }

    @Test
    void refusesAnUnreadableFileWithItsName() throws IOException {
        Path broken = write("broken.yaml", "store: [1, 2\n");

        assertThatThrownBy(() -> SettingsLoader.load(CATALOG, Optional.of(broken), Map.of(), List.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(broken.toString());
        assertThatThrownBy(() ->
                        SettingsLoader.load(CATALOG, Optional.of(folder.resolve("none.yaml")), Map.of(), List.of()))
                .hasMessageContaining("none.yaml");
    }

    private static Settings load(String... assignments) {
        return SettingsLoader.load(CATALOG, Optional.empty(), Map.of(), List.of(assignments));
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String originOf(Settings settings, String key) {
        return settings.all().stream()
                .filter(each -> each.definition().key().equals(key))
                .findFirst()
                .orElseThrow()
                .origin();
    }
}
