package io.anser.broker.reply;

import io.anser.protocol.operation.PushReplyMessageToClient;
import io.anser.transport.Reply;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The clients that wait for replies. Any thread. */
@FunctionalInterface
public interface Requesters {
    /** The way to one client. */
    @FunctionalInterface
    interface Requester {
        /**
         * Brings it a reply.
         *
         * @param body taken over
         * @return what it says to that, on an event loop; fails when it is gone or silent
         */
        CompletableFuture<Reply> bring(PushReplyMessageToClient.Request reply, ByteBuf body);
    }

    /** Returns the client of that id, if it is connected. */
    Optional<Requester> find(String clientId);
}
