package io.anser.store.log;

import io.anser.store.queue.QueueIndexer;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import io.anser.store.state.StateMachine;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;

/**
 * Takes committed items in log order into everything that is derived from the log: the queue index and the owner's state.
 * Owned by the committing thread; during recovery by the recovering thread.
 */
public final class Applier {
    private final QueueIndexer indexer;
    private final StateMachine state;
    private final LogWindow window;
    private final AnnouncedQueues announced = new AnnouncedQueues();

    /** An applier that reads the items' bytes from a log. */
    public Applier(CommitLog log, QueueIndexer indexer, StateMachine state) {
        this.indexer = indexer;
        this.state = state;
        this.window = new LogWindow(log);
    }

    void apply(Append unit) {
        int items = unit.items();
        long position = unit.position(0);
        for (int item = 0; item < items; item++) {
            int bytes = unit.bytes(item);
            QueueLog queue = unit.queue(item);
            if (queue == null) {
                stateChange(position, bytes);
            } else {
                message(queue, unit.queueOffset(item), position, bytes, unit.tagsHash(item), unit.storeTimestamp());
                if (item == 1) {
                    listFurther(unit, position, bytes);
                }
            }
            position += bytes;
        }
    }

    private void listFurther(Append unit, long position, int bytes) {
        for (Append.FurtherQueue place : unit.furtherQueues()) {
            indexer.index(place.queue(), place.offset(), position, bytes, unit.tagsHash(1));
            state.applyListed(place.queue().topic(), place.offset(), unit.storeTimestamp());
        }
    }

    /** Takes a message that was read in the log, and lists it in those further queues too that the change before it named. */
    public void messageAgain(
            QueueLog queue, long queueOffset, long position, int bytes, int tagsHash, long storeTimestamp) {
        message(queue, queueOffset, position, bytes, tagsHash, storeTimestamp);
        for (FurtherQueues.Entry place : announced.of(position)) {
            if (indexer.indexFurther(place.topic(), place.offset(), position, bytes, tagsHash)) {
                state.applyListed(place.topic(), place.offset(), storeTimestamp);
            }
        }
    }

    /**
     * Takes a message of an entry that the group has agreed upon, and lists it in its further queues too.
     *
     * @param queues finds those that the message belongs to
     */
    void messageOfEntry(
            QueueLog queue,
            long queueOffset,
            long position,
            int bytes,
            int tagsHash,
            long storeTimestamp,
            QueueRegistry queues) {
        message(queue, queueOffset, position, bytes, tagsHash, storeTimestamp);
        for (FurtherQueues.Entry place : announced.of(position)) {
            QueueLog further = queues.queueAt(place.topic(), 0, position);
            indexer.index(further, place.offset(), position, bytes, tagsHash);
            state.applyListed(place.topic(), place.offset(), storeTimestamp);
        }
    }

    private void message(
            QueueLog queue, long queueOffset, long position, int bytes, int tagsHash, long storeTimestamp) {
        indexer.index(queue, queueOffset, position, bytes, tagsHash);
        state.applyMessage(queue, queueOffset, position, bytes, tagsHash, storeTimestamp, window.at(position, bytes));
    }

    /** Takes a state change. */
    public void stateChange(long position, int bytes) {
        ByteBuffer item = window.at(position, bytes);
        short kind = StateChange.kind(item, item.position());
        ByteBuffer payload = item.position(item.position() + StateChange.HEADER_BYTES);
        if (kind == FurtherQueues.KIND) {
            announced.take(payload, position + bytes);
            return; // of no meaning to the owner of the state
        }
        if (kind == TopicDrop.KIND) {
            indexer.drop(TopicDrop.topic(payload.duplicate()), position);
        }
        state.applyState(kind, payload, position);
    }

    /** Lets readers see the messages. */
    public void publish() {
        indexer.publish();
    }

    QueueIndexer indexer() {
        return indexer;
    }
}
