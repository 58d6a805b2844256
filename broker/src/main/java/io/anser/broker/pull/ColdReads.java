package io.anser.broker.pull;

import io.anser.store.file.StoreException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads old messages on a worker: an event loop that touches bytes of a mapped file waits for the device where they are not
 * in memory, and all its other connections wait with it. What nobody has read since the process started is checked on the
 * way.
 *
 * <p>Few reads run at once and each is a task of its own, so that the pool's other work gets its turn and the device is
 * left to those who write. The rest waits in the order of arrival.
 */
final class ColdReads {
    /** Most reads that run at once: on every second core, since each keeps one busy. */
    static final int RUNNING_MAX = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    /** Most reads that wait; more are refused, and the consumers come again. */
    static final int WAITING_MAX = 4096;

    /** Bytes that the device brings into memory at once, at the least. */
    private static final int PAGE_BYTES = 4096;

    private final QueueReader reader;
    private final Executor workers;

    /** Guarded by this object. */
    private final Queue<Read> waiting = new ArrayDeque<>();

    /** Guarded by this object. */
    private int running;

    private record Read(PullAnswer answer, PullQuery query) {}

    /**
     * Reads on the workers.
     *
     * @param workers bounded; may refuse when busy
     */
    ColdReads(QueueReader reader, Executor workers) {
        this.reader = reader;
        this.workers = workers;
    }

    /** Answers a query from a worker. Any thread; never blocks. */
    void read(PullAnswer answer, PullQuery query) {
        boolean taken;
        boolean starts;
        synchronized (this) {
            taken = waiting.size() < WAITING_MAX;
            if (taken) {
                waiting.add(new Read(answer, query));
            }
            starts = taken && running < RUNNING_MAX;
            if (starts) {
                running++;
            }
        }
        if (starts) {
            submit();
        } else if (!taken) {
            answer.fail(busy());
        }
    }

    private void submit() {
        try {
            workers.execute(this::runOne);
        } catch (RejectedExecutionException full) {
            refuse();
        }
    }

    /** The pool takes nothing: what waits is refused, unless another run is under way that gets to it. */
    private void refuse() {
        List<Read> refused = new ArrayList<>();
        synchronized (this) {
            running--;
            if (running == 0) {
                refused.addAll(waiting);
                waiting.clear();
            }
        }
        refused.forEach(read -> read.answer.fail(busy()));
    }

    private static StoreException busy() {
        return new StoreException(StoreException.Kind.BUSY, "too many old messages are being read; try again");
    }

    private void runOne() {
        try {
            Read read = next();
            if (read != null) {
                answer(read);
            }
        } finally {
            boolean more;
            synchronized (this) {
                more = !waiting.isEmpty();
                if (!more) {
                    running--;
                }
            }
            if (more) {
                submit();
            }
        }
    }

    private synchronized @Nullable Read next() {
        return waiting.poll();
    }

    private void answer(Read read) {
        PullResult result;
        try {
            result = reader.readWaiting(read.query);
        } catch (StoreException failed) {
            read.answer.fail(failed);
            return;
        }
        touch(result.messages());
        read.answer.respond(result);
        reader.readAhead(read.query.from(result.nextOffset()));
    }

    /** Reads a byte of each page; the sum keeps the reads from being left out. */
    private static int touch(ByteBuf messages) {
        int sum = 0;
        int last = messages.readableBytes() - 1;
        for (int i = 0; i < last; i += PAGE_BYTES) {
            sum += messages.getByte(i);
        }
        return last < 0 ? sum : sum + messages.getByte(last);
    }
}
