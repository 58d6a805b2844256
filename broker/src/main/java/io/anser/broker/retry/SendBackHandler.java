package io.anser.broker.retry;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.append.NewMessage;
import io.anser.broker.append.Postponement;
import io.anser.broker.append.Schedule;
import io.anser.broker.append.StoredMessages;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicCreation;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.store.file.StoreException;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Handles a message that a consumer sends back (code 36): stores a copy with one more try counted, which is delivered to
 * the group's retry topic after a delay, or goes to the group's dead letters. Runs on the worker pool and may block.
 */
public final class SendBackHandler implements Handler<ConsumerSendMessageBack.Request> {
    private final BrokerState state;
    private final TopicCreation creation;
    private final Schedule schedule;
    private final StoredMessages messages;
    private final Appender log;
    private final BrokerAddress address;
    private final Clock clock;

    /** Makes the handler. */
    public SendBackHandler(
            BrokerState state,
            TopicCreation creation,
            Schedule schedule,
            StoredMessages messages,
            Appender log,
            BrokerAddress address,
            Clock clock) {
        this.state = state;
        this.creation = creation;
        this.schedule = schedule;
        this.messages = messages;
        this.log = log;
        this.address = address;
        this.clock = clock;
    }

    @Override
    public void handle(Call call, ConsumerSendMessageBack.Request request, ByteBuf body) {
        Optional<SubscriptionGroupConfig> group = state.groups().find(request.group());
        if (group.isEmpty()) {
            call.respond(ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST, "group=" + request.group() + " does not exist");
            return;
        }
        Optional<ByteBuffer> stored = messages.message(request.offset());
        if (stored.isEmpty()) {
            call.respond(ResponseCode.SYSTEM_ERROR, "offset=" + request.offset() + " is not that of a message");
            return;
        }
        try {
            MessageView original =
                    new MessageView().wrap(stored.get(), stored.get().position());
            sendBack(call, original, RetryCopy.of(original, request, group.get()));
        } catch (MalformedMessageException e) {
            Refusal.illegal(String.valueOf(e.getMessage())).answer(call);
        } catch (StoreException e) {
            Refusal.of(e).answer(call);
        }
    }

    private void sendBack(Call call, MessageView original, RetryCopy copy) {
        creation.ensure(copy.topic(), new RequestStep(call) {
            @Override
            protected void goOn() {
                append(call, original, copy);
            }
        });
    }

    private void append(Call call, MessageView original, RetryCopy copy) {
        String topic = copy.topic().topicName();
        Topic target = state.topics()
                .find(topic)
                .orElseThrow(() ->
                        new StoreException(StoreException.Kind.DROPPED, "topic=" + topic + " was deleted meanwhile"));
        // Spreads the copies over the queues; which one a copy takes does not matter.
        int queueId = Math.floorMod(original.queueId(), target.queueCount());
        NewMessage message = copy.message(original, target, queueId, address.host(), original.body());
        Optional<Postponement> wait = copy.until(clock.wallMillis());
        if (wait.isPresent()) {
            message = schedule.postponed(wait.get(), message);
        }
        log.append(new RetryAppend(call, message));
    }
}
