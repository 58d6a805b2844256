package io.anser.broker.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.GroupDeleted;
import io.anser.broker.metadata.Change.GroupSaved;
import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.broker.metadata.Outcome;
import io.anser.broker.metadata.Proposals;
import io.anser.broker.metadata.QueueKey;
import io.anser.broker.testing.InMemoryLog;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.system.VirtualTime;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of topics that are popped. */
class PopTopicsTest {
    private final BrokerState state = new BrokerState(List.of());
    private final Proposals proposals = new Proposals(new InMemoryLog(state));
    private MessageStore store;
    private PopTopics topics;

    @BeforeEach
    void open(@TempDir Path directory) {
        store = MessageStore.open(
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20),
                new BrokerState(List.of()),
                (arrivals, from, until) -> {},
                new VirtualTime(),
                (where, cause) -> {
                    throw new AssertionError(where, cause);
                });
        state.attach(store::queue);
        PopLimits limits = PopLimits.defaults();
        topics = new PopTopics(state, new PopReader(store, limits.maxScanned()), limits);
        for (String name : List.of("T", "U")) {
            proposals.propose(new TopicSaved(1, new TopicConfig(name, 1, 1, 6)), Outcome.IGNORED);
        }
        for (String group : List.of("g", "h")) {
            proposals.propose(new GroupSaved(SubscriptionGroupConfig.defaults(group)), Outcome.IGNORED);
            topics.of(group, "T");
            topics.of(group, "U");
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void nothingIsRememberedOfATopicThatWasDeleted() {
        PopTopic gone = topics.of("g", "T");
        proposals.propose(new TopicDeleted("T"), Outcome.IGNORED);

        topics.clean();

        assertThat(topics.all())
                .extracting(PopTopic::names)
                .extracting(names -> names.get(0))
                .containsOnly("U");
        assertThat(topics.known("g", "T")).isEmpty();
        assertThat(topics.told()).isEqualTo(5); // of U and of the two retry topics of each group
        assertThat(gone.isGone()).isTrue();
    }

    @Test
    void nothingIsRememberedOfAGroupThatWasDeleted() {
        proposals.propose(new GroupDeleted("g", true), Outcome.IGNORED);
        topics.forgetGroup("g");
        topics.of("g", "T"); // by a pop that had asked before

        topics.clean();

        assertThat(topics.all()).extracting(PopTopic::group).containsOnly("h");
        assertThat(topics.told()).isEqualTo(6);
    }

    @Test
    void whatIsStillThereStays() {
        PopTopic before = topics.of("g", "T");

        topics.clean();

        assertThat(topics.of("g", "T")).isSameAs(before);
        assertThat(before.isGone()).isFalse();
        assertThat(topics.all()).hasSize(4);
    }

    @Test
    void aQueueIsFoundByItsOwnNameAndByThoseOfItsRetryTopics() {
        PopTopic topic = topics.of("g", "T");

        assertThat(topics.find(new QueueKey("g", "T", 0))).containsSame(topic);
        assertThat(topics.find(new QueueKey("g", "%RETRY%g+T", 0))).containsSame(topic);
        assertThat(topics.find(new QueueKey("g", "%RETRY%g_T", 0))).containsSame(topic);
        assertThat(topics.find(new QueueKey("x", "T", 0))).isEmpty();
    }

    @Test
    void whoeverAsksOnlyMakesNothing() {
        assertThat(topics.known("nobody", "T")).isEmpty();
        assertThat(topics.all()).hasSize(4);
    }
}
