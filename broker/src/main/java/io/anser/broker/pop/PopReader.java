package io.anser.broker.pop;

import io.anser.broker.filter.MessageFilter;
import io.anser.broker.read.Judge;
import io.anser.broker.read.Stretches;
import io.anser.broker.read.WarmPart;
import io.anser.protocol.message.MessageView;
import io.anser.store.MessageStore;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Arrays;

/** Reads messages of one queue for a pop. What is lost is passed over. Any thread. */
final class PopReader {
    private final MessageStore store;
    private final int maxScanned;
    // A cursor keeps the page of the index that it read last, so each thread has one for good.
    private final FastThreadLocal<QueueCursor> cursors = new FastThreadLocal<>() {
        @Override
        protected QueueCursor initialValue() {
            return new QueueCursor();
        }
    };

    PopReader(MessageStore store, int maxScanned) {
        this.store = store;
        this.maxScanned = maxScanned;
    }

    /**
     * What is wanted of a queue.
     *
     * @param maxMessages most messages, at least 1
     * @param maxBytes most bytes; the first message is taken whatever its size
     * @param filter which messages
     * @param mayWait whether the thread may wait for the device
     */
    record Wish(int maxMessages, int maxBytes, MessageFilter filter, boolean mayWait) {}

    /**
     * What was found.
     *
     * @param next where to read on; what lies before it and is not among the offsets is not wanted
     * @param offsets the queue offsets of the messages, rising
     * @param messages the messages, to be released by whoever holds the result
     * @param cold whether reading ended at a message that may have to be waited for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Found(long next, long[] offsets, ByteBuf messages, boolean cold) {}

    /** Reads from an offset on, before another one. */
    Found read(QueueLog queue, long from, long until, Wish wish) {
        QueueCursor cursor = cursors.get();
        long limit = Math.min(until, from + maxScanned);
        long[] offsets = new long[wish.maxMessages()];
        Stretches found = new Stretches(store);
        WarmPart warm = new WarmPart(store);
        long next = from;
        boolean cold = false;
        boolean more = cursor.seek(queue, from);
        Judge judge = new Judge(store, wish.filter(), new MessageView());
        while (more && next < limit && found.messages() < offsets.length && judge.mayGoOn()) {
            boolean wanted = cursor.size() > 0 && wish.filter().mayAccept(cursor.tagsHash());
            if (wanted && !wish.mayWait() && !warm.holds(cursor.position(), cursor.size())) {
                cold = true;
                break;
            }
            if (wanted && store.isSound(cursor.position(), cursor.size()) && judge.accepts(cursor)) {
                if (!found.takes(cursor.size(), wish.maxBytes())) {
                    break;
                }
                offsets[found.messages()] = next;
                found.add(cursor.position(), cursor.size());
            }
            next++;
            more = cursor.next();
        }
        return result(next, offsets, found, cold);
    }

    /** Reads certain messages; those that are not there any more are left out. */
    Found readExactly(QueueLog queue, long[] wanted, boolean mayWait) {
        QueueCursor cursor = cursors.get();
        long[] offsets = new long[wanted.length];
        Stretches found = new Stretches(store);
        WarmPart warm = new WarmPart(store);
        for (long offset : wanted) {
            boolean there = cursor.seek(queue, offset) && cursor.size() > 0;
            if (there && !mayWait && !warm.holds(cursor.position(), cursor.size())) {
                return new Found(offset, new long[0], Unpooled.EMPTY_BUFFER, true);
            }
            if (there && store.isSound(cursor.position(), cursor.size())) {
                offsets[found.messages()] = offset;
                found.add(cursor.position(), cursor.size());
            }
        }
        return result(wanted[wanted.length - 1] + 1, offsets, found, false);
    }

    private static Found result(long next, long[] offsets, Stretches found, boolean cold) {
        return found.isEmpty()
                ? new Found(next, new long[0], Unpooled.EMPTY_BUFFER, cold)
                : new Found(next, Arrays.copyOf(offsets, found.messages()), found.buffer(), cold);
    }
}
