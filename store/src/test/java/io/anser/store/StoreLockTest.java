package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.system.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One process at a time uses a store, whatever people do to its files meanwhile. */
@DisabledOnOs(OS.WINDOWS) // which lets nobody remove a file that is open
class StoreLockTest {
    @TempDir
    private Path folder;

    private Path data;

    /** What people do to a file that they believe to be left over. */
    private enum Deed {
        NOTHING {
            @Override
            void to(Path lock) {}
        },
        REMOVE {
            @Override
            void to(Path lock) throws IOException {
                Files.delete(lock);
            }
        },
        REPLACE {
            @Override
            void to(Path lock) throws IOException {
                Path copy = Files.copy(lock, lock.resolveSibling("LOCK.new"));
                Files.delete(lock);
                Files.move(copy, lock);
            }
        };

        abstract void to(Path lock) throws IOException;
    }

    @BeforeEach
    void nameTheStore() {
        data = folder.resolve("data");
    }

    private MessageStore open() {
        return MessageStore.open(
                StoreSettings.defaults().withDirectory(data).withSegmentBytes(64 << 10),
                new RecordingState(),
                (queue, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {});
    }

    private static void commit(MessageStore store, int messages) {
        for (int i = 0; i < messages; i++) {
            TestUnit unit = TestUnit.ofBytes(store.queue("T", 0), 1_000);
            store.append(unit);
            unit.await();
            assertThat(unit.isCommitted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noOtherProcessGetsAStoreThatIsInUse(Deed deed) throws Exception {
        try (MessageStore store = open()) {
            commit(store, 200); // over several segments
            deed.to(data.resolve("LOCK"));

            assertThat(OtherProcess.open(data)).startsWith("the store is in use: ");
            assertThat(OtherProcess.look(data)).startsWith("the store is in use: ");
            commit(store, 200);
        }
        try (MessageStore store = open()) {
            assertThat(store.queue("T", 0).maxOffset()).isEqualTo(400);
        }
    }

    @Test
    void anotherWayToTheDirectoryLeadsToTheSameLock() throws Exception {
        Path way = folder.resolve("way");
        try (MessageStore store = open()) {
            Files.createSymbolicLink(way, data);
            Files.delete(data.resolve("LOCK"));
            commit(store, 1);

            assertThat(OtherProcess.open(way)).startsWith("the store is in use: ");
        }
        assertThat(OtherProcess.look(way)).isEqualTo("opened");
        assertThat(OtherProcess.open(way)).isEqualTo("opened");
    }
}
