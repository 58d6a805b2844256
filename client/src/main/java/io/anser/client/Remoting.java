package io.anser.client;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.RemotingClient;
import io.anser.transport.Reply;
import io.anser.transport.TransportException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls to servers, with failures told in this client's own words. Thread-safe. */
final class Remoting {
    /** How long a call waits that has no deadline of its own. */
    static final long CALL_TIMEOUT_MILLIS = 3000;

    private final RemotingClient client;

    Remoting(RemotingClient client) {
        this.client = client;
    }

    /** Calls a server; any answer, an error too, completes the future normally. Without one it fails with an {@link AnserException}. */
    CompletableFuture<Reply> call(String address, int code, FieldSource fields, byte[] body, long timeoutMillis) {
        return client.call(address, code, fields, wrap(body), timeoutMillis)
                .exceptionallyCompose(cause -> CompletableFuture.failedFuture(noAnswer(address, code, cause)));
    }

    /** Calls a server and takes only success for an answer: an error code fails the future. */
    CompletableFuture<Reply> demand(String address, int code, FieldSource fields, byte[] body) {
        return call(address, code, fields, body, CALL_TIMEOUT_MILLIS).thenApply(reply -> {
            if (reply.code() != ResponseCode.SUCCESS) {
                throw refused(address, code, reply);
            }
            return reply;
        });
    }

    /** Sends a request that gets no answer. The future completes when it was handed to the network. */
    CompletableFuture<Void> oneWay(String address, int code, FieldSource fields, byte[] body) {
        return client.oneWay(address, code, fields, wrap(body))
                .exceptionallyCompose(cause -> CompletableFuture.failedFuture(noAnswer(address, code, cause)));
    }

    private static ByteBuf wrap(byte[] body) {
        return body.length == 0 ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
    }

    /** The failure that an error answer stands for. An error code means that the server did nothing. */
    static AnserException refused(String address, int requestCode, Reply reply) {
        String text = "server=" + address + " request=" + requestCode + " answered code=" + reply.code() + ": "
                + reply.remark().orElse("");
        return new AnserException(reply.code(), true, text);
    }

    private static AnserException noAnswer(String address, int requestCode, Throwable cause) {
        Throwable reason = unwrap(cause);
        boolean retrySafe = reason instanceof TransportException failure && failure.retrySafe();
        String text = "server=" + address + " request=" + requestCode + " got no answer: " + reason.getMessage();
        return new AnserException(AnserException.NO_ANSWER, retrySafe, text, reason);
    }

    /** What a future really failed with. */
    static Throwable unwrap(Throwable cause) {
        Throwable inner = cause;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** What a future failed with, as this client's exception. */
    static AnserException failure(Throwable cause) {
        Throwable inner = unwrap(cause);
        return inner instanceof AnserException own
                ? own
                : new AnserException(
                        AnserException.UNREADABLE, false, "answer not understood: " + inner.getMessage(), inner);
    }

    /**
     * Waits for a call. For threads that may block only.
     *
     * @throws AnserException what the call failed with, or that the wait was interrupted or too long
     */
    static <T> T join(CompletableFuture<T> call, long timeoutMillis) {
        try {
            return call.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (TimeoutException e) {
            throw new AnserException(AnserException.NO_ANSWER, false, "no answer after " + timeoutMillis + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AnserException(AnserException.NO_ANSWER, false, "interrupted while waiting for an answer", e);
        }
    }
}
