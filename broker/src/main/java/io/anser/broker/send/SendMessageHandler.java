package io.anser.broker.send;

import io.anser.broker.append.BrokerAddress;
import io.anser.broker.append.HalfMessages;
import io.anser.broker.append.NewMessage;
import io.anser.broker.append.Postponement;
import io.anser.broker.append.Schedule;
import io.anser.broker.dispatch.Refusal;
import io.anser.broker.flow.SendGate;
import io.anser.broker.metadata.Appender;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.Change.KeyTaken;
import io.anser.broker.metadata.MessageType;
import io.anser.broker.metadata.RequestStep;
import io.anser.broker.metadata.Topic;
import io.anser.broker.metadata.TopicCreation;
import io.anser.protocol.body.SubscriptionGroupConfig;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.MalformedMessageException;
import io.anser.protocol.message.MessageHeader;
import io.anser.protocol.message.MessageProperties;
import io.anser.protocol.message.Names;
import io.anser.protocol.message.PropertyNames;
import io.anser.protocol.message.RecallHandle;
import io.anser.protocol.operation.SendMessage;
import io.anser.store.file.StoreException;
import io.anser.store.log.Append;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Handles the sends of producers (codes 10, 310 and 320): checks, topic, append; the answer follows when the message is
 * committed. Runs on event loops and never blocks; a send that must first create its topic goes on when that is done, on
 * whichever thread told so.
 */
public final class SendMessageHandler implements Handler<SendMessage.Request> {
    private final BrokerState state;
    private final TopicCreation creation;
    private final NewTopics newTopics;
    private final Schedule schedule;
    private final HalfMessages halfMessages;
    private final Appender log;
    private final BrokerAddress address;
    private final SendAnswers answers;
    private final SendRules rules;
    private final SendGate gate;
    private final KeyedSends keyed;
    private final CompactedSends compacted;
    private final LightPlaces lightPlaces;
    private final Clock clock;
    private final AtomicInteger anyQueue = new AtomicInteger();

    /**
     * Makes the handler.
     *
     * @param address the broker's address, part of every message; known before the first request
     * @param gate what sends to topics that are there pass; what makes a topic, and what consumers send back, does not
     * @param maxMessageBytes largest body, asked for each send
     */
    public SendMessageHandler(
            BrokerState state,
            TopicCreation creation,
            NewTopics newTopics,
            Schedule schedule,
            HalfMessages halfMessages,
            Appender log,
            BrokerAddress address,
            SendGate gate,
            IntSupplier maxMessageBytes,
            Clock clock) {
        this.state = state;
        this.creation = creation;
        this.newTopics = newTopics;
        this.schedule = schedule;
        this.halfMessages = halfMessages;
        this.log = log;
        this.address = address;
        this.answers = new SendAnswers(address);
        this.gate = gate;
        this.rules = new SendRules(maxMessageBytes);
        this.clock = clock;
        this.keyed = new KeyedSends(state.dedup(), log, clock);
        this.compacted = new CompactedSends(state.latestValues());
        this.lightPlaces = new LightPlaces(state.topics());
    }

    @Override
    public void handle(Call call, SendMessage.Request request, ByteBuf body) {
        Optional<Refusal> refusal = rules.check(request, body.readableBytes());
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else if (!address.isKnown()) {
            call.respond(ResponseCode.SERVICE_NOT_AVAILABLE, "the broker is starting");
        } else if (Names.isRetryTopic(request.topic())) {
            sendRetry(call, request, body);
        } else {
            Optional<Topic> topic = state.topics().findForSend(request.topic());
            if (topic.isEmpty()) {
                sendToNewTopic(call, request, body);
            } else if (topic.get().openToSenders()) {
                storeWhenAdmitted(call, request, topic.get(), body);
            } else {
                SendRules.closed(request.topic()).answer(call);
            }
        }
    }

    private void storeWhenAdmitted(Call call, SendMessage.Request request, Topic topic, ByteBuf body) {
        int bytes = body.readableBytes();
        int messages = request.batch() && gate.countsMessages(call.connection(), topic) ? BatchMessages.count(body) : 1;
        if (gate.admits(call.connection(), topic, bytes, messages)) {
            store(call, request, topic, body);
        } else {
            gate.hold(call, topic, body, bytes, messages, () -> storeLater(call, request, body));
        }
    }

    /** The topic may be another one by now. */
    private void storeLater(Call call, SendMessage.Request request, ByteBuf body) {
        Optional<Topic> topic = state.topics().findForSend(request.topic());
        if (topic.isPresent()) {
            store(call, request, topic.get(), body);
        } else {
            SendRules.deleted(request.topic()).answer(call);
        }
    }

    private void sendRetry(Call call, SendMessage.Request request, ByteBuf body) {
        String group = Names.groupOf(request.topic()).orElse("");
        Optional<SubscriptionGroupConfig> config = state.groups().find(group);
        if (config.isEmpty()) {
            call.respond(ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST, "group=" + group + " does not exist");
            return;
        }
        RetrySend retry = RetrySend.of(request, config.get());
        createThenStore(call, retry.request(), retry.topic(), body);
    }

    private void sendToNewTopic(Call call, SendMessage.Request request, ByteBuf body) {
        Optional<Refusal> refusal = SendRules.checkNewTopic(request.topic());
        Optional<TopicConfig> config = newTopics.of(request);
        if (refusal.isPresent()) {
            refusal.get().answer(call);
        } else if (config.isPresent()) {
            createThenStore(call, request, config.get(), body);
        } else {
            call.respond(
                    ResponseCode.TOPIC_NOT_EXIST,
                    "topic=" + request.topic() + " does not exist and may not be created by a send");
        }
    }

    private void createThenStore(Call call, SendMessage.Request request, TopicConfig config, ByteBuf body) {
        body.retain();
        creation.ensure(config, new RequestStep(call) {
            @Override
            protected void goOn() {
                Optional<Topic> topic = state.topics().find(config.topicName());
                if (topic.isPresent()) {
                    store(call, request, topic.get(), body);
                } else {
                    SendRules.deleted(config.topicName()).answer(call);
                }
            }

            @Override
            protected void end() {
                body.release();
            }
        });
    }

    private void store(Call call, SendMessage.Request request, Topic topic, ByteBuf body) {
        if (request.queueId() >= topic.queueCount()) {
            call.respond(
                    ResponseCode.INVALID_PARAMETER,
                    "queueId=" + request.queueId() + " limit=" + (topic.queueCount() - 1) + " topic=" + topic.name());
            return;
        }
        int hints = PropertyHints.of(request.properties());
        try {
            Optional<Refusal> refusal = refusal(topic, request, hints);
            if (refusal.isPresent()) {
                refusal.get().answer(call);
            } else {
                storeAcceptable(call, request, topic, hints, body);
            }
        } catch (MalformedMessageException e) {
            Refusal.illegal(String.valueOf(e.getMessage())).answer(call);
        } catch (StoreException e) {
            Refusal.of(e).answer(call);
        }
    }

    private static Optional<Refusal> refusal(Topic topic, SendMessage.Request request, int hints) {
        if (!topic.writable() && Transactional.is(request, hints)) {
            return Optional.of(SendRules.notWritable(topic.name())); // a commit would be refused too
        }
        return MessageKind.refusal(topic, request, hints)
                .or(() -> LiteMessages.refusal(topic, request.properties(), request.properties().length, hints));
    }

    private void storeAcceptable(Call call, SendMessage.Request request, Topic topic, int hints, ByteBuf body) {
        int queueId = queueId(topic, request);
        Optional<Refusal> noValue = topic.compacted() ? noValue(call, topic, queueId, request, body) : Optional.empty();
        if (noValue.isPresent()) {
            noValue.get().answer(call);
            return;
        }
        Optional<KeyTaken> key = SendKey.of(topic, queueId, request.properties(), hints);
        List<String> lightQueues = lightQueues(topic, request, hints);
        if (!lightQueues.isEmpty()) {
            LightQueues.requirePlain(request, hints, key.isPresent(), clock);
        }
        List<String> places = LightPlaces.of(topic, lightQueues);
        Optional<Refusal> noPlace = lightPlaces.take(places);
        if (noPlace.isPresent()) {
            noPlace.get().answer(call);
            return;
        }
        boolean taken = false;
        try {
            if (!lightQueues.isEmpty()) {
                taken = storeListed(call, request, topic, queueId, hints, lightQueues, body);
            } else if (request.batch()) {
                taken = storeBatch(call, request, key, batch(call, request, topic, queueId, body), body);
            } else {
                SingleMessage single = single(call, request, topic, queueId, hints, body);
                taken = storeSingle(call, request, key, single, body, queueId);
            }
        } finally {
            if (!taken) {
                lightPlaces.leave(places);
            }
        }
    }

    /** A message on its way back to a group keeps its properties, and is not listed again. */
    private static List<String> lightQueues(Topic topic, SendMessage.Request request, int hints) {
        byte[] properties = request.properties();
        return Names.isRetryTopic(topic.name()) ? List.of() : LightQueues.of(properties, properties.length, hints);
    }

    private boolean storeListed(
            Call call,
            SendMessage.Request request,
            Topic topic,
            int queueId,
            int hints,
            List<String> lightQueues,
            ByteBuf body) {
        byte[] properties = request.properties();
        byte[] listed = LightQueues.withOffsets(properties, lightQueues.size());
        MessageHeader header = header(call, request, queueId, request.flag());
        byte[] mark = Region.mark(listed, listed.length, hints);
        NewMessage message = new NewMessage(topic, header, body.nioBuffer(), withCluster(listed, hints), mark);
        return append(new ListedAppend(call, answers, body, message, properties, lightQueues));
    }

    private Optional<Refusal> noValue(Call call, Topic topic, int queueId, SendMessage.Request request, ByteBuf body) {
        return request.batch()
                ? compacted.batchRefusal(topic, queueId, body.nioBuffer(), call::whenAnswered)
                : compacted.refusal(topic, queueId, request.properties(), body.readableBytes(), call::whenAnswered);
    }

    private boolean storeBatch(
            Call call, SendMessage.Request request, Optional<KeyTaken> key, BatchMessages messages, ByteBuf body) {
        byte[] properties = request.properties();
        if (key.isPresent()) {
            SendReply reply = new CallReply(call, answers, messages, properties, Optional.empty());
            keyed.send(new KeyedAppend(key.get(), messages, body, reply));
            return true;
        }
        return append(new BatchAppend(call, answers, body, messages, properties));
    }

    private boolean storeSingle(
            Call call,
            SendMessage.Request request,
            Optional<KeyTaken> key,
            SingleMessage single,
            ByteBuf body,
            int queueId) {
        byte[] properties = request.properties();
        if (key.isPresent()) {
            OneMessage message = new OneMessage(single.message());
            SendReply reply = new CallReply(call, answers, message, properties, single.recall());
            keyed.send(new KeyedAppend(key.get(), message, body, reply));
            return true;
        }
        return append(new SendAppend(call, answers, body, single.message(), queueId, properties, single.recall()));
    }

    /** Returns false if the log took no more. */
    private boolean append(Append append) {
        try {
            log.append(append);
            return true;
        } catch (StoreException refused) {
            append.failed(refused);
            return false;
        }
    }

    private int queueId(Topic topic, SendMessage.Request request) {
        if (topic.messageType() == MessageType.PRIORITY) {
            return MessageKind.priorityQueue(topic, request.properties());
        }
        return request.queueId() >= 0 ? request.queueId() : anyQueue(topic);
    }

    /** Of those that producers use: a queue beyond may be about to go, or have no reader. */
    private int anyQueue(Topic topic) {
        return Math.floorMod(anyQueue.getAndIncrement(), topic.config().writeQueueNums());
    }

    private SingleMessage single(
            Call call, SendMessage.Request request, Topic topic, int queueId, int hints, ByteBuf body) {
        byte[] properties = withCluster(request.properties(), hints);
        byte[] mark = Region.mark(properties, properties.length, hints);
        MessageHeader header = header(call, request, queueId, request.flag());
        NewMessage message = new NewMessage(topic, header, body.nioBuffer(), properties, mark);
        Optional<Postponement> later = DeliveryTime.of(properties, hints, clock);
        Optional<RecallHandle> recall = Optional.empty();
        if (Transactional.is(request, hints)) {
            message = half(request, message, later.isPresent());
        } else if (later.isPresent()) {
            message = schedule.postponed(later.get(), message);
            recall = recallHandle(topic, later.get(), properties);
        }
        return new SingleMessage(message, recall);
    }

    /** Who replies to a message finds the reply's topic by the name of the cluster, which senders do not know. */
    private byte[] withCluster(byte[] properties, int hints) {
        return (hints & PropertyHints.REPLY) == 0
                ? properties
                : MessageProperties.with(properties, PropertyNames.CLUSTER, address.cluster());
    }

    private Optional<RecallHandle> recallHandle(Topic topic, Postponement later, byte[] properties) {
        return MessageProperties.value(properties, PropertyNames.UNIQ_KEY)
                .map(id ->
                        new RecallHandle(topic.name(), address.broker(), later.dueMillis(), id, RecallHandle.UNKNOWN));
    }

    /**
     * The message of a send that is no batch.
     *
     * @param message as it is stored
     * @param recall by which its sender can take it back, if it can; without its position
     */
    private record SingleMessage(NewMessage message, Optional<RecallHandle> recall) {}

    private NewMessage half(SendMessage.Request request, NewMessage message, boolean later) {
        if (later) {
            throw new MalformedMessageException("a message of a transaction cannot be put off");
        }
        return halfMessages.of(message, request.producerGroup());
    }

    private BatchMessages batch(Call call, SendMessage.Request request, Topic topic, int queueId, ByteBuf body) {
        MessageHeader header = header(call, request, queueId, 0);
        return new BatchMessages(body.nioBuffer(), header, topic, clock);
    }

    private MessageHeader header(Call call, SendMessage.Request request, int queueId, int flag) {
        return new MessageHeader(
                queueId,
                flag,
                request.sysFlag(),
                request.bornTimestamp(),
                call.client(),
                address.host(),
                request.reconsumeTimes(),
                0);
    }
}
