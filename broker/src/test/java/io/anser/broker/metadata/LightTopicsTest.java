package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.queue.QueueLog;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which light queues a broker has: those with messages, and any name that is asked for. */
class LightTopicsTest {
    private static final int LIMIT = 20_000;

    private final TopicTable topics = new TopicTable(List.of(), (topic, queueId) -> {
        throw new AssertionError("asked for a queue of " + topic);
    });

    @Test
    void namesThatReadersAskForTakeNoPlaceFromSenders() {
        for (int i = 0; i < LIMIT; i++) {
            assertThat(topics.find("%LMQ%asked" + i)).isPresent();
        }
        assertThat(topics.find("%LMQ%sent")).isPresent();

        assertThat(topics.admitToLightQueue("%LMQ%sent")).isTrue();
        assertThat(topics.findForSend("%LMQ%sent")).isSameAs(topics.find("%LMQ%sent"));
        assertThat(topics.findForSend("%LMQ%asked0")).isSameAs(topics.find("%LMQ%asked0"));
    }

    /** One client that asked for many kept everybody's else from being found. */
    @Test
    void beyondManyNamesAFurtherOneHasAnEmptyQueueThatIsNotKept(@TempDir Path directory) {
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        BrokerState state = new BrokerState(List.of());
        try (MessageStore store =
                MessageStore.open(settings, state, (queue, from, until) -> {}, new VirtualTime(), (where, cause) -> {
                    throw new AssertionError(where, cause);
                })) {
            state.attach(new QueueSource() {
                @Override
                public QueueLog queue(String topic, int queueId) {
                    return store.queue(topic, queueId);
                }

                @Override
                public QueueLog usedOrEmpty(String topic, int queueId) {
                    return store.usedOrEmptyQueue(topic, queueId);
                }
            });
            for (int i = 0; i < LIMIT + 5000; i++) {
                assertThat(queue(state, "%LMQ%asked" + i).maxOffset()).isZero();
            }

            assertThat(store.topics()).hasSize(LIMIT).contains("%LMQ%asked0").doesNotContain("%LMQ%asked" + LIMIT);
            assertThat(queue(state, "%LMQ%more").minOffset()).isZero();
            assertThat(queue(state, "%LMQ%more").topic()).isEqualTo("%LMQ%more");
        }
    }

    private static QueueLog queue(BrokerState state, String topic) {
        return state.topics().find(topic).orElseThrow().queue(0);
    }

    @Test
    void sendersAreRefusedOneTooManyButWhatIsStoredIsFound() {
        for (int i = 0; i < LIMIT; i++) {
            assertThat(topics.admitToLightQueue("%LMQ%sent" + i)).isTrue();
        }
        assertThat(topics.findForSend("%LMQ%more")).isEmpty();
        assertThat(topics.admitToLightQueue("%LMQ%more")).isFalse();
        assertThat(topics.findForSend("%LMQ%sent0")).isPresent();

        assertThat(topics.findForStored("%LMQ%more")).isPresent();
        assertThat(topics.findForSend("%LMQ%more")).isPresent();
        topics.apply(new TopicDeleted("%LMQ%sent0"));
        topics.apply(new TopicDeleted("%LMQ%sent1"));
        assertThat(topics.admitToLightQueue("%LMQ%sent0")).isTrue();
        assertThat(topics.findForSend("%LMQ%sent1")).isEmpty();
    }

    @Test
    void askingWhetherThereIsRoomTakesNone() {
        for (int i = 0; i < LIMIT; i++) {
            assertThat(topics.findForSend("%LMQ%refused" + i)).isPresent();
        }
        assertThat(topics.admitToLightQueue("%LMQ%sent")).isTrue();
        assertThat(topics.findForSend("%LMQ%")).isEmpty();
    }

    @Test
    void otherNamesAreNoLightQueues() {
        assertThat(topics.find("Orders")).isEmpty();
        assertThat(topics.findForSend("Orders")).isEmpty();
        assertThat(topics.findForStored("Orders")).isEmpty();
        assertThat(topics.findForStored("%LMQ%a b")).isEmpty();
    }

    @Test
    void aCreationDoesTheSameWhateverNamesWereAskedForBefore() {
        BrokerState asked = new BrokerState(List.of());
        BrokerState unasked = new BrokerState(List.of());
        for (int i = 0; i < LIMIT; i++) {
            asked.topics().find("%LMQ%asked" + i);
        }
        for (BrokerState state : List.of(asked, unasked)) {
            QueueKey queue = new QueueKey("g", "%LMQ%a", 0);
            apply(state, new Change.OffsetCommitted(queue, 7));
            apply(state, new TopicSaved(1, new TopicConfig("%LMQ%a", 1, 1, 6)));
        }

        assertThat(asked.offsets().committed("g", "%LMQ%a", 0))
                .isEqualTo(unasked.offsets().committed("g", "%LMQ%a", 0));
    }

    private static void apply(BrokerState state, Change change) {
        state.applyState(change.kind(), ByteBuffer.wrap(change.payload()), 0);
    }
}
