package io.anser.store.log;

import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageEncoder;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;

/**
 * Fills in what a replica gives to the items of an entry as it writes it: log position, queue offset, store time. All of that
 * is a function of the log alone, so that every replica writes the same, whoever proposed the entry, and whatever stood in
 * those places before. Owned by the appending thread.
 */
final class EntryItems {
    private final QueueRegistry queues;
    private final FurtherPlaces further;
    private final MessageView view = new MessageView();

    EntryItems(QueueRegistry queues) {
        this.queues = queues;
        this.further = new FurtherPlaces(queues);
    }

    /** Whether an item, which begins at an index of a buffer, is a state change; else it is a message. */
    static boolean isStateChange(ByteBuffer buffer, int at) {
        return buffer.getInt(at + Integer.BYTES) == StateChange.MAGIC;
    }

    /**
     * Checks that bytes are items, back to back.
     *
     * @throws StoreException REFUSED when they are not
     */
    void check(ByteBuffer payload) {
        int end = payload.limit();
        for (int at = payload.position(); at < end; ) {
            int room = end - at;
            int size = room < StateChange.HEADER_BYTES ? 0 : payload.getInt(at);
            boolean sound = size >= StateChange.HEADER_BYTES
                    && size <= room
                    && (isStateChange(payload, at) ? isSoundChange(payload, at) : isMessage(payload, at, size));
            if (!sound) {
                throw new StoreException(
                        StoreException.Kind.REFUSED, "an entry holds something else than items at byte=" + at);
            }
            at += size;
        }
    }

    /** Whether a change that has to be filled in leaves alone what is not its own. */
    private static boolean isSoundChange(ByteBuffer payload, int at) {
        return !FurtherPlaces.isAt(payload, at) || FurtherQueues.isSound(payload, at);
    }

    private boolean isMessage(ByteBuffer payload, int at, int size) {
        try {
            return size >= MessageLayout.MIN_MESSAGE_BYTES
                    && view.wrap(payload, at).totalSize() == size
                    && view.queueId() >= 0
                    && view.queueId() < QueueLog.QUEUE_ID_LIMIT;
        } catch (MalformedMessageException e) {
            return false;
        }
    }

    /**
     * Fills in the items that lie in a tail's buffer.
     *
     * @param from index of the first item; the last one ends at the buffer's position
     */
    void place(LogTail tail, int from) {
        ByteBuffer buffer = tail.buffer();
        int end = buffer.position();
        for (int at = from; at < end; at += buffer.getInt(at)) {
            long position = tail.position() + at;
            if (!isStateChange(buffer, at)) {
                view.wrap(buffer, at);
                QueueLog queue = queues.queue(view.topic(), view.queueId());
                tail.sawStoreTimestamp(view.storeTimestamp());
                MessageEncoder.patch(buffer, at, QueueOffsets.take(queue), position, tail.storeTimestamp());
            } else if (UnitEncoder.isDrop(buffer, at)) {
                queues.placeDrop(UnitEncoder.topicOfDrop(buffer, at), position);
            } else if (FurtherPlaces.isAt(buffer, at)) {
                further.take(buffer, at);
            }
        }
    }
}
