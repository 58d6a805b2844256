package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.file.StoreException;
import io.anser.system.VirtualTime;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicCreationTest {
    private final BrokerState state = new BrokerState(SystemTopics.of("C", "b", 8));
    private final HeldLog log = new HeldLog();
    private final List<Runnable> announcing = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final TopicCreation creation =
            new TopicCreation(state.topics(), new Proposals(log), announcing::add, new VirtualTime());

    @Test
    void aNewTopicIsToldOnlyWhenTheNameServersKnowIt() {
        creation.ensure(new TopicConfig("T", 4, 4, 6), outcome());
        log.commitAll();
        assertThat(told).isEmpty();

        announcing.forEach(Runnable::run);

        assertThat(told).containsExactly("committed");
    }

    @Test
    void anExistingTopicIsNeitherWrittenNorChanged() {
        exists(new TopicConfig("T", 4, 4, 6));

        creation.ensure(new TopicConfig("T", 8, 8, 6), outcome());

        assertThat(told).containsExactly("committed");
        assertThat(log.size()).isZero();
    }

    @Test
    void savingWhatIsSoAlreadyWritesNothing() {
        exists(new TopicConfig("T", 4, 4, 6));

        creation.save(new TopicConfig("T", 4, 4, 6), outcome());
        assertThat(log.size()).isZero();

        creation.save(new TopicConfig("T", 8, 8, 6), outcome());
        assertThat(log.size()).isEqualTo(1);
    }

    @Test
    void aFailureIsPassedOn() {
        creation.ensure(new TopicConfig("T", 4, 4, 6), outcome());

        log.failAll();

        assertThat(told).containsExactly("lost");
        assertThat(announcing).isEmpty();
    }

    private void exists(TopicConfig config) {
        state.applyState((short) 1, ByteBuffer.wrap(new TopicSaved(1, config).payload()), 0);
    }

    private Outcome outcome() {
        return new Outcome() {
            @Override
            public void committed() {
                told.add("committed");
            }

            @Override
            public void failed(StoreException reason) {
                told.add(String.valueOf(reason.getMessage()));
            }
        };
    }
}
