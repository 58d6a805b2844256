package io.anser.nameserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.anser.protocol.body.ClusterInfo;
import io.anser.protocol.body.DataVersion;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.body.QueueData;
import io.anser.protocol.body.RegisterBrokerBody;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicConfigTable;
import io.anser.protocol.body.TopicFilterType;
import io.anser.protocol.body.TopicList;
import io.anser.protocol.body.TopicRoute;
import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.operation.AddWritePermission;
import io.anser.protocol.operation.BrokerHeartbeat;
import io.anser.protocol.operation.DeleteKvConfig;
import io.anser.protocol.operation.DeleteTopicInNameServer;
import io.anser.protocol.operation.GetAllTopicList;
import io.anser.protocol.operation.GetBrokerMemberGroup;
import io.anser.protocol.operation.GetClusterInfo;
import io.anser.protocol.operation.GetHasUnitSubTopicList;
import io.anser.protocol.operation.GetHasUnitSubUnunitTopicList;
import io.anser.protocol.operation.GetKvConfig;
import io.anser.protocol.operation.GetKvListByNamespace;
import io.anser.protocol.operation.GetNameServerConfig;
import io.anser.protocol.operation.GetSystemTopicListFromNameServer;
import io.anser.protocol.operation.GetTopicRoute;
import io.anser.protocol.operation.GetTopicsByCluster;
import io.anser.protocol.operation.GetUnitTopicList;
import io.anser.protocol.operation.PutKvConfig;
import io.anser.protocol.operation.QueryDataVersion;
import io.anser.protocol.operation.RegisterBroker;
import io.anser.protocol.operation.RegisterTopicInNameServer;
import io.anser.protocol.operation.UnregisterBroker;
import io.anser.protocol.operation.UpdateNameServerConfig;
import io.anser.protocol.operation.WipeWritePermission;
import io.anser.system.VirtualTime;
import io.anser.transport.Call;
import io.anser.transport.EventLoops;
import io.anser.transport.HandlerTable;
import io.anser.transport.RemotingClient;
import io.anser.transport.RemotingHandler;
import io.anser.transport.RemotingServer;
import io.anser.transport.Reply;
import io.anser.transport.TransportSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NameServerTest {
    private static final String BROKER = "10.0.0.1:10911";
    private static final RemotingHandler NOBODY_ASKS = new RemotingHandler() {
        @Override
        public void handle(Call call, CommandHeader header, ByteBuf body) {
            call.respond(1, "not asked for");
        }
    };

    private final VirtualTime time = new VirtualTime();
    private EventLoops loops;
    private NameServer nameServer;
    private RemotingServer server;
    private RemotingClient broker;
    private RemotingClient client;

    @BeforeAll
    static void waitPatiently() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @BeforeEach
    void start() {
        loops = EventLoops.start(TransportSettings.defaults(), time);
        nameServer = new NameServer(NameServerSettings.defaults(), time, time);
        HandlerTable table = new HandlerTable(Runnable::run);
        nameServer.registerHandlers(table);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = RemotingServer.start(loops, TransportSettings.defaults(), any, table, time, time, List.of());
        broker = new RemotingClient(loops, TransportSettings.defaults(), time, time, NOBODY_ASKS);
        client = new RemotingClient(loops, TransportSettings.defaults(), time, time, NOBODY_ASKS);
    }

    @AfterEach
    void stop() {
        client.close();
        broker.close();
        server.close();
        nameServer.close();
        loops.close();
    }

    private Reply call(RemotingClient from, int code, FieldSource fields, byte[] body) throws Exception {
        String address = "127.0.0.1:" + server.address().getPort();
        return from.call(address, code, fields, Unpooled.wrappedBuffer(body), 3000)
                .get(20, TimeUnit.SECONDS);
    }

    private Reply ask(int code, FieldSource fields) throws Exception {
        return call(client, code, fields, new byte[0]);
    }

    private Reply route(String topic) throws Exception {
        return ask(GetTopicRoute.CODE, new GetTopicRoute.Request(topic, false));
    }

    private static String text(Reply reply) {
        return new String(reply.body(), UTF_8);
    }

    private static RegisterBrokerBody topics(long counter, String... names) {
        Map<String, TopicConfig> configs = new TreeMap<>();
        for (String name : names) {
            configs.put(name, new TopicConfig(name, 4, 4, 6));
        }
        return new RegisterBrokerBody(new TopicConfigTable(configs, new DataVersion(0, 5, counter)), List.of());
    }

    private Reply register(byte[] body, boolean compressed, int crc) throws Exception {
        RegisterBroker.Request request = new RegisterBroker.Request(
                "broker-a", BROKER, "DefaultCluster", "10.0.0.1:10912", 0, 0, false, compressed, crc);
        return call(broker, RegisterBroker.CODE, request, body);
    }

    private Reply register(String... names) throws Exception {
        return register(topics(1, names).write(), false, 0);
    }

    private static int crc(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body);
        return (int) crc.getValue() & 0x7FFFFFFF;
    }

    @Test
    void answersARouteWithTheQueuesOfARegisteredBroker() throws Exception {
        assertThat(register("Orders").code()).isZero();
        Reply route = route("Orders");
        assertThat(route.code()).isZero();
        assertThat(TopicRoute.read(route.body()).queueDatas()).containsExactly(new QueueData("broker-a", 4, 4, 6, 0));
        assertThat(text(route)).contains("\"brokerAddrs\":{\"0\":\"10.0.0.1:10911\"}");
    }

    @Test
    void readsACompressedRegistrationAndChecksItsSum() throws Exception {
        byte[] body = topics(1, "Orders").writeCompressed();
        Reply refused = register(body, true, crc(body) ^ 1);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.remark().orElse("")).contains("bodyCrc32").contains("does not fit the body of");
        assertThat(register(body, true, crc(body)).code()).isZero();
        assertThat(route("Orders").code()).isZero();
    }

    @Test
    void refusesABodyThatIsNoRegistration() throws Exception {
        Reply refused = register("{\"topicConfigSerializeWrapper\":[".getBytes(UTF_8), false, 0);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.remark().orElse("")).doesNotContain("Exception");
        Reply notCompressed = register("plain".getBytes(UTF_8), true, 0);
        assertThat(notCompressed.code()).isEqualTo(1);
        assertThat(route("Orders").code()).isEqualTo(1);
    }

    @Test
    void anUnknownTopicIsNotReadyWhileWarmingUpAndDoesNotExistAfterwards() throws Exception {
        Reply early = route("Nothing");
        assertThat(early.code()).isEqualTo(1);
        assertThat(early.remark())
                .contains("the name server has just started and no broker has registered yet, try again in a moment");
        register("Orders");
        Reply late = route("Nothing");
        assertThat(late.code()).isEqualTo(17);
        assertThat(late.remark()).contains("No topic route info in name server for the topic: Nothing");
    }

    @Test
    void aBrokerGoesWithItsConnection() throws Exception {
        register("Orders");
        broker.close();
        await().until(() -> route("Orders").code() == 17);
    }

    @Test
    void aBrokerGoesWhenItSaysSo() throws Exception {
        register("Orders");
        call(
                broker,
                UnregisterBroker.CODE,
                new UnregisterBroker.Request("broker-a", BROKER, "DefaultCluster", 0),
                new byte[0]);
        assertThat(route("Orders").code()).isEqualTo(17);
    }

    @Test
    void aBrokerIsKeptAliveByHeartbeatsAndGoesWithoutThem() throws Exception {
        register("Orders");
        BrokerHeartbeat.Request heartbeat = new BrokerHeartbeat.Request("DefaultCluster", BROKER, "broker-a", 0);
        for (int i = 0; i < 6; i++) {
            time.advance(Duration.ofSeconds(30));
            assertThat(call(broker, BrokerHeartbeat.CODE, heartbeat, new byte[0])
                            .code())
                    .isZero();
            assertThat(route("Orders").code()).isZero();
        }
        time.advance(Duration.ofSeconds(115));
        assertThat(route("Orders").code()).isZero();
        time.advance(Duration.ofSeconds(10));
        assertThat(route("Orders").code()).isEqualTo(17);
        assertThat(call(client, BrokerHeartbeat.CODE, heartbeat, new byte[0]).code())
                .isEqualTo(211);
    }

    @Test
    void tellsABrokerWhetherItsTopicsAreKnown() throws Exception {
        QueryDataVersion.Request query = new QueryDataVersion.Request("broker-a", BROKER, "DefaultCluster", 0);
        byte[] version = new DataVersion(0, 5, 1).write();
        Reply unknown = call(broker, QueryDataVersion.CODE, query, version);
        assertThat(QueryDataVersion.Response.decode(unknown.header()).changed()).isTrue();
        register("Orders");
        Reply known = call(broker, QueryDataVersion.CODE, query, version);
        assertThat(QueryDataVersion.Response.decode(known.header()).changed()).isFalse();
        assertThat(DataVersion.read(known.body())).isEqualTo(new DataVersion(0, 5, 1));
        Reply newer = call(broker, QueryDataVersion.CODE, query, new DataVersion(0, 6, 2).write());
        assertThat(QueryDataVersion.Response.decode(newer.header()).changed()).isTrue();
    }

    @Test
    void refusesASecondBrokerOfTheSameName() throws Exception {
        register("Orders");
        Reply refused = call(
                client,
                RegisterBroker.CODE,
                new RegisterBroker.Request("broker-a", "10.0.0.9:1", "DefaultCluster", "", 0, 0, false, false, 0),
                topics(1, "Orders").write());
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.remark().orElse("")).contains("is taken by 10.0.0.1:10911, which is alive");
    }

    @Test
    void listsTopicsAndClusters() throws Exception {
        register("Orders", "Bills");
        assertThat(TopicList.read(ask(GetAllTopicList.CODE, FieldSource.NONE).body())
                        .topicList())
                .containsExactly("Bills", "Orders");
        Reply ofCluster = ask(GetTopicsByCluster.CODE, new GetTopicsByCluster.Request("DefaultCluster"));
        assertThat(TopicList.read(ofCluster.body()).topicList()).containsExactly("Bills", "Orders");
        Reply ofOther = ask(GetTopicsByCluster.CODE, new GetTopicsByCluster.Request("Other"));
        assertThat(TopicList.read(ofOther.body()).topicList()).isEmpty();
        TopicList system = TopicList.read(
                ask(GetSystemTopicListFromNameServer.CODE, FieldSource.NONE).body());
        assertThat(system.topicList()).containsExactly("DefaultCluster", "broker-a");
        assertThat(system.brokerAddr()).isEqualTo(BROKER);
        Reply clusters = ask(GetClusterInfo.CODE, FieldSource.NONE);
        assertThat(text(clusters)).contains("\"brokerAddrs\":{0:\"10.0.0.1:10911\"}");
        assertThat(ClusterInfo.read(clusters.body()).clusterAddrTable())
                .isEqualTo(Map.of("DefaultCluster", List.of("broker-a")));
        Reply members = ask(GetBrokerMemberGroup.CODE, new GetBrokerMemberGroup.Request("DefaultCluster", "broker-a"));
        assertThat(text(members)).contains("brokerMemberGroup").contains(BROKER);
    }

    @Test
    void wipesAndRestoresTheWritePermission() throws Exception {
        register("Orders", "Bills");
        Reply wiped = ask(WipeWritePermission.CODE, new WipeWritePermission.Request("broker-a"));
        assertThat(WipeWritePermission.Response.decode(wiped.header()).wipeTopicCount())
                .isEqualTo(2);
        register("Orders", "Bills");
        assertThat(text(route("Orders"))).contains("\"perm\":4");
        Reply restored = ask(AddWritePermission.CODE, new AddWritePermission.Request("broker-a"));
        assertThat(AddWritePermission.Response.decode(restored.header()).addTopicCount())
                .isEqualTo(2);
        assertThat(text(route("Orders"))).contains("\"perm\":6");
    }

    @Test
    void deletesAndAddsTopics() throws Exception {
        register("Orders");
        ask(DeleteTopicInNameServer.CODE, new DeleteTopicInNameServer.Request("Orders", ""));
        assertThat(route("Orders").code()).isEqualTo(17);
        byte[] queues = new TopicRoute(List.of(new QueueData("broker-a", 2, 2, 6, 0)), List.of()).write();
        call(client, RegisterTopicInNameServer.CODE, new RegisterTopicInNameServer.Request("Added"), queues);
        assertThat(TopicRoute.read(route("Added").body()).queueDatas())
                .containsExactly(new QueueData("broker-a", 2, 2, 6, 0));
    }

    @Test
    void keepsKeysAndValuesAndPutsOrderConfigurationIntoRoutesAndRegistrations() throws Exception {
        Reply missing = ask(GetKvConfig.CODE, new GetKvConfig.Request("ns", "k"));
        assertThat(missing.code()).isEqualTo(22);
        assertThat(missing.remark()).contains("No config item, Namespace: ns Key: k");
        ask(PutKvConfig.CODE, new PutKvConfig.Request("ns", "k", "v"));
        Reply found = ask(GetKvConfig.CODE, new GetKvConfig.Request("ns", "k"));
        assertThat(GetKvConfig.Response.decode(found.header()).value()).isEqualTo("v");
        Reply list = ask(GetKvListByNamespace.CODE, new GetKvListByNamespace.Request("ns"));
        assertThat(KvTable.read(list.body()).table()).isEqualTo(Map.of("k", "v"));
        ask(DeleteKvConfig.CODE, new DeleteKvConfig.Request("ns", "k"));
        assertThat(ask(GetKvListByNamespace.CODE, new GetKvListByNamespace.Request("ns"))
                        .code())
                .isEqualTo(22);

        ask(PutKvConfig.CODE, new PutKvConfig.Request("ORDER_TOPIC_CONFIG", "Orders", "broker-a:4"));
        Reply registered = register("Orders", "Bills");
        assertThat(KvTable.read(registered.body()).table()).isEqualTo(Map.of("Orders", "broker-a:4"));
        assertThat(TopicRoute.read(route("Orders").body()).orderTopicConf()).isEqualTo("broker-a:4");
        assertThat(TopicRoute.read(route("Bills").body()).orderTopicConf()).isEmpty();
    }

    @Test
    void namesBrokersToEachConnectionAsItIsTold() throws Exception {
        nameServer.translateAddresses((asking, address) ->
                address.equals(BROKER) ? "reached:" + asking.localAddress().getPort() : address);
        register("Orders");
        String reached = "reached:" + server.address().getPort();
        assertThat(text(route("Orders"))).contains("\"0\":\"" + reached + "\"");
        assertThat(text(ask(GetClusterInfo.CODE, FieldSource.NONE))).contains("{0:\"" + reached + "\"}");
    }

    @Test
    void listsTopicsOfUnitsAndThoseThatUnitsSubscribeTo() throws Exception {
        Map<String, TopicConfig> configs = new TreeMap<>();
        for (int flags = 0; flags < 4; flags++) {
            String name = "T" + flags;
            configs.put(name, new TopicConfig(name, 4, 4, 6, TopicFilterType.SINGLE_TAG, flags, false, Map.of()));
        }
        TopicConfigTable table = new TopicConfigTable(configs, new DataVersion(0, 5, 1));
        register(new RegisterBrokerBody(table, List.of()).write(), false, 0);

        assertThat(list(GetUnitTopicList.CODE)).containsExactly("T1", "T3");
        assertThat(list(GetHasUnitSubTopicList.CODE)).containsExactly("T2", "T3");
        assertThat(list(GetHasUnitSubUnunitTopicList.CODE)).containsExactly("T2");
    }

    private Set<String> list(int code) throws Exception {
        return TopicList.read(ask(code, FieldSource.NONE).body()).topicList();
    }

    @Test
    void tellsItsSettingsAndSaysWhyOneCannotChange() throws Exception {
        nameServer.tellSettings(new NameServerConfiguration() {
            @Override
            public SortedMap<String, String> inForce() {
                return new TreeMap<>(Map.of("listenPort", "9876", "scan", "5"));
            }

            @Override
            public Optional<String> refusal(Map<String, String> asked) {
                return asked.equals(Map.of("scan", "5")) ? Optional.empty() : Optional.of("scan is fixed");
            }
        });

        assertThat(text(ask(GetNameServerConfig.CODE, FieldSource.NONE))).isEqualTo("listenPort=9876\nscan=5\n");
        assertThat(call(client, UpdateNameServerConfig.CODE, FieldSource.NONE, "scan=5\n".getBytes(UTF_8))
                        .code())
                .isZero();
        Reply refused = call(client, UpdateNameServerConfig.CODE, FieldSource.NONE, "scan=6\n".getBytes(UTF_8));
        assertThat(refused.code()).isEqualTo(29);
        assertThat(refused.remark()).contains("scan is fixed");
    }
}
