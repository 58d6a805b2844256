package io.anser.nameserver;

import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.body.RegisterBrokerBody;
import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.body.TopicList;
import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.operation.AddWritePermission;
import io.anser.protocol.operation.BrokerHeartbeat;
import io.anser.protocol.operation.DeleteKvConfig;
import io.anser.protocol.operation.DeleteTopicInNameServer;
import io.anser.protocol.operation.GetAllTopicList;
import io.anser.protocol.operation.GetBrokerMemberGroup;
import io.anser.protocol.operation.GetClusterInfo;
import io.anser.protocol.operation.GetKvConfig;
import io.anser.protocol.operation.GetKvListByNamespace;
import io.anser.protocol.operation.GetSystemTopicListFromNameServer;
import io.anser.protocol.operation.GetTopicRoute;
import io.anser.protocol.operation.GetTopicsByCluster;
import io.anser.protocol.operation.PutKvConfig;
import io.anser.protocol.operation.QueryDataVersion;
import io.anser.protocol.operation.RegisterBroker;
import io.anser.protocol.operation.RegisterTopicInNameServer;
import io.anser.protocol.operation.UnregisterBroker;
import io.anser.protocol.operation.WipeWritePermission;
import io.anser.system.Cancellable;
import io.anser.system.Clock;
import io.anser.system.Scheduler;
import io.anser.transport.Call;
import io.anser.transport.Connection;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.LogText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The remote operations of a name server, over a {@link RouteTable} and a {@link KvConfig}. Thread-safe: short operations
 * run on event loops, registrations and long lists on workers.
 */
public final class NameServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NameServer.class);

    /** Apache's clients from 4.9.4 on read standard JSON; older ones expect broker ids without quotes. */
    private static final int FIRST_STANDARD_JSON_VERSION = 401;

    private static final int CRC_BITS = 0x7FFF_FFFF;

    private final NameServerSettings settings;
    private final Clock clock;
    private final RouteTable routes;
    private final KvConfig kvConfig;
    private final Cancellable scan;
    private volatile AddressTranslator translator = AddressTranslator.AS_REGISTERED;

    /** Makes a name server that knows nothing yet and looks for silent brokers from now on. */
    public NameServer(NameServerSettings settings, Clock clock, Scheduler scheduler) {
        this.settings = settings;
        this.clock = clock;
        this.routes = new RouteTable(settings, clock);
        this.kvConfig = new KvConfig(settings.maxKvEntries());
        this.scan = scheduler.every(settings.scanPeriodMillis(), this::removeSilent);
    }

    /** Sets how brokers are named to those who ask; before the server starts. */
    public void translateAddresses(AddressTranslator chosen) {
        translator = chosen;
    }

    /** Registers all operations, and the name server as a listener for ended connections. */
    public void registerHandlers(HandlerTable table) {
        table.onDisconnected(this::disconnected);
        table.register(RegisterBroker.CODE, Lane.WORKER, RegisterBroker.Request::decode, this::register);
        table.register(UnregisterBroker.CODE, Lane.NET, UnregisterBroker.Request::decode, this::unregister);
        table.register(BrokerHeartbeat.CODE, Lane.NET, BrokerHeartbeat.Request::decode, this::heartbeat);
        table.register(QueryDataVersion.CODE, Lane.NET, QueryDataVersion.Request::decode, this::queryDataVersion);
        table.register(GetTopicRoute.CODE, Lane.NET, GetTopicRoute.Request::decode, this::route);
        table.register(GetClusterInfo.CODE, Lane.WORKER, header -> header, (call, none, body) -> clusters(call));
        table.register(GetBrokerMemberGroup.CODE, Lane.NET, GetBrokerMemberGroup.Request::decode, this::members);
        table.register(GetAllTopicList.CODE, Lane.WORKER, header -> header, (call, none, body) -> allTopics(call));
        table.register(GetTopicsByCluster.CODE, Lane.WORKER, GetTopicsByCluster.Request::decode, this::topicsOf);
        table.register(
                GetSystemTopicListFromNameServer.CODE,
                Lane.NET,
                header -> header,
                (call, none, body) -> systemTopics(call));
        table.register(
                DeleteTopicInNameServer.CODE, Lane.NET, DeleteTopicInNameServer.Request::decode, this::deleteTopic);
        table.register(
                RegisterTopicInNameServer.CODE, Lane.NET, RegisterTopicInNameServer.Request::decode, this::addTopic);
        table.register(WipeWritePermission.CODE, Lane.NET, WipeWritePermission.Request::decode, this::wipe);
        table.register(AddWritePermission.CODE, Lane.NET, AddWritePermission.Request::decode, this::restore);
        table.register(PutKvConfig.CODE, Lane.NET, PutKvConfig.Request::decode, this::putKv);
        table.register(GetKvConfig.CODE, Lane.NET, GetKvConfig.Request::decode, this::getKv);
        table.register(DeleteKvConfig.CODE, Lane.NET, DeleteKvConfig.Request::decode, this::deleteKv);
        table.register(GetKvListByNamespace.CODE, Lane.NET, GetKvListByNamespace.Request::decode, this::listKv);
    }

    private void register(Call call, RegisterBroker.Request request, ByteBuf body) {
        byte[] bytes = ByteBufUtil.getBytes(body);
        if (request.bodyCrc32() != 0 && (request.bodyCrc32() & CRC_BITS) != crc32(bytes)) {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "bodyCrc32 " + request.bodyCrc32() + " does not fit the body of " + bytes.length + " bytes");
            return;
        }
        Member member = new Member(
                request.brokerId(),
                request.brokerAddr(),
                request.haServerAddr(),
                call.connection().id(),
                topics(bytes, request.compressed()),
                request.enableActingMaster(),
                timeoutMillis(request.heartbeatTimeoutMillis()),
                clock.nanos());
        Registration outcome = routes.register(request.clusterName(), request.brokerName(), member);
        if (!call.connection().isOpen()) {
            // The connection ended while this waited for a worker: the listener came too early to see the broker.
            routes.connectionEnded(call.connection().id());
        }
        answer(call, request, outcome);
    }

    private void answer(Call call, RegisterBroker.Request request, Registration outcome) {
        if (outcome instanceof Registration.Accepted accepted) {
            if (accepted.isNew()) {
                LOG.info(
                        "broker registered name={} id={} address={}",
                        LogText.of(request.brokerName()),
                        request.brokerId(),
                        LogText.of(request.brokerAddr()));
            }
            call.respond(
                    ResponseCode.SUCCESS,
                    null,
                    new RegisterBroker.Response(accepted.masterHaAddress(), accepted.masterAddress()),
                    json(new KvTable(kvConfig.namespace(KvConfig.ORDER_TOPICS)), JsonDialect.FASTJSON));
        } else if (outcome instanceof Registration.Refused refused) {
            LOG.error(
                    "broker refused, its clients cannot find it until this is resolved: {} address={} connection={}",
                    LogText.of(refused.reason()),
                    LogText.of(request.brokerAddr()),
                    call.connection());
            call.respond(ResponseCode.SYSTEM_ERROR, refused.reason());
        }
    }

    private static TopicConfigTable topics(byte[] body, boolean compressed) {
        return body.length == 0
                ? new TopicConfigTable(Map.of(), DataVersion.ZERO)
                : RegisterBrokerBody.read(body, compressed).topics();
    }

    private long timeoutMillis(long asked) {
        return asked > 0 ? Math.min(asked, settings.brokerTimeoutMillis()) : settings.brokerTimeoutMillis();
    }

    private static int crc32(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue() & CRC_BITS;
    }

    private void unregister(Call call, UnregisterBroker.Request request, ByteBuf body) {
        boolean left = routes.unregister(
                request.brokerName(),
                request.brokerId(),
                request.brokerAddr(),
                call.connection().id());
        if (left) {
            LOG.info(
                    "broker unregistered name={} address={}",
                    LogText.of(request.brokerName()),
                    LogText.of(request.brokerAddr()));
        }
        call.respond(FieldSource.NONE);
    }

    private void heartbeat(Call call, BrokerHeartbeat.Request request, ByteBuf body) {
        Optional<DataVersion> known = routes.heardOf(
                request.brokerName(), request.brokerAddr(), call.connection().id());
        if (known.isPresent()) {
            call.respond(FieldSource.NONE);
        } else {
            call.respond(ResponseCode.BROKER_NOT_EXIST, "the broker is not registered here, it should register again");
        }
    }

    private void queryDataVersion(Call call, QueryDataVersion.Request request, ByteBuf body) {
        Optional<DataVersion> known = routes.heardOf(
                request.brokerName(), request.brokerAddr(), call.connection().id());
        DataVersion asked = body.isReadable() ? DataVersion.read(ByteBufUtil.getBytes(body)) : DataVersion.ZERO;
        boolean changed = known.isEmpty() || !known.get().equals(asked);
        call.respond(
                ResponseCode.SUCCESS,
                null,
                new QueryDataVersion.Response(changed),
                json(known.orElse(DataVersion.ZERO), JsonDialect.FASTJSON));
    }

    private void route(Call call, GetTopicRoute.Request request, ByteBuf body) {
        String topic = request.topic();
        String orderConf = kvConfig.get(KvConfig.ORDER_TOPICS, topic).orElse("");
        Optional<TopicRoute> route = routes.route(topic, orderConf, translate(call));
        if (route.isPresent()) {
            boolean standard = request.acceptStandardJsonOnly() || call.version() >= FIRST_STANDARD_JSON_VERSION;
            respond(call, route.get(), standard ? JsonDialect.STANDARD : JsonDialect.FASTJSON);
        } else if (routes.isWarmingUp()) {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "the name server has just started and no broker has registered yet, try again in a moment");
        } else {
            call.respond(
                    ResponseCode.TOPIC_NOT_EXIST,
                    "No topic route info in name server for the topic: " + LogText.of(topic));
        }
    }

    private void clusters(Call call) {
        respond(call, routes.clusters(translate(call)), JsonDialect.FASTJSON);
    }

    private void members(Call call, GetBrokerMemberGroup.Request request, ByteBuf body) {
        respond(
                call,
                routes.members(request.clusterName(), request.brokerName(), translate(call)),
                JsonDialect.FASTJSON);
    }

    private void allTopics(Call call) {
        respond(call, new TopicList(routes.topics(any -> true)), JsonDialect.FASTJSON);
    }

    private void topicsOf(Call call, GetTopicsByCluster.Request request, ByteBuf body) {
        respond(call, new TopicList(routes.topics(request.cluster()::equals)), JsonDialect.FASTJSON);
    }

    private void systemTopics(Call call) {
        String anyBroker = routes.clusters(translate(call)).brokerAddrTable().values().stream()
                .flatMap(broker -> broker.brokerAddrs().values().stream())
                .findFirst()
                .orElse("");
        respond(call, new TopicList(routes.systemTopics(), anyBroker), JsonDialect.FASTJSON);
    }

    private void deleteTopic(Call call, DeleteTopicInNameServer.Request request, ByteBuf body) {
        String cluster = request.clusterName();
        routes.deleteTopic(request.topic(), each -> cluster.isEmpty() || cluster.equals(each));
        call.respond(FieldSource.NONE);
    }

    private void addTopic(Call call, RegisterTopicInNameServer.Request request, ByteBuf body) {
        routes.addTopic(
                request.topic(), TopicRoute.read(ByteBufUtil.getBytes(body)).queueDatas());
        call.respond(FieldSource.NONE);
    }

    private void wipe(Call call, WipeWritePermission.Request request, ByteBuf body) {
        int topics = routes.setWritable(request.brokerName(), false);
        LOG.info("write permission taken broker={} topics={}", LogText.of(request.brokerName()), topics);
        call.respond(new WipeWritePermission.Response(topics));
    }

    private void restore(Call call, AddWritePermission.Request request, ByteBuf body) {
        int topics = routes.setWritable(request.brokerName(), true);
        LOG.info("write permission restored broker={} topics={}", LogText.of(request.brokerName()), topics);
        call.respond(new AddWritePermission.Response(topics));
    }

    private void putKv(Call call, PutKvConfig.Request request, ByteBuf body) {
        if (kvConfig.put(request.namespace(), request.key(), request.value())) {
            call.respond(FieldSource.NONE);
        } else {
            call.respond(
                    ResponseCode.SYSTEM_ERROR,
                    "the key-value configuration has " + settings.maxKvEntries() + " entries, its limit");
        }
    }

    private void getKv(Call call, GetKvConfig.Request request, ByteBuf body) {
        Optional<String> value = kvConfig.get(request.namespace(), request.key());
        if (value.isPresent()) {
            call.respond(new GetKvConfig.Response(value.get()));
        } else {
            call.respond(
                    ResponseCode.QUERY_NOT_FOUND,
                    "No config item, Namespace: " + LogText.of(request.namespace()) + " Key: "
                            + LogText.of(request.key()));
        }
    }

    private void deleteKv(Call call, DeleteKvConfig.Request request, ByteBuf body) {
        kvConfig.delete(request.namespace(), request.key());
        call.respond(FieldSource.NONE);
    }

    private void listKv(Call call, GetKvListByNamespace.Request request, ByteBuf body) {
        SortedMap<String, String> entries = kvConfig.namespace(request.namespace());
        if (entries.isEmpty()) {
            call.respond(
                    ResponseCode.QUERY_NOT_FOUND, "no entries in the namespace " + LogText.of(request.namespace()));
        } else {
            respond(call, new KvTable(entries), JsonDialect.FASTJSON);
        }
    }

    private UnaryOperator<String> translate(Call call) {
        AddressTranslator chosen = translator;
        return address -> chosen.translate(call.connection(), address);
    }

    private static void respond(Call call, JsonBody body, JsonDialect dialect) {
        call.respond(ResponseCode.SUCCESS, null, FieldSource.NONE, json(body, dialect));
    }

    private static ByteBuf json(JsonBody body, JsonDialect dialect) {
        return Unpooled.wrappedBuffer(body.write(dialect));
    }

    /** Takes out the brokers that an ended connection spoke for. */
    public void disconnected(Connection connection) {
        List<String> left = routes.connectionEnded(connection.id());
        left.forEach(address -> LOG.info("broker gone: its connection ended address={}", LogText.of(address)));
    }

    private void removeSilent() {
        List<String> left = routes.removeSilent();
        left.forEach(address -> LOG.warn("broker gone: it was silent for too long address={}", LogText.of(address)));
    }

    /** Stops looking for silent brokers. */
    @Override
    public void close() {
        scan.cancel();
    }
}
