package io.anser.store.log;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import io.anser.store.state.StateChange;
import io.anser.store.state.TopicDrop;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Has units write themselves, and believes nothing of what they wrote. Owned by one thread: that of the batch in work. */
final class UnitEncoder {
    private final NoteTaker noteTaker;
    private final FurtherPlaces further;
    private final MessageView view = new MessageView();

    UnitEncoder(NoteTaker noteTaker, FurtherPlaces further) {
        this.noteTaker = noteTaker;
        this.further = further;
    }

    /**
     * Encodes and checks all items of a unit; answers why it cannot be stored.
     *
     * @param from where the unit starts in the buffer
     * @param bufferPosition log position of the buffer's first byte
     * @param notes what the note taker notes is added there
     */
    @Nullable
    StoreException encode(
            Append unit, ByteBuffer buffer, int from, long bufferPosition, long storeTimestamp, BatchNotes notes) {
        int at = from;
        try {
            unit.placed(bufferPosition + from, storeTimestamp);
            int items = unit.items();
            for (int item = 0; item < items; item++) {
                int until = at + unit.bytes(item);
                buffer.limit(until);
                unit.encode(item, buffer);
                if (buffer.position() != until) {
                    return refusal("item=" + item + " wrote bytes=" + (buffer.position() - at) + " instead of "
                            + (until - at));
                }
                QueueLog queue = unit.queue(item);
                if (!isWellFormed(buffer, at, until - at, queue)) {
                    return refusal("item=" + item + " is not the message or state change it was announced as");
                }
                if (queue != null && QueueOffsets.isClosed(queue)) {
                    return dropped(queue);
                }
                if (queue != null) {
                    unit.tagged(item, view.tagsHash());
                    noteTaker.note(view, bufferPosition + at, notes);
                }
                if (queue == null && FurtherPlaces.isAt(buffer, at)) {
                    StoreException unlisted = further.find(unit, item, buffer, at);
                    if (unlisted != null) {
                        return unlisted;
                    }
                }
                if (queue == null && isDrop(buffer, at) && hasMessageOf(topicOfDrop(buffer, at), unit)) {
                    return refusal("item=" + item + " drops a topic that the unit has messages of");
                }
                at = until;
            }
            return at - from == unit.totalBytes() ? null : refusal("the unit changed its size");
        } catch (StoreException e) {
            return e;
        } catch (RuntimeException e) {
            // The outermost frame of foreign code on this thread: one bad unit must not stop the others.
            return new StoreException(StoreException.Kind.REFUSED, "the unit cannot be encoded", e);
        } finally {
            buffer.limit(buffer.capacity());
        }
    }

    private boolean isWellFormed(ByteBuffer buffer, int at, int bytes, @Nullable QueueLog queue) {
        if (queue == null) {
            return bytes >= StateChange.HEADER_BYTES
                    && buffer.getInt(at) == bytes
                    && buffer.getInt(at + Integer.BYTES) == StateChange.MAGIC
                    && (StateChange.kind(buffer, at) < StateChange.STORE_KINDS_FROM
                            || StateChange.kind(buffer, at) == StateChange.CUTS_MOVED
                            || StateChange.kind(buffer, at) == StateChange.PREFIX_FREED
                            || FurtherPlaces.isAt(buffer, at)
                            || isDrop(buffer, at));
        }
        return view.wrap(buffer, at).totalSize() == bytes && QueueOffsets.belongs(view, queue);
    }

    /** Whether a state change drops a topic. */
    static boolean isDrop(ByteBuffer buffer, int at) {
        return StateChange.kind(buffer, at) == TopicDrop.KIND;
    }

    /** The topic that a state change drops. */
    static String topicOfDrop(ByteBuffer buffer, int at) {
        int bytes = buffer.getInt(at) - StateChange.HEADER_BYTES;
        return TopicDrop.topic(buffer.slice(at + StateChange.HEADER_BYTES, bytes));
    }

    private static boolean hasMessageOf(String topic, Append unit) {
        int items = unit.items();
        for (int item = 0; item < items; item++) {
            QueueLog queue = unit.queue(item);
            if (queue != null && queue.topic().equals(topic)) {
                return true;
            }
        }
        return false;
    }

    private static StoreException dropped(QueueLog queue) {
        return new StoreException(
                StoreException.Kind.DROPPED, "topic=" + queue.topic() + " was deleted before the message was stored");
    }

    private static StoreException refusal(String what) {
        return new StoreException(StoreException.Kind.REFUSED, what);
    }
}
