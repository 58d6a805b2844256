package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.store.key.KeyQuery;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.CommitListener;
import io.anser.system.Clock;
import io.anser.system.Threads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Look-ups by key in a store with its threads. */
class KeyLookUpTest {
    private static final int MESSAGES = 100_000;
    private static final int BATCH = 500;

    @TempDir
    Path directory;

    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private MessageStore store;

    @BeforeEach
    void open() {
        HandDriven.quietRecovery();
        StoreSettings settings = StoreSettings.defaults()
                .withDirectory(directory)
                .withDurability(Durability.MEMORY)
                .withSegmentBytes(8 << 20)
                .withDerived(new DerivedSettings(256 << 20, 64 << 10));
        CommitListener nobody = (queue, from, until) -> {};
        store = MessageStore.open(
                settings, new RecordingState(), nobody, Clock.system(), (where, cause) -> fault.set(cause));
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(fault.get()).isNull();
    }

    @Test
    void keysWhoseStringHashesCollideAreToldApartAlsoAfterEveryIndexFileIsGone() throws IOException {
        // Every one of these has the same String.hashCode.
        List<String> keys = List.of("AaAa", "AaBB", "BBAa", "BBBB");
        QueueLog queue = store.queue("T", 0);
        for (int from = 0; from < MESSAGES; from += BATCH) {
            TestUnit unit = new TestUnit();
            for (int i = from; i < from + BATCH; i++) {
                unit.andWith(queue, String.valueOf(i), "KEYS", keys.get(i % 4) + " k" + i, "UNIQ_KEY", "ID" + i);
            }
            append(unit);
        }

        checkAll(keys);
        assertThat(store.keyIndex().files()).isBetween(1, 40);

        store.close();
        try (var files = Files.list(directory.resolve("index"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        open();
        checkAll(keys);
        assertThat(store.keyIndex().missingBytes()).isZero();
    }

    @Test
    void everyKeyIsFoundOfAUnitWithMoreKeysThanTheWriterNotes() {
        QueueLog queue = store.queue("T", 0);
        String many = "x ".repeat(9_000);
        append(new TestUnit().andWith(queue, "0", "KEYS", many + "k0").andWith(queue, "1", "KEYS", many + "k1"));

        assertThat(find("k0")).containsExactly("0");
        assertThat(find("k1")).containsExactly("1");
        assertThat(find("x")).containsExactly("1", "0");
    }

    private void checkAll(List<String> keys) {
        for (int k = 0; k < 4; k++) {
            List<String> expected = new ArrayList<>();
            for (int i = MESSAGES - 4 + k; i >= 0; i -= 4) {
                expected.add(String.valueOf(i));
            }
            assertThat(find(keys.get(k))).isEqualTo(expected);
        }
        for (int i = 0; i < MESSAGES; i += 997) {
            assertThat(find("k" + i)).containsExactly(String.valueOf(i));
            assertThat(find("ID" + i)).containsExactly(String.valueOf(i));
        }
        assertThat(find("BAaB")).isEmpty();
    }

    @Test
    void whatIsAcknowledgedIsFoundWhileOthersAppend() throws InterruptedException {
        Runnable appending = () -> {
            for (int i = 0; i < 50; i++) {
                append(message("Noise", "k", 2_000));
            }
        };
        Thread other = Threads.start("noise", appending, (where, cause) -> fault.set(cause));
        for (int i = 0; i < 200; i++) {
            append(message("T", "k" + i, 1));
            assertThat(find("k" + i)).hasSize(1);
        }
        other.join();
        assertThat(store.find(KeyQuery.of("Noise", "k"))).hasSize(100_000);
    }

    private TestUnit message(String topic, String key, int count) {
        TestUnit unit = new TestUnit();
        for (int i = 0; i < count; i++) {
            unit.andWith(store.queue(topic, 0), "body", "KEYS", key);
        }
        return unit;
    }

    private void append(TestUnit unit) {
        store.append(unit);
        unit.await();
        assertThat(Objects.toString(unit.failure)).isEqualTo("null");
    }

    private List<String> find(String key) {
        MessageView view = new MessageView();
        List<String> bodies = new ArrayList<>();
        for (ByteBuffer message : store.find(KeyQuery.of("T", key))) {
            bodies.add(RecordingState.body(view.wrap(message, 0)));
        }
        return bodies;
    }
}
