package io.anser.raft.rpc;

import com.alipay.sofa.jraft.ReplicatorGroup;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.util.Endpoint;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.raft.Candidacy;
import io.anser.transport.RemotingClient;
import io.anser.transport.Reply;
import io.anser.transport.TransportException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks other members, over the process's connections. Nothing here waits for a connection to be made: the engine asks under
 * its lock, and a dead peer must not hold that. A request to a peer that cannot be reached fails by itself, at once while the
 * peer is in its pause. Any thread.
 */
final class MemberClient implements RpcClient {
    private static final Logger LOG = LoggerFactory.getLogger(MemberClient.class);

    private @Nullable RemotingClient client;
    private @Nullable Candidacy candidacy;

    /** Names the connections to use; called once, before the first request. */
    void use(RemotingClient connections, Candidacy ownCandidacy) {
        client = connections;
        candidacy = ownCandidacy;
    }

    @Override
    public boolean init(@Nullable RpcOptions options) {
        return client != null;
    }

    /** Whoever owns the connections closes them. */
    @Override
    public void shutdown() {}

    @Override
    public boolean checkConnection(Endpoint endpoint) {
        return true;
    }

    @Override
    public boolean checkConnection(Endpoint endpoint, boolean createIfAbsent) {
        return true;
    }

    /** The connection carries other members' requests too, and ends by itself when it is dead. */
    @Override
    public void closeConnection(Endpoint endpoint) {}

    @Override
    public void registerConnectEventListener(ReplicatorGroup replicators) {}

    @Override
    public Object invokeSync(Endpoint endpoint, Object request, InvokeContext context, long timeoutMillis)
            throws InterruptedException, RemotingException {
        try {
            return decode(call(endpoint, request, timeoutMillis).get(timeoutMillis, TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (TimeoutException e) {
            throw new InvokeTimeoutException(e);
        }
    }

    @Override
    public void invokeAsync(
            Endpoint endpoint, Object request, InvokeContext context, InvokeCallback callback, long timeoutMillis) {
        call(endpoint, request, timeoutMillis).whenComplete((reply, thrown) -> {
            Executor executor = callback.executor();
            if (executor == null) {
                complete(callback, reply, thrown);
                return;
            }
            try {
                executor.execute(() -> complete(callback, reply, thrown));
            } catch (RejectedExecutionException stopped) {
                LOG.debug("answer of {} came when nobody waited any more", endpoint, stopped);
            }
        });
    }

    private static void complete(InvokeCallback callback, @Nullable Reply reply, @Nullable Throwable thrown) {
        if (reply == null) {
            callback.complete(null, failure(thrown));
            return;
        }
        Object response;
        try {
            response = decode(reply);
        } catch (RemotingException e) {
            callback.complete(null, e);
            return;
        }
        callback.complete(response, null);
    }

    private CompletableFuture<Reply> call(Endpoint endpoint, Object request, long timeoutMillis) {
        RemotingClient connections = client;
        if (connections == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("no connections to use"));
        }
        if (request instanceof RequestVoteRequest && candidacy != null && !candidacy.mayStand()) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "this member does not stand for election: it is not up to date yet, or about to stop"));
        }
        return connections.call(
                endpoint.toString(),
                MemberServer.CODE,
                FieldSource.NONE,
                MemberMessages.encode(request),
                timeoutMillis);
    }

    private static Object decode(Reply reply) throws RemotingException {
        if (reply.code() != ResponseCode.SUCCESS) {
            throw new RemotingException(
                    "code=" + reply.code() + " " + reply.remark().orElse(""));
        }
        try {
            return MemberMessages.decode(reply.body());
        } catch (IOException e) {
            throw new RemotingException("not an answer of a member", e);
        }
    }

    private static RemotingException failure(@Nullable Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException || thrown instanceof ExecutionException
                ? thrown.getCause()
                : thrown;
        if (cause instanceof TransportException failed && failed.kind() == TransportException.Kind.TIMEOUT) {
            return new InvokeTimeoutException(failed);
        }
        return new RemotingException(cause == null ? "no answer" : String.valueOf(cause.getMessage()), cause);
    }
}
