package io.anser.broker.transaction;

import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.metadata.TransactionTable;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongPredicate;

/** Chooses where a task runs that reads a half message: an event loop must not wait for the device. Any thread. */
final class HalfReads {
    private final TransactionTable table;
    private final LongPredicate warm;
    private final Executor workers;

    /**
     * Makes the choice.
     *
     * @param warm whether the message at a log position can be read without waiting
     * @param workers may refuse when busy
     */
    HalfReads(TransactionTable table, LongPredicate warm, Executor workers) {
        this.table = table;
        this.warm = warm;
        this.workers = workers;
    }

    /**
     * Runs a task that reads the half message of a transaction: here when that does not wait, else on a worker.
     *
     * @param busy runs instead, here, when no worker takes it
     */
    void run(long id, Runnable task, Runnable busy) {
        Optional<OpenTransaction> open = table.find(id);
        if (open.isEmpty() || warm.test(open.get().position())) {
            task.run();
            return;
        }
        try {
            workers.execute(task);
        } catch (RejectedExecutionException full) {
            busy.run();
        }
    }
}
