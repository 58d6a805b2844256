package io.anser.broker.pull;

import io.anser.broker.pull.PullResult.Status;
import io.anser.broker.read.Judge;
import io.anser.broker.read.Judge.Verdict;
import io.anser.broker.read.Stretches;
import io.anser.broker.read.WarmPart;
import io.anser.protocol.message.MessageView;
import io.anser.store.MessageStore;
import io.anser.store.file.StoreException;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.function.BooleanSupplier;

/**
 * Reads messages of one queue for a pull: bounds, filter, slices of the log.
 *
 * <p>Long stretches of messages that lie next to each other are answered as views of the log's mapped segments, many
 * short ones as one copy. What is lost (a hole in the queue, a damaged record) is passed over. Any thread.
 */
final class QueueReader {
    private final MessageStore store;
    private final int maxScanned;
    private final BooleanSupplier mayLag;
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

    QueueReader(MessageStore store, int maxScanned, BooleanSupplier mayLag) {
        this.mayLag = mayLag;
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
            store.readAhead(cursor.position(), WarmPart.READ_AHEAD_BYTES);
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
        long target = query.redirection().target(from);
        if (target != Redirection.NONE) {
            return PullResult.none(Status.MOVED, target, min, max);
        }
        if (from == max || (from > max && mayLag.getAsBoolean())) {
            // Another member may have messages up to there: whoever was given that offset by it must not go back.
            return PullResult.none(Status.AT_END, from, min, max);
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
        if (queue.isDropped()) {
            return PullResult.none(Status.DELETED, from, min, max);
        }
        long now = queue.minOffset();
        // Where older messages stay the offset is in range all the same: a hole, now, which the next pull passes.
        return from < now ? outOfRange(queue, now, max, from) : PullResult.none(Status.NONE_MATCHED, from, now, max);
    }

    private PullResult outOfRange(QueueLog queue, long min, long max, long from) {
        // Nobody was ever given an offset beyond the end, unless it was of a deleted topic of the same name: whoever
        // still has that one goes on at the start of the new topic, or would miss its first messages.
        boolean beyondIsOfDeleted = store.startPosition(queue.topic()) > 0;
        return PullResult.none(Status.OUT_OF_RANGE, from < min || beyondIsOfDeleted ? min : max, min, max);
    }

    private PullResult scan(PullQuery query, QueueCursor cursor, long min, long max, boolean mayWait) {
        long from = query.queueOffset();
        long until = Math.min(max, from + maxScanned);
        Stretches found = new Stretches(store);
        WarmPart warm = new WarmPart(store);
        long next = from;
        boolean more = true;
        Judge judge = new Judge(store, query.filter(), query.others().now(), views.get(), warm);
        Status stop = Status.NONE_MATCHED;
        while (more && next < until && found.messages() < query.maxMessages() && judge.mayGoOn()) {
            boolean looked = judge.looksAt(cursor);
            if (looked && !mayWait && !warm.holds(cursor.position(), cursor.size())) {
                if (found.isEmpty()) {
                    return PullResult.none(Status.COLD, next, min, max);
                }
                break;
            }
            Verdict verdict = looked ? judge.of(cursor) : Verdict.UNWANTED;
            if (verdict == Verdict.LEFT_TO_OTHERS) {
                stop = Status.LEFT_TO_OTHERS;
                break;
            }
            if (verdict == Verdict.WANTED) {
                if (!found.takes(cursor.size(), query.maxBytes())) {
                    break;
                }
                found.add(cursor.position(), cursor.size());
            }
            next += judge.pass(cursor, until - next - 1);
            more = cursor.next();
            next = more ? cursor.offset() : next + 1; // where few messages are retained the next one may be far
        }
        return found.isEmpty()
                ? PullResult.none(stop, next, min, max)
                : new PullResult(Status.FOUND, next, min, max, found.firstPosition(), found.messages(), found.buffer());
    }
}
