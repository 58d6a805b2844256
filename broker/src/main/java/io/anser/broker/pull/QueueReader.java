package io.anser.broker.pull;

import io.anser.broker.filter.MessageFilter;
import io.anser.broker.pull.PullResult.Status;
import io.anser.protocol.message.MessageView;
import io.anser.store.MessageStore;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads messages of one queue for a pull: bounds, filter, slices of the log.
 *
 * <p>Long stretches of messages that lie next to each other are answered as views of the log's mapped segments, many
 * short ones as one copy. What is lost (a hole in the queue, a damaged record) is passed over. Any thread.
 */
final class QueueReader {
    /**
     * Messages farther than this from the end of the log, in bytes, may have left the memory, so the system is asked.
     * Consumers that keep up stay far below it.
     */
    static final long WARM_LOG_BYTES = 128L << 20;

    /** For how many bytes from a message on the system is asked at once; the next messages mostly lie among them. */
    static final int ASKED_BYTES = 256 << 10;

    /** What is brought into memory behind the messages of a cold read, for the next one. */
    static final int READ_AHEAD_BYTES = 1 << 20;

    /**
     * Bytes of properties that a filter may walk over for one request, at the most a few milliseconds: long expressions over
     * long properties get through fewer messages, and the consumers come back for the rest.
     */
    static final int WALKED_BYTES_MAX = 16 << 20;

    private static final ByteBuffer[] NO_SLICES = {};

    /** Stretches shorter than this on average are copied into one buffer: handing many to the socket costs more. */
    private static final int COPIED_BELOW_BYTES = 8 << 10;

    private final MessageStore store;
    private final int maxScanned;
    // A cursor keeps the page of the index that it read last, so each event loop has one for good.
    private final FastThreadLocal<QueueCursor> cursors = new FastThreadLocal<>() {
        @Override
        protected QueueCursor initialValue() {
            return new QueueCursor();
        }
    };

    private final FastThreadLocal<MessageView> views = new FastThreadLocal<>() {
        @Override
        protected MessageView initialValue() {
            return new MessageView();
        }
    };

    QueueReader(MessageStore store, int maxScanned) {
        this.store = store;
        this.maxScanned = maxScanned;
    }

    /** Reads what needs no waiting for the device; stops, perhaps at once, where that is not so. For the event loops. */
    PullResult read(PullQuery query) {
        return read(query, false);
    }

    /** Reads whatever is wanted, and waits for the device where need be. Not for the event loops. */
    PullResult readWaiting(PullQuery query) {
        return read(query, true);
    }

    /** Brings into memory what a consumer that has read up to a query's offset asks for next. Not for the event loops. */
    void readAhead(PullQuery query) {
        QueueCursor cursor = cursors.get();
        if (cursor.seek(query.queue(), query.queueOffset())) {
            store.readAhead(cursor.position(), READ_AHEAD_BYTES);
        }
    }

    private PullResult read(PullQuery query, boolean mayWait) {
        QueueLog queue = query.queue();
        long max = queue.maxOffset();
        long min = queue.minOffset();
        long from = query.queueOffset();
        if (queue.isDropped()) {
            return PullResult.none(Status.DELETED, from, min, max);
        }
        if (from == max) {
            return PullResult.none(Status.AT_END, max, min, max);
        }
        if (from < min || from > max) {
            return outOfRange(queue, min, max, from);
        }
        QueueCursor cursor = cursors.get();
        try {
            if (cursor.seek(queue, from)) {
                return scan(query, cursor, min, max, mayWait);
            }
        } catch (StoreException e) {
            if (from >= queue.minOffset()) {
                throw e;
            }
        }
        // Retention took the message after the bounds were read, or the topic was deleted.
        return queue.isDropped()
                ? PullResult.none(Status.DELETED, from, min, max)
                : outOfRange(queue, queue.minOffset(), max, from);
    }

    private PullResult outOfRange(QueueLog queue, long min, long max, long from) {
        // Nobody was ever given an offset beyond the end, unless it was of a deleted topic of the same name: whoever
        // still has that one goes on at the start of the new topic, or would miss its first messages.
        boolean beyondIsOfDeleted = store.startPosition(queue.topic()) > 0;
        return PullResult.none(Status.OUT_OF_RANGE, from < min || beyondIsOfDeleted ? min : max, min, max);
    }

    private PullResult scan(PullQuery query, QueueCursor cursor, long min, long max, boolean mayWait) {
        MessageFilter filter = query.filter();
        long from = query.queueOffset();
        long until = Math.min(max, from + maxScanned);
        Stretches found = new Stretches(store);
        WarmPart warm = new WarmPart(store);
        long next = from;
        boolean more = true;
        Judge judge = new Judge(store, filter, views.get());
        while (more && next < until && found.messages < query.maxMessages() && judge.mayGoOn()) {
            boolean wanted = cursor.size() > 0 && filter.mayAccept(cursor.tagsHash());
            if (wanted && !mayWait && !warm.holds(cursor.position(), cursor.size())) {
                if (found.messages == 0) {
                    return PullResult.none(Status.COLD, next, min, max);
                }
                break;
            }
            if (wanted && store.isSound(cursor.position(), cursor.size()) && judge.accepts(cursor)) {
                if (found.messages > 0 && found.bytes + cursor.size() > query.maxBytes()) {
                    break;
                }
                found.add(cursor.position(), cursor.size());
            }
            next++;
            more = cursor.next();
        }
        return found.messages == 0
                ? PullResult.none(Status.NONE_MATCHED, next, min, max)
                : new PullResult(Status.FOUND, next, min, max, found.firstPosition, found.messages, found.buffer());
    }

    /** Settles on the messages themselves what the index leaves open; with a filter only, so that a plain pull reads the index alone. */
    private static final class Judge {
        private final MessageStore store;
        private final MessageFilter filter;
        private final MessageView view;
        private long walked;

        Judge(MessageStore store, MessageFilter filter, MessageView view) {
            this.store = store;
            this.filter = filter;
            this.view = view;
        }

        boolean accepts(QueueCursor cursor) {
            if (filter.acceptsAll()) {
                return true;
            }
            view.wrap(store.read(cursor.position(), cursor.size()), 0);
            walked += (long) filter.walks() * view.propertiesLength();
            return filter.accepts(view);
        }

        boolean mayGoOn() {
            return walked < WALKED_BYTES_MAX;
        }
    }

    /** What of the log one read may touch without waiting for the device. */
    private static final class WarmPart {
        private final MessageStore store;
        private long from;
        private long until;

        WarmPart(MessageStore store) {
            this.store = store;
            this.until = Long.MAX_VALUE;
            this.from = Math.max(0, store.committedPosition() - WARM_LOG_BYTES);
        }

        boolean holds(long position, int size) {
            return isInMemory(position, size) && store.isChecked(position, size);
        }

        private boolean isInMemory(long position, int size) {
            if (position >= from && position + size <= until) {
                return true;
            }
            if (store.isInMemory(position, ASKED_BYTES)) {
                from = position;
                until = position + ASKED_BYTES;
                return true;
            }
            return store.isInMemory(position, size);
        }
    }

    /** Messages to deliver, as few slices as their places in the log allow. */
    private static final class Stretches {
        private final MessageStore store;
        private final List<ByteBuffer> slices = new ArrayList<>(4);
        private int messages;
        private int bytes;
        private long firstPosition;
        private long start;
        private long end;

        Stretches(MessageStore store) {
            this.store = store;
        }

        void add(long position, int size) {
            if (messages == 0) {
                firstPosition = position;
                start = position;
            } else if (position != end) {
                cut();
                start = position;
            }
            end = position + size;
            messages++;
            bytes += size;
        }

        private void cut() {
            slices.add(store.read(start, Math.toIntExact(end - start)));
        }

        /** The messages; at least one was added. */
        ByteBuf buffer() {
            cut();
            if (slices.size() == 1 || bytes / slices.size() >= COPIED_BELOW_BYTES) {
                return Unpooled.wrappedBuffer(slices.toArray(NO_SLICES));
            }
            ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
            for (ByteBuffer slice : slices) {
                copy.writeBytes(slice);
            }
            return copy;
        }
    }
}
