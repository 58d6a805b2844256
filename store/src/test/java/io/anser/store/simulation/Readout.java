package io.anser.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.store.OpenedStore;
import io.anser.store.RecordingState;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.TimeBoundary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that readers of an opened store can get at, read in every way there is, so that two stores can be compared.
 *
 * @param queues what each queue has that was ever used, by {@code topic/id}
 */
record Readout(SortedMap<String, Content> queues) {
    /** A queue's bounds, and everything between them. */
    record Content(long minOffset, long maxOffset, List<Applied> messages) {}

    static Readout of(OpenedStore store, Setup setup) {
        SortedMap<String, Content> queues = new TreeMap<>();
        for (int topic = 0; topic < setup.topics(); topic++) {
            for (int id = 0; id < setup.queuesPerTopic(); id++) {
                add(queues, store, topicName(topic), id);
            }
        }
        Applied.LIGHT_TOPICS.forEach(topic -> add(queues, store, topic, 0));
        return new Readout(queues);
    }

    private static void add(SortedMap<String, Content> queues, OpenedStore store, String topic, int id) {
        store.queues().find(topic, id).ifPresent(queue -> {
            Content content = content(store, queue);
            if (content.maxOffset() > 0) {
                queues.put(queue.toString(), content);
            }
        });
    }

    static String topicName(int topic) {
        return "Topic" + topic;
    }

    private static Content content(OpenedStore store, QueueLog queue) {
        List<Applied> entries = new ArrayList<>();
        QueueCursor cursor = new QueueCursor();
        for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
            entries.add(entry(store, queue, cursor));
        }
        assertThat((long) entries.size()).as("entries of %s", queue).isEqualTo(queue.maxOffset() - queue.minOffset());
        checkTimes(queue, entries);
        return new Content(queue.minOffset(), queue.maxOffset(), entries);
    }

    /** What a cursor stands on; everything about it must be sound. */
    static Applied entry(OpenedStore store, QueueLog queue, QueueCursor cursor) {
        assertThat(cursor.size())
                .as(
                        "size of the message of %s at offset %d; 0 is a hole, which only damage may leave",
                        queue, cursor.offset())
                .isPositive();
        assertThat(cursor.position() + cursor.size())
                .as("end of a readable message of %s, against the committed position", queue)
                .isLessThanOrEqualTo(store.marks().committed());
        MessageView view = new MessageView().wrap(store.log().slice(cursor.position(), cursor.size()), 0);
        assertThat(view.totalSize()).isEqualTo(cursor.size());
        String own = view.topic() + "/" + view.queueId();
        if (!Applied.LIGHT_TOPICS.contains(queue.topic())) {
            assertThat(own).isEqualTo(queue.toString());
            assertThat(view.queueOffset()).isEqualTo(cursor.offset());
        }
        assertThat(view.physicalOffset()).isEqualTo(cursor.position());
        assertThat(view.tagsHash()).isEqualTo(cursor.tagsHash());
        assertThat(view.isBodyIntact()).as("checksum of the body").isTrue();
        Applied entry = Applied.parse(
                RecordingState.body(view), own, view.queueOffset(), cursor.position(), view.storeTimestamp());
        int listed = Applied.listedIn(entry.unit()).indexOf(queue.topic());
        if (listed >= 0) {
            String told = view.property(SimulatedUnit.OFFSETS).orElse("").split(",")[listed];
            assertThat(Long.parseLong(told)).as("offset that %s tells", entry).isEqualTo(cursor.offset());
        }
        return entry;
    }

    /** Looking up by key finds every readable message that has it, newest first, and nothing else. */
    void checkKey(OpenedStore store, String topic, int key) {
        String text = "key" + key;
        List<Long> expected = new ArrayList<>();
        // A message that is listed in another topic's queue is found in its own.
        queues.tailMap(topic + "/")
                .headMap(topic + "0")
                .values()
                .forEach(content -> content.messages().stream()
                        .filter(message ->
                                Applied.key(message.unit(), message.item()).equals(text))
                        .forEach(message -> expected.add(message.position())));
        expected.sort(Comparator.reverseOrder());
        List<Long> found = new ArrayList<>();
        store.find(topic, text)
                .forEach(message -> found.add(
                        new MessageView().wrap(message, message.position()).physicalOffset()));
        assertThat(found).as("positions of %s in %s", text, topic).isEqualTo(expected);
    }

    /** Looking up by time finds what counting would find. */
    private static void checkTimes(QueueLog queue, List<Applied> entries) {
        if (entries.isEmpty()) {
            return;
        }
        Applied middle = entries.get(entries.size() / 2);
        long first = queue.minOffset();
        for (int at = 0; entries.get(at).storeTimestamp() < middle.storeTimestamp(); at++) {
            first++;
        }
        assertThat(queue.offsetByTime(middle.storeTimestamp(), TimeBoundary.LOWER))
                .as("offset by time in %s", queue)
                .isEqualTo(first);
    }
}
