package io.anser.broker.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.BrokerState;
import io.anser.store.MessageStore;
import io.anser.store.StoreSettings;
import io.anser.store.retention.RetentionPolicy;
import io.anser.store.retention.RetentionSettings;
import io.anser.system.VirtualTime;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionRunsTest {
    /** What of them was not finished is state since the store was adopted; the messages are of no use to anybody. */
    @Test
    void whatAnApacheBrokerKeptForItselfMayGoWhenTheDeviceIsFull(@TempDir Path directory) {
        VirtualTime time = new VirtualTime();
        BrokerState state = new BrokerState(List.of());
        StoreSettings settings =
                StoreSettings.defaults().withDirectory(directory).withSegmentBytes(8 << 20);
        try (MessageStore store =
                MessageStore.open(settings, state, (queue, from, until) -> {}, time, (where, cause) -> {
                    throw new AssertionError(where, cause);
                })) {
            List<String> apaches = List.of(
                    "SCHEDULE_TOPIC_XXXX",
                    "rmq_sys_wheel_timer",
                    "RMQ_SYS_TRANS_HALF_TOPIC",
                    "RMQ_SYS_TRANS_OP_HALF_TOPIC",
                    "rmq_sys_REVIVE_LOG_DefaultCluster");
            apaches.forEach(topic -> store.queue(topic, 0));
            store.queue("Orders", 0);
            RetentionRuns runs =
                    new RetentionRuns(state.topics(), RetentionSettings::defaults, store, time, time, Runnable::run);

            RetentionPolicy policy = runs.policy();

            assertThat(apaches).allMatch(topic -> policy.of(topic).dropOldest());
            assertThat(policy.of("Orders").dropOldest()).isFalse();
        }
    }
}
