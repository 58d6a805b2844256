package io.anser.client;

import io.anser.protocol.body.ConsumerIdList;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.GetConsumerListByGroup;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.UnlockBatchQueues;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.transport.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member of a consumer group asks of the brokers. Thread-safe. Futures fail with {@link AnserException}; the methods
 * that return values block for a few seconds at most and belong to the member's own thread.
 */
final class GroupCalls {
    /** A delay level that sends a message to the dead letters at once. */
    static final int TO_DEAD_LETTERS = -1;

    private static final int PULL_MESSAGES = 32;
    private static final long HOLD_MILLIS = 15_000;
    private static final long PULL_TIMEOUT_MILLIS = HOLD_MILLIS + 10_000;
    private static final int PULL_FLAGS = PullMessage.FLAG_SUSPEND | PullMessage.FLAG_SUBSCRIPTION;
    private static final byte[] NO_BODY = {};

    private static final Logger log = LoggerFactory.getLogger(GroupCalls.class);

    private final ConsumerSettings settings;
    private final String clientId;
    private final long subscriptionVersion;
    private final Remoting remoting;
    private final RouteCache routes;
    private final Heartbeats heartbeats;

    GroupCalls(
            ConsumerSettings settings,
            String clientId,
            long subscriptionVersion,
            Remoting remoting,
            RouteCache routes,
            Heartbeats heartbeats) {
        this.settings = settings;
        this.clientId = clientId;
        this.subscriptionVersion = subscriptionVersion;
        this.remoting = remoting;
        this.routes = routes;
        this.heartbeats = heartbeats;
    }

    /** Pulls from an offset on; the broker holds the answer back until there is a message or 15 seconds have passed. */
    CompletableFuture<PullResult> pull(MessageQueue queue, long fromOffset, TagFilter filter, long readerId) {
        Optional<String> address = routes.cached(queue.topic()).flatMap(r -> r.reader(queue.brokerName(), readerId));
        if (address.isEmpty()) {
            return CompletableFuture.failedFuture(unknownBroker(queue));
        }
        PullMessage.Request request = new PullMessage.Request(
                settings.group(),
                queue.topic(),
                queue.queueId(),
                fromOffset,
                PULL_MESSAGES,
                PULL_FLAGS,
                0,
                HOLD_MILLIS,
                filter.expression(),
                subscriptionVersion,
                "TAG",
                -1);
        return remoting.call(address.get(), PullMessage.CODE, request, NO_BODY, PULL_TIMEOUT_MILLIS)
                .thenApply(reply -> pullResult(address.get(), queue, filter, reply));
    }

    private static PullResult pullResult(String address, MessageQueue queue, TagFilter filter, Reply reply) {
        PullResult.Outcome outcome = switch (reply.code()) {
            case ResponseCode.SUCCESS, ResponseCode.PULL_RETRY_IMMEDIATELY -> PullResult.Outcome.MESSAGES;
            case ResponseCode.PULL_NOT_FOUND -> PullResult.Outcome.NOTHING_NEW;
            case ResponseCode.PULL_OFFSET_MOVED -> PullResult.Outcome.MOVED;
            default -> throw Remoting.refused(address, PullMessage.CODE, reply);
        };
        PullMessage.Response response = PullMessage.Response.decode(reply.header());
        List<ReceivedMessage> messages =
                reply.code() == ResponseCode.SUCCESS ? messages(queue, filter, reply.body()) : List.of();
        return new PullResult(outcome, response.nextBeginOffset(), response.suggestWhichBrokerId(), messages);
    }

    private static List<ReceivedMessage> messages(MessageQueue queue, TagFilter filter, byte[] body) {
        List<ReceivedMessage> messages = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(body);
        MessageView view = new MessageView();
        for (int at = 0; at < body.length; at += view.totalSize()) {
            ReceivedMessage message = ReceivedMessage.read(queue, view.wrap(bytes, at));
            if (filter.wants(message.tag())) {
                messages.add(message);
            }
        }
        return messages;
    }

    /** Does what may help the next pull: asks for the route anew, or tells a broker that has forgotten it of this member. */
    void pullFailed(MessageQueue queue, @Nullable Throwable failure) {
        int code = failure == null
                ? AnserException.NO_ANSWER
                : Remoting.failure(failure).code();
        if (code == ResponseCode.SUBSCRIPTION_NOT_EXIST || code == ResponseCode.SUBSCRIPTION_NOT_LATEST) {
            heartbeats.beatSoon();
        } else {
            routes.refresh(queue.topic());
        }
    }

    /** Gives a failed message back to the broker that has it, to come again later or to go to the dead letters. */
    CompletableFuture<Reply> sendBack(ReceivedMessage message, int delayLevel) {
        ConsumerSendMessageBack.Request request = new ConsumerSendMessageBack.Request(
                message.logPosition(),
                settings.group(),
                delayLevel,
                message.id(),
                message.topic(),
                false,
                settings.maxAttempts() - 1);
        return atMaster(message.queue(), ConsumerSendMessageBack.CODE, request);
    }

    /** The offset the group has committed for a queue, if any. */
    CompletableFuture<OptionalLong> committedOffset(MessageQueue queue) {
        QueryConsumerOffset.Request request =
                new QueryConsumerOffset.Request(settings.group(), queue.topic(), queue.queueId(), false);
        return atMaster(queue, QueryConsumerOffset.CODE, request)
                .thenApply(reply -> OptionalLong.of(
                        QueryConsumerOffset.Response.decode(reply.header()).offset()))
                .exceptionallyCompose(cause -> {
                    AnserException failure = Remoting.failure(cause);
                    return failure.code() == ResponseCode.QUERY_NOT_FOUND
                            ? CompletableFuture.completedFuture(OptionalLong.empty())
                            : CompletableFuture.failedFuture(failure);
                });
    }

    /** Commits the group's offset for a queue. */
    CompletableFuture<Reply> commit(MessageQueue queue, long offset) {
        return atMaster(
                queue,
                UpdateConsumerOffset.CODE,
                new UpdateConsumerOffset.Request(settings.group(), queue.topic(), queue.queueId(), offset));
    }

    /** The client ids of all members of the group, sorted: the answer of the first broker of the topic that has one. */
    List<String> members(Route route) {
        AnserException last = unknownBroker(new MessageQueue(route.topic(), "any", 0));
        for (String brokerName : route.brokers().keySet()) {
            Optional<String> address = route.master(brokerName);
            if (address.isPresent()) {
                try {
                    Reply reply = join(remoting.demand(
                            address.get(),
                            GetConsumerListByGroup.CODE,
                            new GetConsumerListByGroup.Request(settings.group()),
                            NO_BODY));
                    return List.copyOf(
                            new TreeSet<>(ConsumerIdList.read(reply.body()).consumerIdList()));
                } catch (AnserException e) {
                    last = e;
                }
            }
        }
        throw last;
    }

    /**
     * What brokers answered to a request for locks. Queues of brokers that did not answer are in neither set.
     *
     * @param granted locked for this member now
     * @param refused locked by another member
     */
    record Locks(Set<MessageQueue> granted, Set<MessageQueue> refused) {}

    /** Locks queues for this member, or renews its locks. */
    Locks lock(Collection<MessageQueue> queues) {
        Map<String, Set<MessageQueue>> byBroker = byBroker(queues);
        Map<String, CompletableFuture<Reply>> asked = new TreeMap<>();
        byBroker.forEach((address, some) ->
                asked.put(address, remoting.demand(address, LockBatchQueues.CODE, FieldSource.NONE, lockBody(some))));
        Set<MessageQueue> granted = new HashSet<>();
        Set<MessageQueue> refused = new HashSet<>();
        asked.forEach((address, answer) -> {
            try {
                Set<MessageQueue> locked =
                        LockBatch.Response.read(join(answer).body()).lockOKMQSet();
                for (MessageQueue queue : byBroker.getOrDefault(address, Set.of())) {
                    (locked.contains(queue) ? granted : refused).add(queue);
                }
            } catch (AnserException e) {
                log.debug("locks not answered group={} broker={} reason={}", settings.group(), address, e.getMessage());
            }
        });
        return new Locks(granted, refused);
    }

    /** Gives locks back, without waiting for an answer: a lost one runs out by itself. */
    void unlock(Collection<MessageQueue> queues) {
        byBroker(queues)
                .forEach((address, some) ->
                        remoting.oneWay(address, UnlockBatchQueues.CODE, FieldSource.NONE, lockBody(some)));
    }

    private Map<String, Set<MessageQueue>> byBroker(Collection<MessageQueue> queues) {
        Map<String, Set<MessageQueue>> byBroker = new TreeMap<>();
        for (MessageQueue queue : queues) {
            routes.cached(queue.topic())
                    .flatMap(route -> route.master(queue.brokerName()))
                    .ifPresent(address -> byBroker.computeIfAbsent(address, a -> new TreeSet<>())
                            .add(queue));
        }
        return byBroker;
    }

    private byte[] lockBody(Set<MessageQueue> queues) {
        return new LockBatch.Request(settings.group(), clientId, false, queues).write();
    }

    private CompletableFuture<Reply> atMaster(MessageQueue queue, int code, FieldSource fields) {
        Optional<String> address = routes.cached(queue.topic()).flatMap(r -> r.master(queue.brokerName()));
        return address.isEmpty()
                ? CompletableFuture.failedFuture(unknownBroker(queue))
                : remoting.demand(address.get(), code, fields, NO_BODY);
    }

    private static AnserException unknownBroker(MessageQueue queue) {
        return new AnserException(
                AnserException.NO_ANSWER,
                true,
                "broker=" + queue.brokerName() + " topic=" + queue.topic() + " has no known address now");
    }

    private static <T> T join(CompletableFuture<T> call) {
        // The call has a time-out of its own; the longer one here only guards against its loss.
        return Remoting.join(call, 2 * Remoting.CALL_TIMEOUT_MILLIS);
    }
}
