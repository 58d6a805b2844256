package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.TopicConfig;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which light queues a broker has: those with messages always, names that were only asked for as long as there is room. */
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
        assertThat(topics.find("%LMQ%sent")).isEmpty();

        assertThat(topics.findForSend("%LMQ%sent")).isPresent();
        assertThat(topics.find("%LMQ%sent")).isPresent();
        assertThat(topics.findForSend("%LMQ%asked0")).isSameAs(topics.find("%LMQ%asked0"));
    }

    @Test
    void sendersAreRefusedOneTooManyButWhatIsStoredIsFound() {
        for (int i = 0; i < LIMIT; i++) {
            assertThat(topics.findForSend("%LMQ%sent" + i)).isPresent();
        }
        assertThat(topics.findForSend("%LMQ%more")).isEmpty();
        assertThat(topics.findForSend("%LMQ%sent0")).isPresent();

        assertThat(topics.findForStored("%LMQ%more")).isPresent();
        assertThat(topics.findForSend("%LMQ%more")).isPresent();
        topics.apply(new TopicDeleted("%LMQ%sent0"));
        topics.apply(new TopicDeleted("%LMQ%sent1"));
        assertThat(topics.findForSend("%LMQ%sent0")).isPresent();
        assertThat(topics.findForSend("%LMQ%sent1")).isEmpty();
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
