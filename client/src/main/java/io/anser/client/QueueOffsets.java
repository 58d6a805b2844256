package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.GetMaxOffset;
import io.anser.protocol.operation.GetMinOffset;
import io.anser.protocol.operation.SearchOffsetByTimestamp;
import io.anser.transport.Reply;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Asks brokers which offsets a queue has. Thread-safe. */
final class QueueOffsets {
    private static final byte[] NO_BODY = {};

    private final Remoting remoting;
    private final RouteCache routes;

    QueueOffsets(Remoting remoting, RouteCache routes) {
        this.remoting = remoting;
        this.routes = routes;
    }

    /** The offset of the oldest message. */
    CompletableFuture<Long> min(MessageQueue queue) {
        return ask(queue, GetMinOffset.CODE, new GetMinOffset.Request(queue.topic(), queue.queueId()))
                .thenApply(reply -> GetMinOffset.Response.decode(reply.header()).offset());
    }

    /** The offset that the next message will get. */
    CompletableFuture<Long> max(MessageQueue queue) {
        return ask(queue, GetMaxOffset.CODE, new GetMaxOffset.Request(queue.topic(), queue.queueId(), true))
                .thenApply(reply -> GetMaxOffset.Response.decode(reply.header()).offset());
    }

    /** The offset of the first message stored at or after a time. */
    CompletableFuture<Long> at(MessageQueue queue, Instant time) {
        SearchOffsetByTimestamp.Request request = new SearchOffsetByTimestamp.Request(
                queue.topic(), queue.queueId(), time.toEpochMilli(), SearchOffsetByTimestamp.Boundary.LOWER);
        return ask(queue, SearchOffsetByTimestamp.CODE, request)
                .thenApply(reply ->
                        SearchOffsetByTimestamp.Response.decode(reply.header()).offset());
    }

    private CompletableFuture<Reply> ask(MessageQueue queue, int code, FieldSource fields) {
        return routes.find(queue.topic()).thenCompose(route -> {
            Optional<String> address = route.master(queue.brokerName());
            return address.isEmpty()
                    ? CompletableFuture.failedFuture(new AnserException(
                            AnserException.NO_ANSWER, true, "queue " + queue + " has no broker with a known address"))
                    : remoting.demand(address.get(), code, fields, NO_BODY);
        });
    }
}
