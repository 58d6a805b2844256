package io.anser.nameserver;

import io.anser.protocol.body.TopicList;
import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.ResponseCode;
import io.anser.protocol.json.JsonDialect;
import io.anser.protocol.message.NameProblem;
import io.anser.protocol.message.Names;
import io.anser.protocol.operation.AddWritePermission;
import io.anser.protocol.operation.DeleteTopicInNameServer;
import io.anser.protocol.operation.GetAllTopicList;
import io.anser.protocol.operation.GetBrokerMemberGroup;
import io.anser.protocol.operation.GetClusterInfo;
import io.anser.protocol.operation.GetHasUnitSubTopicList;
import io.anser.protocol.operation.GetHasUnitSubUnunitTopicList;
import io.anser.protocol.operation.GetSystemTopicListFromNameServer;
import io.anser.protocol.operation.GetTopicRoute;
import io.anser.protocol.operation.GetTopicsByCluster;
import io.anser.protocol.operation.GetUnitTopicList;
import io.anser.protocol.operation.RegisterTopicInNameServer;
import io.anser.protocol.operation.WipeWritePermission;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable;
import io.anser.transport.Lane;
import io.anser.transport.LogText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients and tools ask about routes, topics and clusters, and what tools change in them. */
final class RouteHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(RouteHandlers.class);

    /** Apache's clients from 4.9.4 on read standard JSON; older ones expect broker ids without quotes. */
    private static final int FIRST_STANDARD_JSON_VERSION = 401;

    /** Bit of a topic's flags that says that it belongs to a unit. */
    private static final int UNIT = 1;

    /** Bit of a topic's flags that says that a unit subscribes to it. */
    private static final int UNIT_SUB = 2;

    private final RouteTable routes;
    private final KvConfig kvConfig;
    private volatile AddressTranslator translator = AddressTranslator.AS_REGISTERED;

    RouteHandlers(RouteTable routes, KvConfig kvConfig) {
        this.routes = routes;
        this.kvConfig = kvConfig;
    }

    void translateAddresses(AddressTranslator chosen) {
        translator = chosen;
    }

    /** Queries of one topic or broker run on event loops, those whose answer grows with the cluster on workers. */
    void registerIn(HandlerTable table) {
        table.register(GetTopicRoute.CODE, Lane.NET, GetTopicRoute.Request::decode, this::route);
        table.register(GetClusterInfo.CODE, Lane.WORKER, header -> header, (call, none, body) -> clusters(call));
        table.register(GetBrokerMemberGroup.CODE, Lane.NET, GetBrokerMemberGroup.Request::decode, this::members);
        table.register(GetAllTopicList.CODE, Lane.WORKER, header -> header, (call, none, body) -> allTopics(call));
        table.register(GetTopicsByCluster.CODE, Lane.WORKER, GetTopicsByCluster.Request::decode, this::topicsOf);
        table.register(
                GetSystemTopicListFromNameServer.CODE,
                Lane.WORKER,
                header -> header,
                (call, none, body) -> systemTopics(call));
        registerUnits(table);
        table.register(
                DeleteTopicInNameServer.CODE, Lane.NET, DeleteTopicInNameServer.Request::decode, this::deleteTopic);
        table.register(
                RegisterTopicInNameServer.CODE, Lane.NET, RegisterTopicInNameServer.Request::decode, this::addTopic);
        table.register(WipeWritePermission.CODE, Lane.NET, WipeWritePermission.Request::decode, this::wipe);
        table.register(AddWritePermission.CODE, Lane.NET, AddWritePermission.Request::decode, this::restore);
    }

    private void registerUnits(HandlerTable table) {
        registerUnits(table, GetUnitTopicList.CODE, flags -> (flags & UNIT) != 0);
        registerUnits(table, GetHasUnitSubTopicList.CODE, flags -> (flags & UNIT_SUB) != 0);
        registerUnits(table, GetHasUnitSubUnunitTopicList.CODE, flags -> (flags & (UNIT | UNIT_SUB)) == UNIT_SUB);
    }

    private void registerUnits(HandlerTable table, int code, IntPredicate flags) {
        table.register(
                code,
                Lane.WORKER,
                header -> header,
                (call, none, body) -> JsonAnswer.respond(
                        call,
                        new TopicList(routes.topicsLike(topic -> flags.test(topic.topicSysFlag()))),
                        JsonDialect.FASTJSON));
    }

    private void route(Call call, GetTopicRoute.Request request, ByteBuf body) {
        String topic = request.topic();
        String orderConf = kvConfig.get(KvConfig.ORDER_TOPICS, topic).orElse("");
        Optional<TopicRoute> route = routes.route(topic, orderConf, translate(call));
        if (route.isPresent()) {
            boolean standard = request.acceptStandardJsonOnly() || call.version() >= FIRST_STANDARD_JSON_VERSION;
            JsonAnswer.respond(call, route.get(), standard ? JsonDialect.STANDARD : JsonDialect.FASTJSON);
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
        JsonAnswer.respond(call, routes.clusters(translate(call)), JsonDialect.FASTJSON);
    }

    private void members(Call call, GetBrokerMemberGroup.Request request, ByteBuf body) {
        JsonAnswer.respond(
                call,
                routes.members(request.clusterName(), request.brokerName(), translate(call)),
                JsonDialect.FASTJSON);
    }

    private void allTopics(Call call) {
        JsonAnswer.respond(call, new TopicList(routes.topics(any -> true)), JsonDialect.FASTJSON);
    }

    private void topicsOf(Call call, GetTopicsByCluster.Request request, ByteBuf body) {
        JsonAnswer.respond(call, new TopicList(routes.topics(request.cluster()::equals)), JsonDialect.FASTJSON);
    }

    private void systemTopics(Call call) {
        String anyBroker = routes.clusters(translate(call)).brokerAddrTable().values().stream()
                .flatMap(broker -> broker.brokerAddrs().values().stream())
                .findFirst()
                .orElse("");
        JsonAnswer.respond(call, new TopicList(routes.systemTopics(), anyBroker), JsonDialect.FASTJSON);
    }

    private void deleteTopic(Call call, DeleteTopicInNameServer.Request request, ByteBuf body) {
        String cluster = request.clusterName();
        routes.deleteTopic(request.topic(), each -> cluster.isEmpty() || cluster.equals(each));
        call.respond(FieldSource.NONE);
    }

    private void addTopic(Call call, RegisterTopicInNameServer.Request request, ByteBuf body) {
        Optional<String> refusal = Names.checkTopic(request.topic()).map(NameProblem::text);
        if (refusal.isEmpty()) {
            refusal = routes.addTopic(
                    request.topic(), TopicRoute.read(ByteBufUtil.getBytes(body)).queueDatas());
        }
        if (refusal.isPresent()) {
            call.respond(ResponseCode.SYSTEM_ERROR, refusal.get());
        } else {
            call.respond(FieldSource.NONE);
        }
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

    private UnaryOperator<String> translate(Call call) {
        AddressTranslator chosen = translator;
        return address -> chosen.translate(call.connection(), address);
    }
}
