package io.anser.store.log;

import io.anser.store.file.StoreException;
import io.anser.store.log.Append.FurtherQueue;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.state.FurtherQueues;
import io.anser.store.state.StateChange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives messages their places in further queues. Owned by the thread that writes the log, or forms entries for it. */
final class FurtherPlaces {
    private final QueueRegistry queues;

    /** Those of the unit that was encoded last. */
    private final List<QueueLog> found = new ArrayList<>();

    FurtherPlaces(QueueRegistry queues) {
        this.queues = queues;
    }

    /** Whether a state change says that there are further queues. */
    static boolean isAt(ByteBuffer buffer, int at) {
        return StateChange.kind(buffer, at) == FurtherQueues.KIND;
    }

    /** Finds the queues that an item names; answers why the unit cannot be stored. */
    @Nullable
    StoreException find(Append unit, int item, ByteBuffer buffer, int at) {
        if (item != 0 || unit.items() != 2 || unit.queue(1) == null) {
            return new StoreException(
                    StoreException.Kind.REFUSED, "further queues are for the one message behind them, item=" + item);
        }
        found.clear();
        for (FurtherQueues.Entry place : entries(buffer, at)) {
            QueueLog queue = queues.queue(place.topic(), 0);
            if (QueueOffsets.isClosed(queue)) {
                return new StoreException(
                        StoreException.Kind.DROPPED,
                        "topic=" + place.topic() + " was deleted before the message was stored");
            }
            if (queue == unit.queue(1)) {
                return new StoreException(
                        StoreException.Kind.REFUSED, "queue=" + queue + " is the message's own and no further one");
            }
            found.add(queue);
        }
        return null;
    }

    /** Takes an offset in each of the queues that were found, and tells the unit and the message. */
    void take(Append unit, ByteBuffer buffer, int at) {
        List<FurtherQueue> places = new ArrayList<>(found.size());
        List<Long> offsets = new ArrayList<>(found.size());
        for (QueueLog queue : found) {
            long offset = QueueOffsets.take(queue);
            offsets.add(offset);
            places.add(new FurtherQueue(queue, offset));
        }
        FurtherQueues.fill(buffer, at, offsets);
        unit.listedIn(places);
    }

    /** Takes an offset in each of the queues that an item of an entry names, and tells the message behind it. */
    void take(ByteBuffer buffer, int at) {
        List<Long> offsets = new ArrayList<>();
        for (FurtherQueues.Entry place : entries(buffer, at)) {
            offsets.add(QueueOffsets.take(queues.queue(place.topic(), 0)));
        }
        FurtherQueues.fill(buffer, at, offsets);
    }

    /** The places that an item names. */
    static List<FurtherQueues.Entry> entries(ByteBuffer buffer, int at) {
        int payload = buffer.getInt(at) - StateChange.HEADER_BYTES;
        return FurtherQueues.read(buffer.slice(at + StateChange.HEADER_BYTES, payload));
    }

    /** Gives back what a unit has taken: it is not in the log. */
    static void giveBack(Append unit) {
        List<FurtherQueue> places = unit.furtherQueues();
        for (int i = places.size() - 1; i >= 0; i--) {
            QueueOffsets.giveBack(places.get(i).queue(), places.get(i).offset());
        }
        unit.listedIn(List.of());
    }
}
