package io.anser.raft.engine;

import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotCopier;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Lets the engine wait while an {@link InstallRun} goes on: it takes no entries meanwhile. The engine itself never loads what
 * is received: the store is opened anew with it, and the engine with the store, so this waits until the engine ends. Any
 * thread cancels.
 */
final class InstallCopier extends SnapshotCopier {
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    InstallCopier(CompletableFuture<Void> received) {
        received.whenComplete((nothing, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
            }
        });
    }

    @Override
    public void cancel() {
        end.complete(null);
    }

    @Override
    public void join() throws InterruptedException {
        try {
            end.get();
            setError(RaftError.ECANCELED, "the log is received beside the engine");
        } catch (ExecutionException e) {
            setError(RaftError.EAGAIN, "the log was not received: %s", String.valueOf(e.getCause()));
        }
    }

    @Override
    public void start() {}

    @Override
    public @Nullable SnapshotReader getReader() {
        return null;
    }

    @Override
    public void close() {
        cancel();
    }
}
