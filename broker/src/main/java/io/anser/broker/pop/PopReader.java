package io.anser.broker.pop;

import io.anser.broker.read.Judge;
import io.anser.broker.read.Judge.Verdict;
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

    /**
     * Reads what a store has.
     *
     * @param maxScanned most index entries of one look
     */
    PopReader(MessageStore store, int maxScanned) {
        this.store = store;
        this.maxScanned = maxScanned;
    }

    /** Begins a look for a wish, with what others want at this moment. */
    Reading begin(PopWish wish, int maxBytes, boolean mayWait) {
        WarmPart warm = new WarmPart(store);
        Judge judge = new Judge(store, wish.filter(), wish.others().now(), new MessageView(), warm);
        return new Reading(judge, warm, wish.maxMessages(), maxBytes, maxScanned, mayWait);
    }

    /**
     * What was found.
     *
     * @param next where to read on; what lies before it and is not among the offsets is not wanted
     * @param offsets the queue offsets of the messages, rising
     * @param messages the messages, to be released by whoever holds the result
     * @param cold whether reading ended at a message that may have to be waited for
     * @param left whether it ended at a message that is for others
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Found(long next, long[] offsets, ByteBuf messages, boolean cold, boolean left) {}

    /**
     * Reads from an offset on, before another one.
     *
     * @param room most messages, besides what the look allows
     */
    Found read(QueueLog queue, long from, long until, int room, Reading reading) {
        QueueCursor cursor = cursors.get();
        long[] offsets = new long[Math.min(room, reading.messages())];
        Stretches found = new Stretches(store);
        WarmPart warm = reading.warm();
        Judge judge = reading.judge();
        long next = from;
        boolean cold = false;
        boolean left = false;
        boolean more = cursor.seek(queue, from);
        while (more && next < until && found.messages() < offsets.length && reading.mayLookOn()) {
            reading.looked();
            boolean looked = judge.looksAt(cursor);
            if (looked && !reading.mayWait() && !warm.holds(cursor.position(), cursor.size())) {
                cold = true;
                break;
            }
            Verdict verdict = looked ? judge.of(cursor) : Verdict.UNWANTED;
            if (verdict == Verdict.LEFT_TO_OTHERS) {
                left = true;
                break;
            }
            if (verdict == Verdict.WANTED) {
                if (!found.takes(cursor.size(), reading.bytes())) {
                    break;
                }
                offsets[found.messages()] = next;
                found.add(cursor.position(), cursor.size());
            }
            next += reading.pass(cursor, until - next - 1);
            more = cursor.next();
            next = more ? cursor.offset() : next + 1; // where few messages are retained the next one may be far
        }
        return result(next, offsets, found, cold, left);
    }

    /** Brings into memory what comes behind an offset, for the next look. Waits for the device. */
    void readAhead(QueueLog queue, long next) {
        QueueCursor cursor = cursors.get();
        if (cursor.seek(queue, next)) {
            store.readAhead(cursor.position(), WarmPart.READ_AHEAD_BYTES);
        }
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
                return new Found(offset, new long[0], Unpooled.EMPTY_BUFFER, true, false);
            }
            if (there && store.isSound(cursor.position(), cursor.size())) {
                offsets[found.messages()] = offset;
                found.add(cursor.position(), cursor.size());
            }
        }
        return result(wanted[wanted.length - 1] + 1, offsets, found, false, false);
    }

    private static Found result(long next, long[] offsets, Stretches found, boolean cold, boolean left) {
        return found.isEmpty()
                ? new Found(next, new long[0], Unpooled.EMPTY_BUFFER, cold, left)
                : new Found(next, Arrays.copyOf(offsets, found.messages()), found.buffer(), cold, left);
    }
}
