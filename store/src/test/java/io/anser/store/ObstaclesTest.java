package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.anser.store.file.FaultyStorage;
import io.anser.store.file.FaultyStorage.Operation;
import io.anser.store.file.FaultyStorage.Verdict;
import io.anser.store.file.StoreException;
import io.anser.store.key.KeyQuery;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Something that cannot be used in place of a file that can be made again does not stop a start. */
class ObstaclesTest {
    private static final int MESSAGES = 400;

    private static final int SEGMENT_BYTES = 64 << 10;
    private static final Path NOWHERE = Path.of("/nowhere/at/all");

    @TempDir
    private Path data;

    private final List<String> faults = new ArrayList<>();
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.anser.store");
    private Level level;

    @BeforeEach
    void listen() {
        told.start();
        level = logger.getLevel();
        logger.addAppender(told);
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(told);
        logger.setAdditive(true);
        logger.setLevel(level);
    }

    private MessageStore open() {
        return MessageStore.open(
                StoreSettings.defaults().withDirectory(data).withSegmentBytes(SEGMENT_BYTES),
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> faults.add(where + ": " + cause));
    }

    private void fill() {
        try (MessageStore store = open()) {
            append(store, MESSAGES);
        }
    }

    private static void append(MessageStore store, int messages) {
        for (int i = 0; i < messages; i++) {
            TestUnit unit = new TestUnit().and(store.queue("T", 0), "x".repeat(300), "tag", "key");
            store.append(unit);
            unit.await();
            assertThat(unit.isCommitted()).isTrue();
        }
    }

    /** The store opens, has everything, takes more, closes, and opens again. */
    private void assertServes() {
        try (MessageStore store = open()) {
            assertHas(store, MESSAGES);
            append(store, MESSAGES);
        } // with a snapshot, and a file of keys
        try (MessageStore store = open()) {
            assertHas(store, 2 * MESSAGES);
        }
        assertThat(faults).isEmpty();
    }

    private static void assertHas(MessageStore store, int messages) {
        List<String> found = new ArrayList<>();
        store.forEachMessage(message -> found.add("one"));
        assertThat(found).hasSize(messages);
        assertThat(store.queue("T", 0).maxOffset()).isEqualTo(messages);
        assertThat(store.find(KeyQuery.of("T", "key"))).hasSize(messages);
    }

    private List<String> files(String folder) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve(folder))) {
            return files.map(file -> folder + "/" + file.getFileName()).sorted().toList();
        }
    }

    private void putDirectory(String name) throws IOException {
        Files.deleteIfExists(data.resolve(name));
        Files.createDirectories(data.resolve(name));
        Files.writeString(data.resolve(name).resolve("somebody's"), "text");
    }

    private void assertSetAside(String name) {
        assertThat(data.resolve(name + ".aside").resolve("somebody's")).hasContent("text");
        assertThat(told.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.contains("file=" + data.resolve(name) + " "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"index", "snapshot"})
    void directoriesInPlaceOfAllFilesOfAFolder(String folder) throws IOException {
        fill();
        List<String> files = files(folder);
        assertThat(files).isNotEmpty();
        for (String file : files) {
            putDirectory(file);
        }

        assertServes();
        files.forEach(this::assertSetAside);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "index/queue-pages-0000000000",
                "index/queue-pages-0000000001",
                "index/keys-new",
                "index/keys-merged",
                "snapshot/new",
                "snapshot/00000000000000000000"
            })
    void aDirectoryWhereAFileIsMadeLater(String name) throws IOException {
        fill();
        putDirectory(name);

        assertServes();
        assertSetAside(name);
    }

    @Test
    void aDirectoryWhereTheNextSegmentOfTheLogIsMade() throws IOException {
        fill();
        List<String> segments = files("log");
        String next = String.format("log/%020d", (long) segments.size() * SEGMENT_BYTES);
        putDirectory(next);

        assertServes();
        assertSetAside(next);
    }

    @Test
    void aDirectoryBetweenSegmentsIsASegmentThatIsMissing() throws IOException {
        fill();
        putDirectory("log/00000000000000065536");

        try (MessageStore store = open()) {
            append(store, 1);
            assertThat(store.queue("T", 0).maxOffset()).isEqualTo(MESSAGES + 1);
            assertThat(store.damage()).hasSize(1);
        }
        assertSetAside("log/00000000000000065536");
    }

    @ParameterizedTest
    @ValueSource(strings = {"index", "snapshot"})
    void aFileInPlaceOfAFolder(String folder) throws IOException {
        fill();
        for (String file : files(folder)) {
            Files.delete(data.resolve(file));
        }
        Files.delete(data.resolve(folder));
        Files.writeString(data.resolve(folder), "text");

        assertServes();
        assertThat(data.resolve(folder + ".aside")).hasContent("text");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // where links are for administrators
    void linksThatLeadNowhereInPlaceOfTheIndex() throws IOException {
        fill();
        for (String file : files("index")) {
            Files.delete(data.resolve(file));
            Files.createSymbolicLink(data.resolve(file), NOWHERE);
        }

        assertServes();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // as above
    void aLinkThatLeadsNowhereInPlaceOfTheFolderOfTheIndex() throws IOException {
        fill();
        Files.move(data.resolve("index"), data.resolve("moved"));
        Files.createSymbolicLink(data.resolve("index"), NOWHERE);

        assertServes();
    }

    /** Somebody has moved it to another device, which is not mounted now. */
    @ParameterizedTest
    @ValueSource(
            strings = {"snapshot", "log", "snapshot/<newest>", "log/00000000000000000000", "log/00000000000000131072"})
    @DisabledOnOs(OS.WINDOWS) // as above
    void aLinkThatLeadsNowhereStopsTheStartWhereTheStoreMayHaveTheOnlyCopy(String place) throws IOException {
        fill();
        List<String> snapshots = files("snapshot").stream()
                .filter(name -> name.matches(".*/\\d+"))
                .toList();
        Path path = data.resolve(place.replace("snapshot/<newest>", snapshots.get(snapshots.size() - 1)));
        Path moved = data.resolve("moved");
        Files.move(path, moved);
        Files.createSymbolicLink(path, NOWHERE);
        putDirectory("index/keys-new");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(path + " is a link to " + NOWHERE)
                .hasMessageContaining("bring that back")
                .hasMessageContaining("or remove the link to start without");

        assertThat(Files.readSymbolicLink(path)).isEqualTo(NOWHERE);
        assertThat(data.resolve("index/keys-new")).as("nothing was changed").isDirectory();
        Files.delete(path);
        Files.createSymbolicLink(path, moved);
        assertServes();
    }

    @Test
    void whatWasSetAsideOnceIsKept() throws IOException {
        fill();
        Path aside = Files.writeString(data.resolve("index/queue-pages-0000000000.aside"), "somebody's");

        assertServes();
        assertThat(aside).hasContent("somebody's");
    }

    @Test
    void whatIsNoneOfOurNamesIsLeftAlone() throws IOException {
        fill();
        putDirectory("index/lost+found");
        putDirectory("snapshot/copy");

        assertServes();
        assertThat(data.resolve("index/lost+found/somebody's")).hasContent("text");
        assertThat(data.resolve("snapshot/copy/somebody's")).hasContent("text");
    }

    @ParameterizedTest
    @CsvSource({
        "READ, index/queue-pages",
        "READ, index/keys",
        "READ, index",
        "OPEN, index/queue-pages",
        "OPEN, index/keys",
        "OPEN, index"
    })
    void filesOfTheIndexThatTheDeviceDoesNotGive(Operation operation, String prefix) {
        FaultyStorage device = failing(operation, prefix);

        HandDriven opened = HandDriven.open(device);
        device.interceptor = (any, file) -> Verdict.PASS;

        assertThat(opened.bodies(0)).hasSize(MESSAGES);
        assertThat(opened.parts.keys().find(KeyQuery.of("T", "key"))).hasSize(MESSAGES);
    }

    /** The device may be able to read it again tomorrow, and what only the snapshot holds is not to be lost until then. */
    @ParameterizedTest
    @EnumSource(names = {"OPEN", "READ"})
    void aSnapshotThatTheDeviceDoesNotGiveStopsTheStart(Operation operation) {
        FaultyStorage device = failing(operation, "snapshot/0");

        assertThatThrownBy(() -> HandDriven.open(device)).rootCause().hasMessageContaining("input/output error");
    }

    /** A store whose files with such names give an error. */
    private static FaultyStorage failing(Operation failing, String prefix) {
        FaultyStorage storage = new FaultyStorage();
        HandDriven filled = HandDriven.open(storage);
        for (int i = 0; i < MESSAGES; i++) {
            filled.commit(new TestUnit().and(filled.queue(0), "body", "tag", "key"));
        }
        filled.parts.finish();
        List<String> there = Stream.of("index", "snapshot")
                .flatMap(folder -> storage.list(folder).stream().map(name -> folder + "/" + name))
                .filter(name -> name.startsWith(prefix))
                .toList();
        FaultyStorage device = storage.kill();
        device.interceptor = (operation, file) -> operation == failing && there.contains(file)
                ? Verdict.fail(0, "injected: input/output error")
                : Verdict.PASS;
        return device;
    }
}
