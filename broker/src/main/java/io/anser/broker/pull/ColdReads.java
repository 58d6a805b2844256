package io.anser.broker.pull;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * Answers pulls of old messages from a worker: an event loop that writes bytes of a mapped file waits for the device where
 * they are not in memory, and all its other connections wait with it. The worker touches them first.
 */
final class ColdReads {
    /**
     * Messages farther than this from the end of the log, in bytes, may have left the memory. Consumers that keep up stay
     * far below it and are answered without a change of threads.
     */
    static final long WARM_LOG_BYTES = 128L << 20;

    /** Bytes that the device brings into memory at once, at the least. */
    private static final int PAGE_BYTES = 4096;

    private final LongSupplier committedPosition;
    private final Executor workers;

    /**
     * Answers some pulls from the workers.
     *
     * @param workers bounded; when they are busy, the event loop waits for the device after all
     */
    ColdReads(LongSupplier committedPosition, Executor workers) {
        this.committedPosition = committedPosition;
        this.workers = workers;
    }

    /** Answers with the result, at once or from a worker. */
    void respond(PullAnswer answer, PullResult result) {
        if (result.status() != PullResult.Status.FOUND
                || committedPosition.getAsLong() - result.firstPosition() <= WARM_LOG_BYTES) {
            answer.respond(result);
            return;
        }
        try {
            workers.execute(() -> {
                touch(result.messages());
                answer.respond(result);
            });
        } catch (RejectedExecutionException busy) {
            answer.respond(result);
        }
    }

    /** Reads a byte of each page; the sum keeps the reads from being left out. */
    private static int touch(ByteBuf messages) {
        int sum = 0;
        int last = messages.readableBytes() - 1;
        for (int i = 0; i < last; i += PAGE_BYTES) {
            sum += messages.getByte(i);
        }
        return sum + messages.getByte(last);
    }
}
