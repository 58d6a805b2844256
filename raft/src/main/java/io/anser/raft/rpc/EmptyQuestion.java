package io.anser.raft.rpc;

import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.RemotingClient;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Asks another member whether its log of the group has any entry: a request with the group's name as its body, answered with
 * one byte, 1 for entries and 0 for none.
 */
public final class EmptyQuestion {
    /** The request code, private as {@link MemberServer#CODE}. */
    public static final int CODE = 30_101;

    static final byte EMPTY = 0;
    static final byte NOT_EMPTY = 1;

    private EmptyQuestion() {}

    /**
     * Asks.
     *
     * @return whether there are none; fails when there is no answer, or not yet
     */
    public static CompletableFuture<Boolean> ask(
            RemotingClient connections, String hostPort, String group, long timeoutMillis) {
        return connections
                .call(
                        hostPort,
                        CODE,
                        FieldSource.NONE,
                        Unpooled.wrappedBuffer(group.getBytes(StandardCharsets.UTF_8)),
                        timeoutMillis)
                .thenApply(reply -> {
                    if (reply.code() != ResponseCode.SUCCESS || reply.body().length != 1) {
                        throw new IllegalStateException(
                                "code=" + reply.code() + " " + reply.remark().orElse(""));
                    }
                    return reply.body()[0] == EMPTY;
                });
    }
}
