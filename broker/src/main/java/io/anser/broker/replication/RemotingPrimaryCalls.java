package io.anser.broker.replication;

import io.anser.protocol.frame.ResponseCode;
import io.anser.transport.RemotingClient;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** The calls over the remoting protocol. Any thread. */
final class RemotingPrimaryCalls implements PrimaryCalls {
    private static final long FOLLOW_MILLIS = 5_000;
    private static final long FETCH_MILLIS = Replicas.PARKED_MILLIS + 5_000;

    private final RemotingClient connections;
    private final String primary;

    RemotingPrimaryCalls(RemotingClient connections, String primary) {
        this.connections = connections;
        this.primary = primary;
    }

    @Override
    public CompletableFuture<FollowAnswer> follow(FollowRequest request) {
        return connections
                .call(primary, ReplicationCodes.FOLLOW, request, Unpooled.EMPTY_BUFFER, FOLLOW_MILLIS)
                .thenApply(reply -> {
                    requireSuccess(reply);
                    return new FollowAnswer(
                            FollowAnswer.Verdict.of(reply.header().string(Primary.VERDICT)),
                            reply.remark().orElse(""));
                });
    }

    @Override
    public CompletableFuture<FetchAnswer> fetch(FetchRequest request) {
        return connections
                .call(primary, ReplicationCodes.FETCH, request, Unpooled.EMPTY_BUFFER, FETCH_MILLIS)
                .thenApply(reply -> {
                    requireSuccess(reply);
                    return new FetchAnswer(
                            ByteBuffer.wrap(reply.body()),
                            reply.header().number(FetchRequest.COMMITTED),
                            reply.header().number(FetchRequest.KEPT));
                });
    }

    @Override
    public void acknowledge(FetchRequest request) {
        connections.oneWay(primary, ReplicationCodes.ACKNOWLEDGE, request, Unpooled.EMPTY_BUFFER);
    }

    /** Asks for the size of the primary's segments. */
    CompletableFuture<Integer> segmentBytes() {
        return connections
                .call(
                        primary,
                        ReplicationCodes.SEGMENT_BYTES,
                        new FetchRequest(0, 0, 0),
                        Unpooled.EMPTY_BUFFER,
                        FOLLOW_MILLIS)
                .thenApply(reply -> {
                    requireSuccess(reply);
                    return reply.header().integer(Primary.SEGMENT_BYTES);
                });
    }

    private static void requireSuccess(Reply reply) {
        if (reply.code() != ResponseCode.SUCCESS) {
            throw new IllegalStateException(
                    "code=" + reply.code() + " " + reply.remark().orElse(""));
        }
    }
}
