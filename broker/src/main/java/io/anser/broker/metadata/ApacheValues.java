package io.anser.broker.metadata;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.anser.store.state.AdoptedBroker;

/**
 * Takes note of the latest values in the log of an adopted Apache broker. What Apache has in the files of its compaction only is
 * not read. More than a broker keeps stop the adoption.
 */
final class ApacheValues {
    private final AdoptedBroker broker;
    private final TopicTable topics;
    private final LatestValues values;

    ApacheValues(AdoptedBroker broker, TopicTable topics, LatestValues values) {
        this.broker = broker;
        this.topics = topics;
        this.values = values;
    }

    void takeOver() {
        for (String topic : broker.topics()) {
            if (topics.isCompacted(topic)) {
                for (int queueId : broker.queueIds(topic)) {
                    takeOver(broker.queue(topic, queueId));
                }
            }
        }
    }

    private void takeOver(QueueLog queue) {
        QueueCursor cursor = new QueueCursor();
        MessageView view = new MessageView();
        for (boolean more = cursor.seek(queue, queue.minOffset()); more; more = cursor.next()) {
            if (cursor.size() > 0) {
                view.wrap(broker.message(cursor.position(), cursor.size()), 0);
                values.message(queue, cursor.offset(), cursor.position(), cursor.size(), cursor.tagsHash(), view);
                requireRoom(queue);
            }
        }
    }

    /** Forgetting some would lose them, and without a bound they would fill the memory before the store is open. */
    private void requireRoom(QueueLog queue) {
        if (values.size() > values.limit()) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "the Apache broker's topics with cleanup.policy=COMPACTION have more than " + values.limit()
                            + " latest messages of keys, the most that a broker keeps; found up to queue=" + queue
                            + "; delete such topics there first");
        }
    }
}
