package io.anser.broker.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.filter.Filters;
import io.anser.broker.filter.MessageFilter;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.pull.PullResult.Status;
import io.anser.broker.testing.StoredMessage;
import io.anser.protocol.message.MessageView;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.log.WarmChunks;
import io.anser.store.queue.QueueCursor;
import io.anser.system.VirtualTime;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter that looks at every message of some megabytes, in which messages lie across the borders of chunks. */
class FilteredScanTest {
    private static final int MESSAGES = 4_000;
    private static final int RED_EVERY = 7;

    @TempDir
    private Path directory;

    private final MessageFilter reds = new Filters().of("SQL92", "TAGS = 'red' OR TAGS = 'blue'");
    private final List<Long> positions = new ArrayList<>();
    private MessageStore store;

    @BeforeEach
    void write() throws Exception {
        store = open();
        String padding = "x".repeat(1_000);
        for (int i = 0; i < MESSAGES; i++) {
            StoredMessage message =
                    StoredMessage.of(store.queue("Orders", 0), i + ":" + padding, i % RED_EVERY == 0 ? "red" : "green");
            store.append(message);
            if (i % 500 == 499) {
                message.await();
            }
        }
        QueueCursor cursor = new QueueCursor();
        for (boolean more = cursor.seek(store.queue("Orders", 0), 0); more; more = cursor.next()) {
            positions.add(cursor.position());
        }
        assertThat(positions.get(MESSAGES - 1)).isGreaterThan(3L * WarmChunks.CHUNK_BYTES);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private MessageStore open() {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        return MessageStore.open(
                settings,
                new BrokerState(List.of()),
                (arrivals, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
    }

    /** Numbers of the messages that the filter lets through, read pull by pull. */
    private List<Integer> scan(MessageFilter filter, boolean mayWait) {
        QueueReader reader = new QueueReader(store, 1_000, () -> false);
        List<Integer> numbers = new ArrayList<>();
        long next = 0;
        while (next < MESSAGES) {
            PullQuery query = new PullQuery(store.queue("Orders", 0), next, 32, 1 << 20, filter);
            PullResult result = mayWait ? reader.readWaiting(query) : reader.read(query);
            assertThat(result.status()).isIn(Status.FOUND, Status.NONE_MATCHED);
            numbers.addAll(numbers(result.messages()));
            result.messages().release();
            next = result.nextOffset();
        }
        return numbers;
    }

    private static List<Integer> numbers(ByteBuf messages) {
        List<Integer> numbers = new ArrayList<>();
        ByteBuffer bytes = messages.nioBuffer();
        MessageView view = new MessageView();
        for (int at = 0; at < bytes.limit(); at += view.totalSize()) {
            String body =
                    StandardCharsets.UTF_8.decode(view.wrap(bytes, at).body()).toString();
            numbers.add(Integer.parseInt(body.substring(0, body.indexOf(':'))));
        }
        return numbers;
    }

    @Test
    void everyWantedMessageIsFoundOnceInOrder() {
        List<Integer> expected = new ArrayList<>();
        for (int number = 0; number < MESSAGES; number += RED_EVERY) {
            expected.add(number);
        }

        assertThat(scan(reds, false)).isEqualTo(expected);
    }

    @Test
    void damagedMessagesAreLeftOutAfterARestart() throws Exception {
        store.close();
        Set<Integer> damaged = new HashSet<>();
        Path file = directory.resolve("log/00000000000000000000");
        byte[] bytes = Files.readAllBytes(file);
        for (int message = RED_EVERY; message < MESSAGES; message += RED_EVERY * 150) {
            bytes[positions.get(message).intValue() + 92] ^= 1;
            damaged.add(message);
        }
        Files.write(file, bytes);
        store = open();

        List<Integer> found = scan(reds, true);

        // The others of a damaged record are lost, too; a reader that wants all looks at each by itself.
        List<Integer> readable = new ArrayList<>(scan(new Filters().of("TAG", "*"), true));
        readable.removeIf(number -> number % RED_EVERY != 0);
        assertThat(store.damage()).hasSameSizeAs(damaged);
        assertThat(found).isNotEmpty().doesNotContainAnyElementsOf(damaged).isEqualTo(readable);
        assertThat(scan(reds, false)).isEqualTo(found);
    }
}
