package io.anser.client;

import io.anser.protocol.body.BrokerData;
import io.anser.protocol.body.ClusterInfo;
import io.anser.protocol.body.ConsumerData;
import io.anser.protocol.body.ConsumerIdList;
import io.anser.protocol.body.HeartbeatData;
import io.anser.protocol.body.LockBatch;
import io.anser.protocol.body.MessageQueue;
import io.anser.protocol.body.QueueData;
import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.message.BatchBody;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.ConsumerSendMessageBack;
import io.anser.protocol.operation.CreateTopic;
import io.anser.protocol.operation.GetClusterInfo;
import io.anser.protocol.operation.GetConsumerListByGroup;
import io.anser.protocol.operation.GetMaxOffset;
import io.anser.protocol.operation.GetMinOffset;
import io.anser.protocol.operation.GetTopicRoute;
import io.anser.protocol.operation.Heartbeat;
import io.anser.protocol.operation.LockBatchQueues;
import io.anser.protocol.operation.NotifyConsumerIdsChanged;
import io.anser.protocol.operation.PullMessage;
import io.anser.protocol.operation.QueryConsumerOffset;
import io.anser.protocol.operation.SendBatchMessage;
import io.anser.protocol.operation.SendMessage;
import io.anser.protocol.operation.SendMessageV2;
import io.anser.protocol.operation.UnlockBatchQueues;
import io.anser.protocol.operation.UnregisterClient;
import io.anser.protocol.operation.UpdateConsumerOffset;
import io.anser.system.Clock;
import io.anser.system.TimerThread;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.RemotingServer;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A name server and a broker in one, kept in memory, that does what a test tells it: refuses requests, stays silent, moves
 * offsets. Everything under one lock, on the event loops.
 */
final class ScriptedServer implements AutoCloseable {
    static final String BROKER = "broker-a";

    private final Clock clock = Clock.system();
    private final TimerThread timer = TimerThread.start("scripted-timer", clock, (where, cause) -> {});
    private final RemotingServer server;
    private final Map<String, Integer> topics = new TreeMap<>();
    private final Map<MessageQueue, StoredQueue> queues = new HashMap<>();
    private final List<StoredQueue.Entry> log = new ArrayList<>();
    private final Map<String, Map<String, Connection>> members = new TreeMap<>();
    private final Map<String, Map<MessageQueue, Long>> committed = new TreeMap<>();
    private final Map<MessageQueue, String> locks = new HashMap<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<Parked> parked = new ArrayList<>();
    private final Map<Integer, Deque<Integer>> refusals = new HashMap<>();
    private final Map<Integer, Integer> counts = new HashMap<>();
    private final List<String> pullTags = new ArrayList<>();

    /** Instead of a refusal: no answer at all. */
    static final int SILENCE = -1;

    private record Parked(Call call, PullMessage.Request request) {}

    /** Registers a handler that first looks whether the script wants something else. */
    @FunctionalInterface
    private interface Behaviour<R> {
        void answer(Call call, R request, ByteBuf body);
    }

    private ScriptedServer(int port) {
        HandlerTable table = new HandlerTable(Runnable::run);
        on(table, GetTopicRoute.CODE, GetTopicRoute.Request::decode, this::route);
        on(table, GetClusterInfo.CODE, h -> "", (call, r, b) -> clusterInfo(call));
        on(table, CreateTopic.CODE, CreateTopic.Request::decode, (call, r, b) -> {
            topics.put(r.topic(), r.writeQueueNums());
            call.respond(FieldSource.NONE);
        });
        on(table, SendMessageV2.CODE, SendMessageV2.Request::decode, this::send);
        on(table, SendBatchMessage.CODE, SendBatchMessage::decode, this::sendBatch);
        on(table, PullMessage.CODE, PullMessage.Request::decode, this::pull);
        on(table, QueryConsumerOffset.CODE, QueryConsumerOffset.Request::decode, this::queryOffset);
        on(table, UpdateConsumerOffset.CODE, UpdateConsumerOffset.Request::decode, this::updateOffset);
        on(
                table,
                GetMinOffset.CODE,
                GetMinOffset.Request::decode,
                (call, r, b) -> call.respond(
                        new GetMinOffset.Response(queue(r.topic(), r.queueId()).minOffset())));
        on(
                table,
                GetMaxOffset.CODE,
                GetMaxOffset.Request::decode,
                (call, r, b) -> call.respond(
                        new GetMaxOffset.Response(queue(r.topic(), r.queueId()).maxOffset())));
        on(table, Heartbeat.CODE, h -> "", this::heartbeat);
        on(table, UnregisterClient.CODE, UnregisterClient.Request::decode, this::unregister);
        on(table, GetConsumerListByGroup.CODE, GetConsumerListByGroup.Request::decode, this::memberList);
        on(table, LockBatchQueues.CODE, h -> "", this::lock);
        on(table, UnlockBatchQueues.CODE, h -> "", this::unlock);
        on(table, ConsumerSendMessageBack.CODE, ConsumerSendMessageBack.Request::decode, this::sendBack);
        table.onConnected(this::connected);
        table.onDisconnected(this::disconnected);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        server = RemotingServer.start(TransportSettings.defaults(), any, table, clock, timer);
    }

    static ScriptedServer start() {
        return new ScriptedServer(0);
    }

    /** {@code host:port}. */
    String address() {
        return "127.0.0.1:" + server.address().getPort();
    }

    synchronized ScriptedServer withTopic(String topic, int queueCount) {
        topics.put(topic, queueCount);
        return this;
    }

    /** Answers the next requests of a code with these response codes, in turn; {@link #SILENCE} for no answer. */
    synchronized void refuse(int requestCode, int... responseCodes) {
        for (int code : responseCodes) {
            refusals.computeIfAbsent(requestCode, c -> new ArrayDeque<>()).add(code);
        }
    }

    /** How many requests of a code have come, refused ones included. */
    synchronized int count(int requestCode) {
        return counts.getOrDefault(requestCode, 0);
    }

    synchronized List<StoredQueue.Entry> stored(String topic) {
        return log.stream().filter(entry -> entry.topic().equals(topic)).toList();
    }

    synchronized StoredQueue queue(String topic, int queueId) {
        return queues.computeIfAbsent(new MessageQueue(topic, BROKER, queueId), StoredQueue::new);
    }

    synchronized long committed(String group, String topic, int queueId) {
        return committed.getOrDefault(group, Map.of()).getOrDefault(new MessageQueue(topic, BROKER, queueId), -1L);
    }

    synchronized void commit(String group, String topic, int queueId, long offset) {
        committed.computeIfAbsent(group, g -> new HashMap<>()).put(new MessageQueue(topic, BROKER, queueId), offset);
    }

    synchronized Set<String> members(String group) {
        return new HashSet<>(members.getOrDefault(group, Map.of()).keySet());
    }

    synchronized Map<MessageQueue, String> locks() {
        return new HashMap<>(locks);
    }

    synchronized void lockFor(String clientId, MessageQueue queue) {
        locks.put(queue, clientId);
    }

    /** The subscriptions that pulls carried. */
    synchronized List<String> pullTags() {
        return List.copyOf(pullTags);
    }

    private <R> void on(HandlerTable table, int code, HandlerTable.Decoder<R> decoder, Behaviour<R> behaviour) {
        table.register(code, Lane.NET, decoder, (call, request, body) -> {
            synchronized (this) {
                counts.merge(code, 1, Integer::sum);
                Deque<Integer> script = refusals.getOrDefault(code, new ArrayDeque<>());
                Integer refusal = script.poll();
                if (refusal == null) {
                    behaviour.answer(call, request, body);
                } else if (refusal != SILENCE) {
                    call.respond(refusal, "scripted");
                }
            }
        });
    }

    private void route(Call call, GetTopicRoute.Request request, ByteBuf body) {
        Integer count =
                request.topic().equals(Names.AUTO_CREATE_TOPIC) ? Integer.valueOf(8) : topics.get(request.topic());
        if (count == null) {
            call.respond(ResponseCode.TOPIC_NOT_EXIST, "No topic route info");
            return;
        }
        QueueData data = new QueueData(BROKER, count, count, 6, 0);
        respond(call, new TopicRoute(List.of(data), List.of(broker())).write());
    }

    private BrokerData broker() {
        return new BrokerData("c", BROKER, Map.of(0L, address()));
    }

    private void clusterInfo(Call call) {
        respond(call, new ClusterInfo(Map.of(BROKER, broker()), Map.of("c", List.of(BROKER))).write());
    }

    private void send(Call call, SendMessage.Request request, ByteBuf body) {
        topics.putIfAbsent(request.topic(), request.defaultTopicQueueNums());
        StoredQueue.Entry entry = store(request.topic(), request, ByteBufUtil.getBytes(body), request.properties());
        call.respond(new SendMessage.Response("OFFSET-ID", request.queueId(), entry.queueOffset(), ""));
    }

    private void sendBatch(Call call, SendMessage.Request request, ByteBuf body) {
        BatchBody batch = new BatchBody().wrap(ByteBuffer.wrap(ByteBufUtil.getBytes(body)));
        List<StoredQueue.Entry> entries = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        while (batch.next()) {
            byte[] bytes = new byte[batch.bodyLength()];
            batch.body().get(bytes);
            entries.add(store(request.topic(), request, bytes, batch.properties()));
            ids.add("OFFSET-ID-" + ids.size());
        }
        call.respond(new SendMessage.Response(
                String.join(",", ids), request.queueId(), entries.get(0).queueOffset(), ""));
    }

    private StoredQueue.Entry store(String topic, SendMessage.Request request, byte[] body, byte[] properties) {
        return append(topic, request.queueId(), 0, request.sysFlag(), body, properties);
    }

    private StoredQueue.Entry append(
            String topic, int queueId, int reconsumeTimes, int sysFlag, byte[] body, byte[] properties) {
        StoredQueue queue = queue(topic, queueId);
        StoredQueue.Entry entry = queue.append(log.size(), reconsumeTimes, sysFlag, body, properties);
        log.add(entry);
        List<Parked> waiting = List.copyOf(parked);
        parked.clear();
        waiting.forEach(each -> pull(each.call(), each.request(), Unpooled.EMPTY_BUFFER));
        return entry;
    }

    private void pull(Call call, PullMessage.Request request, ByteBuf body) {
        pullTags.add(request.subscription());
        StoredQueue queue = queue(request.topic(), request.queueId());
        long from = request.queueOffset();
        if (from < queue.minOffset() || from > queue.maxOffset()) {
            long next = from < queue.minOffset() ? queue.minOffset() : queue.maxOffset();
            call.respond(ResponseCode.PULL_OFFSET_MOVED, null, pulled(queue, next), Unpooled.EMPTY_BUFFER);
        } else if (from == queue.maxOffset()) {
            parked.add(new Parked(call, request));
        } else {
            long until = Math.min(queue.maxOffset(), from + request.maxMsgNums());
            ByteBuf messages = Unpooled.wrappedBuffer(queue.encoded(from, until));
            call.respond(ResponseCode.SUCCESS, null, pulled(queue, until), messages);
        }
    }

    private static PullMessage.Response pulled(StoredQueue queue, long next) {
        return new PullMessage.Response(0, next, queue.minOffset(), queue.maxOffset());
    }

    private void queryOffset(Call call, QueryConsumerOffset.Request request, ByteBuf body) {
        long offset = committed(request.consumerGroup(), request.topic(), request.queueId());
        if (offset < 0) {
            call.respond(ResponseCode.QUERY_NOT_FOUND, "no offset");
        } else {
            call.respond(new QueryConsumerOffset.Response(offset));
        }
    }

    private void updateOffset(Call call, UpdateConsumerOffset.Request request, ByteBuf body) {
        commit(request.consumerGroup(), request.topic(), request.queueId(), request.commitOffset());
        call.respond(FieldSource.NONE);
    }

    private void heartbeat(Call call, String ignored, ByteBuf body) {
        HeartbeatData data = HeartbeatData.read(ByteBufUtil.getBytes(body));
        for (ConsumerData consumer : data.consumerDataSet()) {
            topics.putIfAbsent(Names.retryTopic(consumer.groupName()), 1);
            Map<String, Connection> group = members.computeIfAbsent(consumer.groupName(), g -> new LinkedHashMap<>());
            if (group.put(data.clientID(), call.connection()) == null) {
                tellAll(consumer.groupName());
            }
        }
        call.respond(FieldSource.NONE);
    }

    private void unregister(Call call, UnregisterClient.Request request, ByteBuf body) {
        Map<String, Connection> group = members.getOrDefault(request.consumerGroup(), new HashMap<>());
        if (group.remove(request.clientID()) != null) {
            tellAll(request.consumerGroup());
        }
        call.respond(FieldSource.NONE);
    }

    private synchronized void connected(Connection connection) {
        connections.add(connection);
    }

    /** Ends all connections, as a restart does. */
    synchronized void dropConnections() {
        connections.forEach(Connection::close);
    }

    private synchronized void disconnected(Connection connection) {
        connections.remove(connection);
        members.forEach((group, byClient) -> {
            if (byClient.values().removeIf(connection::equals)) {
                tellAll(group);
            }
        });
    }

    private void tellAll(String group) {
        members.getOrDefault(group, Map.of())
                .values()
                .forEach(member -> member.sendOneWay(
                        NotifyConsumerIdsChanged.CODE,
                        new NotifyConsumerIdsChanged.Request(group),
                        Unpooled.EMPTY_BUFFER));
    }

    private void memberList(Call call, GetConsumerListByGroup.Request request, ByteBuf body) {
        Map<String, Connection> group = members.getOrDefault(request.consumerGroup(), Map.of());
        if (group.isEmpty()) {
            call.respond(ResponseCode.SYSTEM_ERROR, "no consumer for this group");
        } else {
            respond(call, new ConsumerIdList(List.copyOf(group.keySet())).write());
        }
    }

    private void lock(Call call, String ignored, ByteBuf body) {
        LockBatch.Request request = LockBatch.Request.read(ByteBufUtil.getBytes(body));
        Set<MessageQueue> granted = new HashSet<>();
        for (MessageQueue queue : request.mqSet()) {
            if (locks.putIfAbsent(queue, request.clientId()) == null
                    || locks.get(queue).equals(request.clientId())) {
                granted.add(queue);
            }
        }
        respond(call, new LockBatch.Response(granted).write());
    }

    private void unlock(Call call, String ignored, ByteBuf body) {
        LockBatch.Request request = LockBatch.Request.read(ByteBufUtil.getBytes(body));
        request.mqSet().forEach(queue -> locks.remove(queue, request.clientId()));
        call.respond(FieldSource.NONE);
    }

    /** As a broker does, except that a message comes again at once. */
    private void sendBack(Call call, ConsumerSendMessageBack.Request request, ByteBuf body) {
        StoredQueue.Entry origin = log.get((int) request.offset());
        boolean dead = request.delayLevel() < 0 || origin.reconsumeTimes() >= request.maxReconsumeTimes();
        String topic = dead ? Names.dlqTopic(request.group()) : Names.retryTopic(request.group());
        topics.putIfAbsent(topic, 1);
        append(topic, 0, origin.reconsumeTimes() + 1, 0, origin.body(), origin.propertiesWithRetryTopic());
        call.respond(FieldSource.NONE);
    }

    private static void respond(Call call, byte[] body) {
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, Unpooled.wrappedBuffer(body));
    }

    @Override
    public void close() {
        server.close();
        timer.close();
    }
}
