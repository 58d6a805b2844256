package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.retention.RetentionPolicy;
import io.anser.store.retention.TopicRetention;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A store by hand whose messages get old: what tests of retention have in common. */
abstract class RetainingStore {
    static final long HOUR = Duration.ofHours(1).toMillis();

    final VirtualTime time = new VirtualTime();
    HandDriven store = HandDriven.open(new FaultyStorage(), time);

    static RetentionPolicy hours(long hours) {
        return new RetentionPolicy(hours * HOUR, 0, Map.of());
    }

    static RetentionPolicy hours(long hours, String topic, TopicRetention asked) {
        return new RetentionPolicy(hours * HOUR, 0, Map.of(topic, asked));
    }

    QueueLog queue(String topic) {
        return store.parts.queues().queue(topic, 0);
    }

    void append(String topic, int messages) {
        append(store, time, topic, messages);
    }

    /** Appends messages of 1,000 bytes of body, one minute apart. */
    static void append(HandDriven store, VirtualTime time, String topic, int messages) {
        for (int i = 0; i < messages; i++) {
            store.commit(TestUnit.ofBytes(store.parts.queues().queue(topic, 0), 1_000));
            time.advance(Duration.ofMinutes(1));
        }
    }

    void retain(RetentionPolicy policy) {
        retain(store, time, policy);
    }

    /** Runs retention until it has done what it can: two snapshots come first. */
    static void retain(HandDriven store, VirtualTime time, RetentionPolicy policy) {
        for (int round = 0; round < 4; round++) {
            store.parts.retention().retain(time.wallMillis(), policy);
            store.run();
            store.run();
            store.parts.pipeline().runFlusher();
            store.commit(TestUnit.state(1, "tick"));
        }
    }

    void reopen(FaultyStorage storage) {
        store = HandDriven.open(storage, time);
    }

    long minPosition() {
        return store.parts.log().minPosition();
    }

    static List<Long> offsets(QueueLog queue) {
        List<Long> offsets = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
            offsets.add(cursor.offset());
        }
        return offsets;
    }

    void assertReadable(QueueLog queue) {
        QueueCursor cursor = new QueueCursor();
        for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
            MessageView view = new MessageView().wrap(store.parts.log().slice(cursor.position(), cursor.size()), 0);
            assertThat(view.queueOffset()).isEqualTo(cursor.offset());
            assertThat(view.isBodyIntact()).isTrue();
        }
    }
}
