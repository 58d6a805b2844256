package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change.GroupDeleted;
import io.anser.broker.metadata.Change.OffsetCommitted;
import io.anser.broker.metadata.Change.TopicDeleted;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.state.StateSection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupStartTableTest {
    private final BrokerState state = fresh();

    @Test
    void theFirstStartCountsAndGivesOffsetsWhereThereAreNone() {
        apply(new OffsetCommitted(new QueueKey("g", "T", 1), 4));

        apply(new GroupStarted("g", "T", StartFrom.LAST, List.of(7L, 8L, OffsetTable.NONE)));
        apply(new GroupStarted("g", "T", StartFrom.LAST, List.of(9L, 9L, 9L)));
        apply(new GroupStarted("g", "T", StartFrom.FIRST, List.of()));

        assertThat(state.groupStarts().find("g", "T")).contains(StartFrom.LAST);
        assertThat(offset("T", 0)).isEqualTo(7);
        assertThat(offset("T", 1)).isEqualTo(4);
        assertThat(offset("T", 2)).isEqualTo(OffsetTable.NONE);
    }

    @Test
    void aStartByTimeGivesWayToAnyOther() {
        apply(new GroupStarted("g", "T", StartFrom.TIME, List.of(OffsetTable.NONE)));
        apply(new GroupStarted("g", "T", StartFrom.LAST, List.of(7L)));
        apply(new GroupStarted("g", "T", StartFrom.TIME, List.of(OffsetTable.NONE)));

        assertThat(state.groupStarts().find("g", "T")).contains(StartFrom.LAST);
        assertThat(offset("T", 0)).isEqualTo(7);
    }

    @Test
    void aStartIsForgottenWithItsTopicAndWithTheOffsetsOfItsGroup() {
        apply(new TopicSaved(1, new TopicConfig("T", 1, 1, 6)));
        apply(new GroupStarted("g", "T", StartFrom.LAST, List.of(7L)));
        apply(new GroupStarted("g", "U", StartFrom.LAST, List.of()));
        apply(new GroupStarted("h", "U", StartFrom.FIRST, List.of()));

        apply(new TopicDeleted("T"));
        assertThat(state.groupStarts().find("g", "T")).isEmpty();
        apply(new GroupDeleted("g", false));
        assertThat(state.groupStarts().find("g", "U")).isPresent();
        apply(new GroupDeleted("g", true));
        assertThat(state.groupStarts().find("g", "U")).isEmpty();
        assertThat(state.groupStarts().size()).isEqualTo(1);
    }

    @Test
    void aTopicMadeLaterIsStillOneThatTheGroupWaitsFor() {
        apply(new GroupStarted("g", "T", StartFrom.LAST, List.of()));

        apply(new TopicSaved(1, new TopicConfig("T", 1, 1, 6)));

        assertThat(state.groupStarts().find("g", "T")).contains(StartFrom.LAST);
    }

    @Test
    void startsAndBirthsHaveTheirOwnSectionsInASnapshot() throws IOException {
        apply(new GroupStarted("g", "T", StartFrom.LAST, List.of(7L)));
        apply(new GroupStarted("g", "U", StartFrom.TIME, List.of()));
        state.queueBirths().born("T", 2, 55);
        state.queueBirths().born("U", 0, 66);

        BrokerState other = fresh();
        other.groupStarts().apply(new GroupStarted("gone", "T", StartFrom.LAST, List.of()));
        copySection("group-starts", other);
        copySection("queue-births", other);

        assertThat(other.groupStarts().size()).isEqualTo(2);
        assertThat(other.groupStarts().find("g", "T")).contains(StartFrom.LAST);
        assertThat(other.groupStarts().find("g", "U")).contains(StartFrom.TIME);
        assertThat(other.queueBirths().find("T", 2)).hasValue(55);
        assertThat(other.queueBirths().find("T", 1)).isEmpty();
        assertThat(other.queueBirths().find("T", 3)).isEmpty();
        assertThat(other.queueBirths().find("U", 0)).hasValue(66);
        assertThat(other.queueBirths().find("V", 0)).isEmpty();
    }

    private void copySection(String name, BrokerState target) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        section(name, state).source().hold().write(new DataOutputStream(bytes));
        section(name, target).reader().read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    private static StateSection section(String name, BrokerState state) {
        return state.sections().stream()
                .filter(section -> section.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private long offset(String topic, int queueId) {
        return state.offsets().committed("g", topic, queueId);
    }

    private void apply(Change change) {
        state.applyState(change.kind(), ByteBuffer.wrap(change.payload()), 0);
    }

    private static BrokerState fresh() {
        return new BrokerState(SystemTopics.of("C", "b", 8));
    }
}
