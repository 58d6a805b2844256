package io.anser.broker.registration;

import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.GetTopicRoute;
import io.anser.system.Clock;
import io.anser.transport.RemotingClient;
import io.anser.transport.Reply;
import io.netty.buffer.Unpooled;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the queues of a topic are in the whole cluster, as name servers say; what they said within a second is remembered. Any
 * thread.
 */
public final class TopicRoutes {
    private static final long TIMEOUT_MILLIS = 3000;
    private static final long REMEMBERED_MILLIS = 1000;
    private static final int MAX_REMEMBERED = 10_000;

    private final RemotingClient client;
    private final Clock clock;
    private final ConcurrentHashMap<String, Asked> asked = new ConcurrentHashMap<>();
    private volatile List<String> nameServers = List.of();

    private record Asked(CompletableFuture<Optional<TopicRoute>> answer, long nanos) {}

    /** Makes the look-up; nothing is found before {@link #start}. */
    public TopicRoutes(RemotingClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * Begins to ask.
     *
     * @param addresses {@code host:port} of each name server
     */
    public void start(Collection<String> addresses) {
        nameServers = List.copyOf(addresses);
    }

    /** Looks a topic up; empty when no name server knows it, failed when none can be asked. */
    public CompletableFuture<Optional<TopicRoute>> find(String topic) {
        long now = clock.nanos();
        if (asked.size() > MAX_REMEMBERED) {
            asked.clear();
        }
        return asked.compute(topic, (name, known) -> isFresh(known, now) ? known : new Asked(ask(name, 0), now)).answer;
    }

    private static boolean isFresh(@Nullable Asked known, long now) {
        return known != null
                && now - known.nanos < TimeUnit.MILLISECONDS.toNanos(REMEMBERED_MILLIS)
                && !known.answer.isCompletedExceptionally();
    }

    private CompletableFuture<Optional<TopicRoute>> ask(String topic, int index) {
        List<String> servers = nameServers;
        if (index >= servers.size()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return client.call(
                        servers.get(index),
                        GetTopicRoute.CODE,
                        new GetTopicRoute.Request(topic, true),
                        Unpooled.EMPTY_BUFFER,
                        TIMEOUT_MILLIS)
                .thenApply(TopicRoutes::read)
                .handle((route, failure) -> {
                    if (failure == null || index + 1 >= servers.size()) {
                        return failure == null
                                ? CompletableFuture.completedFuture(route)
                                : CompletableFuture.<Optional<TopicRoute>>failedFuture(failure);
                    }
                    return ask(topic, index + 1);
                })
                .thenCompose(next -> next);
    }

    private static Optional<TopicRoute> read(Reply reply) {
        return switch (reply.code()) {
            case ResponseCode.SUCCESS -> Optional.of(TopicRoute.read(reply.body()));
            case ResponseCode.TOPIC_NOT_EXIST -> Optional.empty();
            default ->
                throw new RegistrationRefusedException(
                        "code=" + reply.code() + " remark=" + reply.remark().orElse(""));
        };
    }
}
