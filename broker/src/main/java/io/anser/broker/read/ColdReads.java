package io.anser.broker.read;

import io.anser.store.file.StoreException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * left to those who write. The rest waits, and connections take turns: one that reads many queues from far behind does not
 * keep the others waiting for all of them. Any thread.
 */
public final class ColdReads {
    /** Most reads that run at once: on every second core, since each keeps one busy. */
    static final int RUNNING_MAX = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    /** Most reads that wait, beside one for each connection; more are refused, and the consumers come again. */
    static final int WAITING_MAX = 4096;

    /** Bytes that the device brings into memory at once, at the least. */
    private static final int PAGE_BYTES = 4096;

    private final Executor workers;

    /** The reads of each connection, that first whose turn it is. Guarded by this object. */
    private final Map<Object, Queue<Read>> waiting = new LinkedHashMap<>();

    /** How many reads that are. Guarded by this object. */
    private int waitingReads;

    /** Guarded by this object. */
    private int running;

    /** One read; exactly one of the methods {@link #read} and {@link #refused} is called, once. */
    public interface Read {
        /** The connection that it is for; reads of the same one have the same object. */
        Object connection();

        /** Reads and answers. On a worker; may wait for the device. */
        void read();

        /** Too many reads wait already. */
        void refused(StoreException busy);
    }

    /**
     * Reads on the workers.
     *
     * @param workers bounded; may refuse when busy
     */
    public ColdReads(Executor workers) {
        this.workers = workers;
    }

    /** Has something read on a worker. Any thread; never blocks. */
    public void add(Read read) {
        boolean taken;
        boolean starts;
        synchronized (this) {
            taken = waitingReads < WAITING_MAX || !waiting.containsKey(read.connection());
            if (taken) {
                enqueue(read);
            }
            starts = taken && running < RUNNING_MAX;
            if (starts) {
                running++;
            }
        }
        if (starts) {
            submit();
        } else if (!taken) {
            read.refused(busy());
        }
    }

    private void enqueue(Read read) {
        waiting.computeIfAbsent(read.connection(), connection -> new ArrayDeque<>(1))
                .add(read);
        waitingReads++;
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
                waiting.values().forEach(refused::addAll);
                waiting.clear();
                waitingReads = 0;
            }
        }
        refused.forEach(read -> read.refused(busy()));
    }

    private static StoreException busy() {
        return new StoreException(
                StoreException.Kind.BUSY,
                "the device is slow to read, or much is read from far behind: reads waiting limit=" + WAITING_MAX);
    }

    private void runOne() {
        try {
            Read read = next();
            if (read != null) {
                read.read();
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
        Iterator<Map.Entry<Object, Queue<Read>>> turns = waiting.entrySet().iterator();
        if (!turns.hasNext()) {
            return null;
        }
        Map.Entry<Object, Queue<Read>> turn = turns.next();
        Object connection = turn.getKey();
        Queue<Read> reads = turn.getValue();
        turns.remove();
        Read read = reads.poll();
        waitingReads--;
        if (!reads.isEmpty()) {
            waiting.put(connection, reads); // behind all others
        }
        return read;
    }

    /**
     * Brings messages into memory, so that the event loop which sends them need not wait for the device: reads a byte of each
     * page. Not for the event loops.
     *
     * @return the sum of those bytes, which keeps the reads from being left out
     */
    public static int touch(ByteBuf messages) {
        int sum = 0;
        int last = messages.readableBytes() - 1;
        for (int i = 0; i < last; i += PAGE_BYTES) {
            sum += messages.getByte(messages.readerIndex() + i);
        }
        return last < 0 ? sum : sum + messages.getByte(messages.readerIndex() + last);
    }
}
