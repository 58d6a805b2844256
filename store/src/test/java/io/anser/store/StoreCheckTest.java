package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.inspection.CheckReport;
import io.anser.store.inspection.CheckReport.SnapshotState;
import io.anser.store.inspection.ItemVisitor;
import io.anser.store.inspection.OfflineStore;
import io.anser.store.key.KeyQuery;
import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A closed store, looked at. */
class StoreCheckTest {
    private static final int MESSAGES = 200;

    @TempDir
    private Path directory;

    private final List<TestUnit> units = new ArrayList<>();

    @BeforeAll
    static void beQuiet() {
        ((Logger) LoggerFactory.getLogger("io.anser.store")).setLevel(Level.OFF);
    }

    @AfterAll
    static void beLoud() {
        ((Logger) LoggerFactory.getLogger("io.anser.store")).setLevel(null); // as those above it
    }

    @BeforeEach
    void fillAndClose() {
        fillAndClose("body-");
    }

    private void fillAndClose(String text) {
        try (MessageStore store = open()) {
            for (int i = 0; i < MESSAGES; i++) {
                TestUnit unit = new TestUnit().and(store.queue("T", 0), text + i, "tag", "key-" + i);
                store.append(i % 10 == 0 ? unit.andState(7, "s") : unit);
                unit.await();
                units.add(unit);
            }
        }
    }

    private MessageStore open() {
        return MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(16 << 10),
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
    }

    private CheckReport check() throws IOException {
        Map<String, String> before = contents();
        try (OfflineStore store = OfflineStore.open(directory)) {
            return store.check((kind, payload) -> "kind " + kind);
        } finally {
            assertThat(contents()).isEqualTo(before);
        }
    }

    /** Names, sizes and times of all files. */
    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                contents.put(path.toString(), Files.size(path) + " " + Files.getLastModifiedTime(path));
            }
        }
        return contents;
    }

    private void flip(String file, long at) throws IOException {
        Path path = directory.resolve(file);
        byte[] bytes = Files.readAllBytes(path);
        bytes[(int) at] ^= 1;
        Files.write(path, bytes);
    }

    @Test
    void aSoundStoreIsCountedAndNothingIsChanged() throws IOException {
        CheckReport report = check();

        assertThat(report.isSound()).isTrue();
        assertThat(report.messages()).isEqualTo(MESSAGES);
        assertThat(report.stateChanges()).isEqualTo(Map.of("kind 7", 20L));
        assertThat(report.keyFiles()).isEqualTo(1);
        assertThat(report.damage()).isEmpty();
        assertThat(report.tornTail()).isFalse();
        assertThat(report.firstTerm()).isEqualTo(1);
        assertThat(report.indexPages()).isEqualTo(3);
        assertThat(report.snapshots()).containsExactly(new SnapshotState(report.untilPosition(), ""));
    }

    @Test
    void damageIsToldWithFileAndPosition() throws IOException {
        TestUnit hurt = units.get(5);
        flip("log/00000000000000000000", hurt.position(0) + 50);
        flip("index/queue-pages-0000000000", 1_500);
        flip("snapshot/" + String.format("%020d", check().snapshots().get(0).position()), 60);
        Files.writeString(directory.resolve("log/notes.txt"), "stray");

        CheckReport report = check();

        assertThat(report.isSound()).isFalse();
        assertThat(report.messages()).isEqualTo(MESSAGES - 1);
        assertThat(report.damage()).hasSize(1);
        assertThat(report.damage().get(0).from()).isEqualTo(hurt.position(0) - 40);
        assertThat(report.damage().get(0).file()).endsWith("log/00000000000000000000");
        assertThat(report.snapshots()).extracting(SnapshotState::problem).containsExactly("damaged");
        assertThat(report.strayFiles()).containsExactly("notes.txt");
    }

    @Test
    void wrongIndexPagesAreCounted() throws IOException {
        flip("index/queue-pages-0000000000", 1_500);
        assertThat(check().wrongIndexPages()).isEqualTo(1);
        Files.delete(directory.resolve("index/queue-pages-0000000000"));
        assertThat(check().wrongIndexPages()).isEqualTo(3);
    }

    @Test
    void anyByteOfTheIndexOfKeysThatChangedIsFoundAndBuiltAgain() throws IOException {
        Path keys = keyFile();
        String name = String.valueOf(keys.getFileName());
        byte[] sound = Files.readAllBytes(keys);
        assertThat(sound.length).isGreaterThan(4096);
        for (int at = 0; at < sound.length; at += (at < 64 || at >= 4096) ? 1 : 501) {
            flip("index/" + name, at);
            CheckReport report = check();
            assertThat(report.isSound()).as("byte %d", at).isFalse();
            assertThat(report.wrongKeyFiles()).as("byte %d", at).containsExactly(name);
            Files.write(keys, sound);
        }
        assertThat(check().isSound()).isTrue();

        flip("index/" + name, 100);
        try (MessageStore store = open()) {
            assertThat(store.find(KeyQuery.of("T", "key-7"))).hasSize(1);
        }
        assertThat(check().isSound()).isTrue();
    }

    private Path keyFile() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("index"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("keys-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void keysOfAnotherLogAreToldToo(@TempDir Path other) throws IOException {
        Path keys = keyFile();
        Path own = directory;
        directory = other;
        fillAndClose("ydob-");
        Path copied = keyFile();
        assertThat(check().isSound()).isTrue();

        directory = own;
        assertThat(copied.getFileName()).isEqualTo(keys.getFileName());
        Files.write(keys, Files.readAllBytes(copied));
        assertThat(check().wrongKeyFiles()).containsExactly(String.valueOf(keys.getFileName()));
    }

    @Test
    void aLogThatEndsBeforeItsSnapshotIsDamagedToThere() throws IOException {
        long until = check().untilPosition();
        try (Stream<Path> files = Files.list(directory.resolve("log"))) {
            for (Path file : files.toList()) {
                if (!file.endsWith("00000000000000000000")) {
                    Files.delete(file);
                }
            }
        }
        CheckReport report = check();
        assertThat(report.damage()).isNotEmpty();
        assertThat(report.damage().get(report.damage().size() - 1).until()).isEqualTo(until);
    }

    @Test
    void whatLiesBehindTheLastRecordIsATornTail() throws IOException {
        long until = check().untilPosition();
        long base = until - until % (16 << 10);
        flip("log/" + String.format("%020d", base), until - base + 3);
        assertThat(check().tornTail()).isTrue();
        assertThat(check().isSound()).isTrue();
    }

    @Test
    void messagesAreShownInLogOrder() throws IOException {
        List<Long> positions = new ArrayList<>();
        try (OfflineStore store = OfflineStore.open(directory)) {
            store.walk(new ItemVisitor() {
                @Override
                public boolean message(long position, long term, MessageView view) {
                    assertThat(RecordingState.body(view)).isEqualTo("body-" + positions.size());
                    positions.add(position);
                    return positions.size() < 150;
                }

                @Override
                public boolean stateChange(long position, long term, short kind, ByteBuffer payload) {
                    assertThat(kind).isEqualTo((short) 7);
                    assertThat(StandardCharsets.UTF_8.decode(payload).toString())
                            .isEqualTo("s");
                    return true;
                }

                @Override
                public void damaged(long from, long until) {
                    throw new AssertionError("damaged from " + from);
                }
            });
        }
        assertThat(positions)
                .isEqualTo(units.subList(0, 150).stream()
                        .map(unit -> unit.position(0))
                        .toList());
    }

    @Test
    void aStoreInUseIsRefusedWithItsHolderAndOneThatIsLookedAtCannotBeUsed() throws IOException {
        try (MessageStore store = open()) {
            assertThat(store.committedPosition()).isPositive();
            assertThatThrownBy(() -> OfflineStore.open(directory))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the store is in use: " + directory.resolve("LOCK"))
                    .hasMessageContaining("pid=" + ProcessHandle.current().pid());
        }
        OfflineStore.open(directory).close();
        open().close();
    }

    @Test
    void aDirectoryWithoutAStoreIsRefused(@TempDir Path empty) {
        assertThatThrownBy(() -> OfflineStore.open(empty)).hasMessage("there is no store in " + empty);
    }
}
