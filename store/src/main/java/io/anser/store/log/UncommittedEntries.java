package io.anser.store.log;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueLog;
import io.anser.store.queue.QueueOffsets;
import io.anser.store.queue.QueueRegistry;
import io.anser.store.state.FurtherQueues;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The entries at the end of a replicated log that may still be cut, with the places behind them, and what they did to the
 * queues: the next offset of each, and the drops of topics. Cutting an entry takes that back, by reading what is cut. Owned by
 * the appending thread; before that by the recovering thread.
 */
final class UncommittedEntries {
    private final CommitLog log;
    private final QueueRegistry queues;

    /** Places behind entries, in order; the first is never cut. */
    private final Deque<LogPoint> points = new ArrayDeque<>();

    private final RecordItems items = new RecordItems();
    private final MessageView view = new MessageView();

    /** No entries behind a place up to which everything is committed. */
    UncommittedEntries(CommitLog log, QueueRegistry queues, LogPoint committed) {
        this.log = log;
        this.queues = queues;
        points.add(committed);
    }

    /** The place behind the last entry. */
    LogPoint last() {
        return points.getLast();
    }

    /** Index of the last entry that is never cut. */
    long firmIndex() {
        return points.getFirst().index();
    }

    /** Takes in the entry that a scanner of the log stands on. */
    void found(LogScanner scanner) {
        items.of(log, scanner);
        while (items.next()) {
            if (items.isStateChange()) {
                found(items.buffer(), items.index(), items.position());
            } else {
                MessageView message = items.message();
                scanner.sawStoreTimestamp(message.storeTimestamp());
                found(message.topic(), message.queueId(), message.queueOffset(), items.position());
            }
        }
        items.requireSound();
        points.add(scanner.point());
    }

    private void found(ByteBuffer buffer, int at, long position) {
        if (UnitEncoder.isDrop(buffer, at)) {
            queues.placeDrop(UnitEncoder.topicOfDrop(buffer, at), position);
        } else if (FurtherPlaces.isAt(buffer, at)) {
            FurtherPlaces.entries(buffer, at).forEach(place -> found(place.topic(), 0, place.offset(), position));
        }
    }

    private void found(String topic, int queueId, long queueOffset, long position) {
        QueueLog queue = queues.queue(topic, queueId);
        if (!QueueOffsets.found(queue, queueOffset)) {
            throw new StoreException(
                    StoreException.Kind.IO,
                    "message at position=" + position + " has queueOffset=" + queueOffset + " of queue=" + queue
                            + ", which is not its next one");
        }
    }

    /** Takes in an entry that was written. */
    void add(LogPoint behind) {
        points.add(behind);
    }

    /** Everything before a log position is committed. */
    void committed(long position) {
        Iterator<LogPoint> ahead = points.iterator();
        ahead.next();
        while (ahead.hasNext() && ahead.next().position() <= position) {
            points.removeFirst();
        }
    }

    /**
     * Forgets the entries behind one, and takes back what they did.
     *
     * @param records finds the bytes of a record by its log position and size
     * @return the place behind the last one that is left
     */
    LogPoint takeBackBehind(long lastIndexKept, Records records) {
        while (points.size() > 1 && last().index() > lastIndexKept) {
            LogPoint behind = points.removeLast();
            int bytes = (int) (behind.position() - behind.recordPosition());
            takeBack(behind.recordPosition(), records.at(behind.recordPosition(), bytes));
        }
        return last();
    }

    /** Finds records that were formed, be they written or not. */
    @FunctionalInterface
    interface Records {
        /** The bytes of a record, from 0 to the buffer's limit. */
        ByteBuffer at(long position, int bytes);
    }

    private record Done(String topic, int queueId, long queueOffset, long position) {
        static final int DROP = -1;
    }

    private void takeBack(long position, ByteBuffer record) {
        List<Done> done = done(position, record);
        for (int i = done.size() - 1; i >= 0; i--) {
            Done item = done.get(i);
            if (item.queueId() == Done.DROP) {
                queues.takeBackDrop(item.topic(), item.position());
            } else {
                QueueOffsets.giveBack(queues.queue(item.topic(), item.queueId()), item.queueOffset());
            }
        }
    }

    /** What an entry did, in order. */
    private List<Done> done(long position, ByteBuffer record) {
        List<Done> done = new ArrayList<>();
        if (LogRecord.type(record, 0) != LogRecord.ITEMS) {
            return done;
        }
        for (int at = LogRecord.HEADER_BYTES; at < record.limit(); at += record.getInt(at)) {
            if (!EntryItems.isStateChange(record, at)) {
                view.wrap(record, at);
                done.add(new Done(view.topic(), view.queueId(), view.queueOffset(), position + at));
            } else if (UnitEncoder.isDrop(record, at)) {
                done.add(new Done(UnitEncoder.topicOfDrop(record, at), Done.DROP, 0, position + at));
            } else if (FurtherPlaces.isAt(record, at)) {
                for (FurtherQueues.Entry place : FurtherPlaces.entries(record, at)) {
                    done.add(new Done(place.topic(), 0, place.offset(), position + at));
                }
            }
        }
        return done;
    }
}
