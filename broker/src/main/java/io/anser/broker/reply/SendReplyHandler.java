package io.anser.broker.reply;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.append.NewMessage;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicTable;
import io.anser.broker.reply.ReplyAppend.Stored;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageLayout;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.OffsetMessageId;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.operation.PushReplyMessageToClient;
import io.anser.protocol.operation.SendMessage;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.anser.transport.Reply;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a reply (operations 324 and 325): brings it to the client that asked, at once, and stores it meanwhile in the
 * cluster's reply topic, where people find it. The replier is answered when both are done; a reply that nobody could be
 * brought is refused, though it is stored.
 */
public final class SendReplyHandler implements Handler<SendMessage.Request> {
    private final TopicTable topics;
    private final String replyTopic;
    private final Requesters requesters;
    private final Appender log;
    private final BrokerAddress address;
    private final IntSupplier maxMessageBytes;
    private final Clock clock;

    /**
     * Makes the handler.
     *
     * @param replyTopic where replies are stored; a topic that is always there
     * @param maxMessageBytes largest body, asked for each reply
     */
    public SendReplyHandler(
            TopicTable topics,
            String replyTopic,
            Requesters requesters,
            Appender log,
            BrokerAddress address,
            IntSupplier maxMessageBytes,
            Clock clock) {
        this.topics = topics;
        this.replyTopic = replyTopic;
        this.requesters = requesters;
        this.log = log;
        this.address = address;
        this.maxMessageBytes = maxMessageBytes;
        this.clock = clock;
    }

    @Override
    public void handle(Call call, SendMessage.Request request, ByteBuf body) {
        Optional<Refusal> refusal = check(request, body);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
            return;
        }
        String clientId = MessageProperties.value(request.properties(), PropertyNames.REPLY_TO_CLIENT)
                .orElse("");
        Optional<Requesters.Requester> requester = requesters.find(clientId);
        CompletableFuture<Optional<Refusal>> brought = requester.isPresent()
                ? bring(requester.get(), call, request, body, clientId)
                : CompletableFuture.completedFuture(Optional.of(notBrought(clientId, "it is not connected")));
        store(call, request, body)
                .whenComplete((stored, failure) ->
                        brought.thenAccept(undelivered -> answer(call, request, undelivered, stored, failure)));
    }

    private Optional<Refusal> check(SendMessage.Request request, ByteBuf body) {
        int limit = maxMessageBytes.getAsInt();
        if (body.readableBytes() > limit) {
            return Optional.of(Refusal.illegal("body bytes=" + body.readableBytes() + " limit=" + limit));
        }
        if (request.properties().length > MessageLayout.MAX_PROPERTIES_BYTES) {
            return Optional.of(Refusal.illegal("properties bytes=" + request.properties().length + " limit="
                    + MessageLayout.MAX_PROPERTIES_BYTES));
        }
        if (request.batch()) {
            return Optional.of(Refusal.illegal("a reply is a single message"));
        }
        if (MessageProperties.find(request.properties(), PropertyNames.REPLY_TO_CLIENT) == MessageProperties.ABSENT) {
            return Optional.of(
                    Refusal.illegal("property " + PropertyNames.REPLY_TO_CLIENT + " is missing: whose reply is it?"));
        }
        return address.isKnown()
                ? Optional.empty()
                : Optional.of(new Refusal(ResponseCode.SERVICE_NOT_AVAILABLE, "the broker is starting"));
    }

    /** Completes with why the requester has not got it; empty when it has. */
    private CompletableFuture<Optional<Refusal>> bring(
            Requesters.Requester requester, Call call, SendMessage.Request request, ByteBuf body, String clientId) {
        return requester.bring(pushed(call, request), body.retainedDuplicate()).handle((reply, failure) -> {
            if (failure != null) {
                return Optional.of(notBrought(clientId, String.valueOf(failure.getMessage())));
            }
            return reply.code() == ResponseCode.SUCCESS ? Optional.empty() : Optional.of(notTaken(clientId, reply));
        });
    }

    private PushReplyMessageToClient.Request pushed(Call call, SendMessage.Request request) {
        long now = clock.wallMillis();
        return new PushReplyMessageToClient.Request(
                request.producerGroup(),
                request.topic(),
                request.defaultTopic(),
                request.defaultTopicQueueNums(),
                request.queueId(),
                request.sysFlag(),
                request.bornTimestamp(),
                request.flag(),
                MessageProperties.with(request.properties(), PropertyNames.PUSH_REPLY_TIME, Long.toString(now)),
                request.reconsumeTimes(),
                request.unitMode(),
                call.client().toString(),
                address.host().toString(),
                now);
    }

    private static Refusal notTaken(String clientId, Reply reply) {
        return notBrought(
                clientId,
                "it answered code=" + reply.code() + " " + reply.remark().orElse(""));
    }

    private static Refusal notBrought(String clientId, String reason) {
        return new Refusal(
                ResponseCode.SYSTEM_ERROR, "the reply could not be brought to client=" + clientId + ": " + reason);
    }

    private CompletableFuture<Stored> store(Call call, SendMessage.Request request, ByteBuf body) {
        MessageHeader header = new MessageHeader(
                0,
                request.flag(),
                request.sysFlag(),
                request.bornTimestamp(),
                call.client(),
                address.host(),
                request.reconsumeTimes(),
                0);
        Topic topic = topics.find(replyTopic).orElseThrow();
        ReplyAppend append =
                new ReplyAppend(new NewMessage(topic, header, body.nioBuffer(), request.properties()), body);
        try {
            log.append(append);
        } catch (StoreException refused) {
            append.failed(refused);
        } catch (MalformedMessageException e) {
            append.failed(new StoreException(StoreException.Kind.REFUSED, String.valueOf(e.getMessage())));
        }
        return append.stored();
    }

    private void answer(
            Call call,
            SendMessage.Request request,
            Optional<Refusal> undelivered,
            @Nullable Stored stored,
            @Nullable Throwable failure) {
        if (undelivered.isPresent()) {
            undelivered.get().answer(call);
        } else if (stored == null) {
            refusal(failure).answer(call);
        } else {
            String id = new OffsetMessageId(address.host(), stored.position()).encode();
            call.respond(new SendMessage.Response(id, Math.max(0, request.queueId()), stored.queueOffset(), ""));
        }
    }

    private static Refusal refusal(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof StoreException reason
                ? Refusal.of(reason)
                : new Refusal(ResponseCode.SYSTEM_ERROR, "the reply could not be stored: " + cause);
    }
}
