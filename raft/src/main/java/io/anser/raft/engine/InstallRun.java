package io.anser.raft.engine;

import io.anser.raft.rpc.InstallQuestion;
import io.anser.store.file.StoreException;
import io.anser.store.install.InstallPiece;
import io.anser.store.install.InstallPlan;
import io.anser.store.install.Installation;
import io.anser.system.FaultHandler;
import io.anser.system.Scheduler;
import io.anser.system.Threads;
import io.anser.transport.RemotingClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the beginning of the log given by another member, on a worker of its own: one piece at a time, so that as many are on
 * their way, and no faster than is good for those that serve clients meanwhile. A broken connection costs nothing but the
 * piece that was asked for; who asks the same member again later goes on where this has ended, another one gives all anew.
 */
final class InstallRun {
    private static final Logger LOG = LoggerFactory.getLogger(InstallRun.class);
    private static final int PIECE_BYTES = 256 << 10;
    private static final long ANSWER_MILLIS = 10_000;

    /** So much is received in so much time at the most: 64 MiB each second. */
    private static final int PACE_BYTES = 8 << 20;

    private static final long PACE_MILLIS = 125;

    private static final int FAILURES_MAX = 10;
    private static final long PAUSE_MILLIS = 500;
    private static final int END_SECONDS_MAX = 60;

    private final String group;
    private final Installation installation;
    private final RemotingClient connections;
    private final Scheduler scheduler;
    private final Runnable done;
    private final ExecutorService worker;
    private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);
    private boolean closed;

    /** Who gives; the worker asks with each plan. */
    private volatile String from = "";

    private int failures;

    /**
     * Nothing is received before {@link #receive}.
     *
     * @param done told on the worker, once, when all has been received
     */
    InstallRun(
            String group,
            Installation installation,
            RemotingClient connections,
            Scheduler scheduler,
            Runnable done,
            FaultHandler faults) {
        this.group = group;
        this.installation = installation;
        this.connections = connections;
        this.scheduler = scheduler;
        this.done = done;
        this.worker = Threads.workers("worker-install", 1, 1, faults);
    }

    /**
     * Receives from a member, be that begun already or not. Any thread.
     *
     * @return completes when all is there; fails when it does not come
     */
    synchronized CompletableFuture<Void> receive(String hostPort) {
        from = hostPort;
        if (closed || !running.isDone() || installation.isWhole()) {
            return running;
        }
        CompletableFuture<Void> begun = new CompletableFuture<>();
        try {
            worker.execute(() -> run(begun));
            running = begun;
        } catch (RejectedExecutionException busy) {
            begun.completeExceptionally(busy);
        }
        return begun;
    }

    private void run(CompletableFuture<Void> end) {
        LOG.info("this member lacks the beginning of the log, receiving it group={} from={}", group, from);
        try {
            failures = 0;
            while (!isReceived()) {
                // The next look begins with a new plan.
            }
            LOG.info("the beginning of the log is received group={} position={}", group, installation.position());
            end.complete(null);
            done.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end.completeExceptionally(e);
        } catch (IOException | RuntimeException e) {
            LOG.error("the beginning of the log cannot be received group={} from={}", group, from, e);
            end.completeExceptionally(e);
        } finally {
            closeFile();
        }
    }

    private boolean isReceived() throws IOException, InterruptedException {
        String giver = from; // of all that belongs to the plan
        try {
            Optional<InstallPlan> plan = answer(InstallQuestion.plan(connections, giver, group, ANSWER_MILLIS));
            if (plan.isEmpty()) {
                throw new IOException("the member at " + giver + " has no snapshot");
            }
            installation.follow(giver, plan.get());
            if (!areReceived(giver)) {
                failed("a file has gone", null);
                return false;
            }
            installation.verify();
            return true;
        } catch (IOException e) {
            failed(e.getMessage(), e);
            return false;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.REFUSED) {
                throw e;
            }
            failed(e.getMessage(), e);
            return false;
        }
    }

    private boolean areReceived(String giver) throws IOException, InterruptedException {
        int paced = 0;
        CompletableFuture<Void> pace = after(PACE_MILLIS);
        for (Optional<InstallPiece> next = installation.next(); next.isPresent(); next = installation.next()) {
            InstallPiece piece = next.get();
            Optional<ByteBuffer> bytes = answer(InstallQuestion.piece(
                    connections, giver, group, installation.position(), piece, PIECE_BYTES, ANSWER_MILLIS));
            if (bytes.isEmpty()) {
                return false;
            }
            paced += bytes.get().remaining();
            installation.add(piece, bytes.get());
            failures = 0;
            if (paced >= PACE_BYTES) {
                answer(pace);
                paced = 0;
                pace = after(PACE_MILLIS);
            }
        }
        return true;
    }

    private void failed(@Nullable String why, @Nullable Exception e) throws IOException, InterruptedException {
        if (++failures == FAILURES_MAX) {
            throw new IOException("given up after failures=" + failures + ", the last one: " + why, e);
        }
        LOG.warn("asking again for the beginning of the log group={} from={} reason={}", group, from, why);
        answer(after(PAUSE_MILLIS));
    }

    private CompletableFuture<Void> after(long millis) {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        scheduler.schedule(millis, () -> passed.complete(null));
        return passed;
    }

    private static <A> A answer(CompletableFuture<A> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        }
    }

    private void closeFile() {
        try {
            installation.closeOpen();
        } catch (IOException e) {
            LOG.warn("a file of the beginning of the log cannot be closed", e);
        }
    }

    /** Ends the worker. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        worker.shutdownNow();
        Threads.awaitEnd(worker, END_SECONDS_MAX);
    }
}
