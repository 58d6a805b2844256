package io.anser.broker.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicFilterType;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.message.WireHost;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.file.ForeignFiles;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.AdoptedBroker;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The latest values that are found in the messages of an adopted broker. */
class ApacheValuesTest {
    private static final WireHost HOST = WireHost.of(new byte[] {127, 0, 0, 1}, 9876);

    private static final TopicConfig COMPACTED =
            new TopicConfig("C", 1, 1, 6, TopicFilterType.SINGLE_TAG, 0, false, Map.of("cleanup.policy", "COMPACTION"));

    private final TopicTable topics = new BrokerState(List.of()).topics();
    private MessageStore store;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        store = MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20),
                new BrokerState(List.of()),
                (queue, from, until) -> {},
                new VirtualTime(0),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        topics.apply(new Change.TopicSaved(0, COMPACTED), 0);
        put("a");
        put("b");
        put("a");
        put("c");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void asManyAsThereMayBeAreTakenOver() {
        LatestValues values = new LatestValues(3);
        new ApacheValues(new Adopted(), topics, values).takeOver();

        assertThat(values.before(Long.MAX_VALUE).stream().map(LatestValue::queueOffset))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void oneMoreStopsTheAdoptionAndNamesTheLimit() {
        assertThatThrownBy(() -> new ApacheValues(new Adopted(), topics, new LatestValues(2)).takeOver())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("more than 2 latest messages of keys")
                .hasMessageContaining("queue=C/0");
    }

    private void put(String key) throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        store.append(new Keyed(store.queue("C", 0), key, done));
        done.get(30, TimeUnit.SECONDS);
    }

    /** A broker whose messages are those of the store. */
    private final class Adopted implements AdoptedBroker {
        @Override
        public ForeignFiles files() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<String> topics() {
            return Set.of("C");
        }

        @Override
        public QueueLog queue(String topic, int queueId) {
            return store.queue(topic, queueId);
        }

        @Override
        public Set<Integer> queueIds(String topic) {
            return Set.of(0);
        }

        @Override
        public ByteBuffer message(long position, int bytes) {
            return store.message(position).orElseThrow();
        }

        @Override
        public void forEachMessage(long from, Consumer<MessageView> visitor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void continueAt(QueueLog queue, long offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void drop(String topic) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long lastStoreTimestamp() {
            return 0;
        }
    }

    /** A message with a key. */
    private static final class Keyed extends Append {
        private final QueueLog queue;
        private final byte[] properties;
        private final CompletableFuture<Boolean> done;

        Keyed(QueueLog queue, String key, CompletableFuture<Boolean> done) {
            this.queue = queue;
            this.properties = ("KEYS\u0001" + key + "\u0002").getBytes(UTF_8);
            this.done = done;
        }

        @Override
        public int items() {
            return 1;
        }

        @Override
        public QueueLog queue(int item) {
            return queue;
        }

        @Override
        public int bytes(int item) {
            return MessageEncoder.encodedBytes(1, 1, properties.length, false, false);
        }

        @Override
        public void encode(int item, ByteBuffer target) {
            MessageEncoder.encode(
                    target,
                    new MessageHeader(0, 0, 0, 0, HOST, HOST, 0, 0),
                    new byte[] {'C'},
                    ByteBuffer.wrap(new byte[] {'x'}),
                    properties);
        }

        @Override
        public void committed() {
            done.complete(true);
        }

        @Override
        public void failed(StoreException reason) {
            done.completeExceptionally(reason);
        }
    }
}
