package io.anser.client;

import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.frame.ProtocolException;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.operation.SendMessage;
import io.anser.transport.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends one parcel until a broker has it, the deadline has passed, or nothing would help. Steps follow one another on
 * whatever thread completes the step before, never two at once, so the fields need no lock.
 */
final class SendAttempts {
    private final Sender sender;
    private final Parcel parcel;
    private final long deadlineNanos;
    private final CompletableFuture<List<SendReceipt>> result = new CompletableFuture<>();
    /** Brokers that failed this parcel. */
    private final Set<String> failedBrokers = new HashSet<>();

    private int attempts;
    /** Whether the broker may have stored the parcel although no answer came. */
    private boolean maybeStored;

    SendAttempts(Sender sender, Parcel parcel, long deadlineNanos) {
        this.sender = sender;
        this.parcel = parcel;
        this.deadlineNanos = deadlineNanos;
    }

    /** Starts. The future fails with an {@link AnserException} only. */
    CompletableFuture<List<SendReceipt>> start() {
        next(false);
        return result;
    }

    private void next(boolean routeWasWrong) {
        attempts++;
        CompletableFuture<Route> route = routeWasWrong
                ? sender.routes().refreshForSending(parcel.topic())
                : sender.routes().findForSending(parcel.topic());
        route.whenComplete((found, failure) -> {
            if (failure == null) {
                attempt(found);
            } else {
                afterFailure(Remoting.failure(failure), Optional.empty());
            }
        });
    }

    private void attempt(Route route) {
        Optional<MessageQueue> chosen = choose(route);
        Optional<String> address = chosen.flatMap(queue -> route.master(queue.brokerName()));
        if (chosen.isEmpty() || address.isEmpty()) {
            String text = parcel + " has no queue to send to: no broker of the topic takes messages now";
            afterFailure(new AnserException(AnserException.NO_ANSWER, true, text), Optional.empty());
            return;
        }
        MessageQueue queue = chosen.get();
        sender.call(parcel, queue, address.get(), remainingMillis())
                .whenComplete((reply, failure) -> answered(route, queue, address.get(), reply, failure));
    }

    /** A broker that has not failed yet; when all have, any: the wait between attempts is over. */
    private Optional<MessageQueue> choose(Route route) {
        if (route.writable().isEmpty()) {
            return Optional.empty();
        }
        if (parcel.orderKey().isPresent()) {
            return Optional.of(
                    QueueChoice.forOrderKey(route.writable(), parcel.orderKey().get()));
        }
        return sender.choose(route, failedBrokers);
    }

    private void answered(
            Route route, MessageQueue queue, String address, @Nullable Reply reply, @Nullable Throwable failure) {
        if (reply == null) {
            AnserException cause = failure == null
                    ? new AnserException(AnserException.NO_ANSWER, false, "server=" + address + " gave no answer")
                    : Remoting.failure(failure);
            sender.brokerFailed(queue.brokerName());
            afterFailure(cause, Optional.of(queue));
            return;
        }
        switch (reply.code()) {
            case ResponseCode.SUCCESS,
                    ResponseCode.FLUSH_DISK_TIMEOUT,
                    ResponseCode.SLAVE_NOT_AVAILABLE,
                    ResponseCode.FLUSH_SLAVE_TIMEOUT -> stored(route, queue, reply);
            default -> afterFailure(Remoting.refused(address, parcel.code(), reply), Optional.of(queue));
        }
    }

    private void stored(Route route, MessageQueue queue, Reply reply) {
        try {
            result.complete(receipts(queue, reply));
        } catch (ProtocolException unreadable) {
            result.completeExceptionally(Remoting.failure(unreadable));
        }
        if (route.guessed()) {
            sender.routes().refresh(parcel.topic());
        }
    }

    private List<SendReceipt> receipts(MessageQueue queue, Reply reply) {
        SendMessage.Response response = SendMessage.Response.decode(reply.header());
        String[] offsetIds = response.msgId().split(",");
        SendReceipt.Status status = switch (reply.code()) {
            case ResponseCode.FLUSH_DISK_TIMEOUT -> SendReceipt.Status.NOT_YET_FLUSHED;
            case ResponseCode.SLAVE_NOT_AVAILABLE, ResponseCode.FLUSH_SLAVE_TIMEOUT ->
                SendReceipt.Status.NOT_YET_REPLICATED;
            default -> SendReceipt.Status.STORED;
        };
        List<SendReceipt> receipts = new ArrayList<>(parcel.messageIds().size());
        for (int i = 0; i < parcel.messageIds().size(); i++) {
            receipts.add(new SendReceipt(
                    parcel.messageIds().get(i),
                    i < offsetIds.length ? offsetIds[i] : "",
                    parcel.topic(),
                    queue.brokerName(),
                    response.queueId(),
                    response.queueOffset() + i,
                    status));
        }
        return receipts;
    }

    private void afterFailure(AnserException failure, Optional<MessageQueue> queue) {
        maybeStored |= !failure.retrySafe();
        queue.ifPresent(failed -> failedBrokers.add(failed.brokerName()));
        SendRetryPolicy.Step step = sender.isClosed()
                ? SendRetryPolicy.Step.GIVE_UP
                : SendRetryPolicy.after(failure.code(), attempts, sender.maxAttempts());
        boolean elsewhere = queue.isPresent() && parcel.orderKey().isEmpty() && otherBrokerLeft();
        if (step == SendRetryPolicy.Step.GIVE_UP || (step == SendRetryPolicy.Step.ELSEWHERE && !elsewhere)) {
            fail(failure);
        } else if (elsewhere) {
            next(false);
        } else {
            again(failure);
        }
    }

    private boolean otherBrokerLeft() {
        return sender.routes()
                .cached(parcel.topic())
                .map(route ->
                        QueueChoice.inTurn(route.writable(), 0, failedBrokers).isPresent())
                .orElse(false);
    }

    private void again(AnserException failure) {
        long wait = SendRetryPolicy.waitMillis(attempts);
        if (wait >= remainingMillis()) {
            fail(failure);
            return;
        }
        failedBrokers.clear();
        sender.goOnAfter(wait, this);
    }

    /** The wait between two attempts is over. */
    void goOn() {
        next(true);
    }

    /** The client has closed between two attempts. */
    void endByClosing() {
        fail(new AnserException(AnserException.CLOSED, true, "the client is closed"));
    }

    private void fail(AnserException failure) {
        String text = parcel + " not sent after " + attempts + " attempts: " + failure.getMessage();
        result.completeExceptionally(new AnserException(failure.code(), !maybeStored, text, failure));
    }

    private long remainingMillis() {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - sender.nanos()));
    }
}
