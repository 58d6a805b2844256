package io.anser.protocol.operation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** One value of every header record, every optional field different from its default. */
final class OperationSamples {
    /** The samples, in the order of the protocol's table of operations. */
    static final List<Sample> ALL = List.of(
            sample(
                    "SendMessage",
                    SendMessage.CODE,
                    new SendMessage.Request(
                            "PG_orders",
                            "Orders",
                            "TBW102",
                            4,
                            3,
                            1,
                            1796000000123L,
                            7,
                            "TAGS\u0001t\u0002".getBytes(UTF_8),
                            2,
                            true,
                            true,
                            16),
                    SendMessage.Request::decode,
                    "producerGroup topic defaultTopic defaultTopicQueueNums queueId sysFlag bornTimestamp flag"),
            sample(
                    "SendMessage",
                    SendMessage.CODE,
                    new SendMessage.Response("7F00000100002A9F0000000000000100", 3, 12L, "TX1"),
                    SendMessage.Response::decode,
                    "msgId queueId queueOffset"),
            sample(
                    "SendMessageV2",
                    SendMessageV2.CODE,
                    new SendMessageV2.Request(new SendMessage.Request(
                            "PG_orders",
                            "Orders",
                            "TBW102",
                            4,
                            3,
                            1,
                            1796000000123L,
                            7,
                            "TAGS\u0001t\u0002".getBytes(UTF_8),
                            2,
                            true,
                            true,
                            16)),
                    header -> new SendMessageV2.Request(SendMessageV2.Request.decode(header)),
                    "a b c d e f g h"),
            sample(
                    "PullMessage",
                    PullMessage.CODE,
                    new PullMessage.Request(
                            "CG_orders", "Orders", 3, 12L, 32, 7, 11L, 15000L, "a > 1", 1796000000123L, "SQL92", 65536),
                    PullMessage.Request::decode,
                    "consumerGroup topic queueId queueOffset maxMsgNums sysFlag commitOffset suspendTimeoutMillis subVersion"),
            sample(
                    "PullMessage",
                    PullMessage.CODE,
                    new PullMessage.Response(0L, 13L, 1L, 14L),
                    PullMessage.Response::decode,
                    "suggestWhichBrokerId nextBeginOffset minOffset maxOffset"),
            sample(
                    "QueryConsumerOffset",
                    QueryConsumerOffset.CODE,
                    new QueryConsumerOffset.Request("CG_orders", "Orders", 3, false),
                    QueryConsumerOffset.Request::decode,
                    "consumerGroup topic queueId"),
            sample(
                    "QueryConsumerOffset",
                    QueryConsumerOffset.CODE,
                    new QueryConsumerOffset.Response(12L),
                    QueryConsumerOffset.Response::decode,
                    "offset"),
            sample(
                    "UpdateConsumerOffset",
                    UpdateConsumerOffset.CODE,
                    new UpdateConsumerOffset.Request("CG_orders", "Orders", 3, 12L),
                    UpdateConsumerOffset.Request::decode,
                    "consumerGroup topic queueId commitOffset"),
            sample(
                    "GetMaxOffset",
                    GetMaxOffset.CODE,
                    new GetMaxOffset.Request("Orders", 3, false),
                    GetMaxOffset.Request::decode,
                    "topic queueId"),
            sample(
                    "GetMaxOffset",
                    GetMaxOffset.CODE,
                    new GetMaxOffset.Response(12L),
                    GetMaxOffset.Response::decode,
                    "offset"),
            sample(
                    "GetMinOffset",
                    GetMinOffset.CODE,
                    new GetMinOffset.Request("Orders", 3),
                    GetMinOffset.Request::decode,
                    "topic queueId"),
            sample(
                    "GetMinOffset",
                    GetMinOffset.CODE,
                    new GetMinOffset.Response(1L),
                    GetMinOffset.Response::decode,
                    "offset"),
            sample(
                    "SearchOffsetByTimestamp",
                    SearchOffsetByTimestamp.CODE,
                    new SearchOffsetByTimestamp.Request(
                            "Orders", 3, 1796000000123L, SearchOffsetByTimestamp.Boundary.UPPER),
                    SearchOffsetByTimestamp.Request::decode,
                    "topic queueId timestamp"),
            sample(
                    "SearchOffsetByTimestamp",
                    SearchOffsetByTimestamp.CODE,
                    new SearchOffsetByTimestamp.Response(12L),
                    SearchOffsetByTimestamp.Response::decode,
                    "offset"),
            sample(
                    "GetEarliestMessageStoreTime",
                    GetEarliestMessageStoreTime.CODE,
                    new GetEarliestMessageStoreTime.Request("Orders", 3),
                    GetEarliestMessageStoreTime.Request::decode,
                    "topic queueId"),
            sample(
                    "GetEarliestMessageStoreTime",
                    GetEarliestMessageStoreTime.CODE,
                    new GetEarliestMessageStoreTime.Response(1796000000123L),
                    GetEarliestMessageStoreTime.Response::decode,
                    "timestamp"),
            sample(
                    "UnregisterClient",
                    UnregisterClient.CODE,
                    new UnregisterClient.Request("10.0.0.1@7", "PG_orders", "CG_orders"),
                    UnregisterClient.Request::decode,
                    "clientID"),
            sample(
                    "ConsumerSendMessageBack",
                    ConsumerSendMessageBack.CODE,
                    new ConsumerSendMessageBack.Request(256L, "CG_orders", 3, "7F0001", "Orders", true, 16),
                    ConsumerSendMessageBack.Request::decode,
                    "offset group delayLevel"),
            sample(
                    "EndTransaction",
                    EndTransaction.CODE,
                    new EndTransaction.Request("Orders", "PG_orders", 7L, 256L, 8, true, "7F0001", "7F0002"),
                    EndTransaction.Request::decode,
                    "producerGroup tranStateTableOffset commitLogOffset commitOrRollback"),
            sample(
                    "CheckTransactionState",
                    CheckTransactionState.CODE,
                    new CheckTransactionState.Request("Orders", 7L, 256L, "7F0001", "7F0002", "7F0003"),
                    CheckTransactionState.Request::decode,
                    "tranStateTableOffset commitLogOffset"),
            sample(
                    "ResumeCheckHalfMessage",
                    ResumeCheckHalfMessage.CODE,
                    new ResumeCheckHalfMessage.Request("Orders", "7F0001"),
                    ResumeCheckHalfMessage.Request::decode,
                    ""),
            sample(
                    "PushReplyMessageToClient",
                    PushReplyMessageToClient.CODE,
                    new PushReplyMessageToClient.Request(
                            "PG_orders",
                            "C_REPLY_TOPIC",
                            "TBW102",
                            8,
                            3,
                            1,
                            256L,
                            5,
                            "KEYS".getBytes(UTF_8),
                            2,
                            true,
                            "10.0.0.1:1",
                            "10.0.0.2:2",
                            257L),
                    PushReplyMessageToClient.Request::decode,
                    "producerGroup topic defaultTopic defaultTopicQueueNums queueId sysFlag bornTimestamp flag"
                            + " bornHost storeHost storeTimestamp"),
            sample(
                    "RecallMessage",
                    RecallMessage.CODE,
                    new RecallMessage.Request("PG_orders", "Orders", "djE"),
                    RecallMessage.Request::decode,
                    "topic recallHandle"),
            sample(
                    "RecallMessage",
                    RecallMessage.CODE,
                    new RecallMessage.Response("7F0001"),
                    RecallMessage.Response::decode,
                    "msgId"),
            sample(
                    "GetConsumerListByGroup",
                    GetConsumerListByGroup.CODE,
                    new GetConsumerListByGroup.Request("CG_orders"),
                    GetConsumerListByGroup.Request::decode,
                    "consumerGroup"),
            sample(
                    "NotifyConsumerIdsChanged",
                    NotifyConsumerIdsChanged.CODE,
                    new NotifyConsumerIdsChanged.Request("CG_orders"),
                    NotifyConsumerIdsChanged.Request::decode,
                    "consumerGroup"),
            sample(
                    "CreateTopic",
                    CreateTopic.CODE,
                    new CreateTopic.Request(
                            "Orders", "TBW102", 8, 9, 6, "SINGLE_TAG", 1, true, "+message.type=FIFO", true),
                    CreateTopic.Request::decode,
                    "topic defaultTopic readQueueNums writeQueueNums perm topicFilterType order"),
            sample(
                    "GetTopicRoute",
                    GetTopicRoute.CODE,
                    new GetTopicRoute.Request("Orders", true),
                    GetTopicRoute.Request::decode,
                    "topic"),
            sample(
                    "RegisterBroker",
                    RegisterBroker.CODE,
                    new RegisterBroker.Request(
                            "broker-a",
                            "10.0.0.2:9876",
                            "DefaultCluster",
                            "10.0.0.2:9877",
                            1L,
                            30000L,
                            true,
                            true,
                            12345),
                    RegisterBroker.Request::decode,
                    "brokerName brokerAddr clusterName haServerAddr brokerId"),
            sample(
                    "RegisterBroker",
                    RegisterBroker.CODE,
                    new RegisterBroker.Response("10.0.0.2:9877", "10.0.0.2:9876"),
                    RegisterBroker.Response::decode,
                    ""),
            sample(
                    "UnregisterBroker",
                    UnregisterBroker.CODE,
                    new UnregisterBroker.Request("broker-a", "10.0.0.2:9876", "DefaultCluster", 1L),
                    UnregisterBroker.Request::decode,
                    "brokerName brokerAddr clusterName brokerId"),
            sample(
                    "BrokerHeartbeat",
                    BrokerHeartbeat.CODE,
                    new BrokerHeartbeat.Request("DefaultCluster", "10.0.0.2:9876", "broker-a", 1L),
                    BrokerHeartbeat.Request::decode,
                    "clusterName brokerAddr brokerName"),
            sample(
                    "QueryDataVersion",
                    QueryDataVersion.CODE,
                    new QueryDataVersion.Request("broker-a", "10.0.0.2:9876", "DefaultCluster", 1L),
                    QueryDataVersion.Request::decode,
                    "brokerName brokerAddr clusterName brokerId"),
            sample(
                    "QueryDataVersion",
                    QueryDataVersion.CODE,
                    new QueryDataVersion.Response(true),
                    QueryDataVersion.Response::decode,
                    "changed"),
            sample(
                    "PutKvConfig",
                    PutKvConfig.CODE,
                    new PutKvConfig.Request("ORDER_TOPIC_CONFIG", "Orders", "broker-a:4"),
                    PutKvConfig.Request::decode,
                    "namespace key value"),
            sample(
                    "GetKvConfig",
                    GetKvConfig.CODE,
                    new GetKvConfig.Request("ORDER_TOPIC_CONFIG", "Orders"),
                    GetKvConfig.Request::decode,
                    "namespace key"),
            sample(
                    "GetKvConfig",
                    GetKvConfig.CODE,
                    new GetKvConfig.Response("broker-a:4"),
                    GetKvConfig.Response::decode,
                    ""),
            sample(
                    "DeleteKvConfig",
                    DeleteKvConfig.CODE,
                    new DeleteKvConfig.Request("ORDER_TOPIC_CONFIG", "Orders"),
                    DeleteKvConfig.Request::decode,
                    "namespace key"),
            sample(
                    "GetKvListByNamespace",
                    GetKvListByNamespace.CODE,
                    new GetKvListByNamespace.Request("ORDER_TOPIC_CONFIG"),
                    GetKvListByNamespace.Request::decode,
                    "namespace"),
            sample(
                    "WipeWritePermission",
                    WipeWritePermission.CODE,
                    new WipeWritePermission.Request("broker-a"),
                    WipeWritePermission.Request::decode,
                    "brokerName"),
            sample(
                    "WipeWritePermission",
                    WipeWritePermission.CODE,
                    new WipeWritePermission.Response(5),
                    WipeWritePermission.Response::decode,
                    "wipeTopicCount"),
            sample(
                    "AddWritePermission",
                    AddWritePermission.CODE,
                    new AddWritePermission.Request("broker-a"),
                    AddWritePermission.Request::decode,
                    "brokerName"),
            sample(
                    "AddWritePermission",
                    AddWritePermission.CODE,
                    new AddWritePermission.Response(5),
                    AddWritePermission.Response::decode,
                    "addTopicCount"),
            sample(
                    "DeleteTopicInBroker",
                    DeleteTopicInBroker.CODE,
                    new DeleteTopicInBroker.Request("Orders"),
                    DeleteTopicInBroker.Request::decode,
                    "topic"),
            sample(
                    "DeleteSubscriptionGroup",
                    DeleteSubscriptionGroup.CODE,
                    new DeleteSubscriptionGroup.Request("g", true),
                    DeleteSubscriptionGroup.Request::decode,
                    "groupName"),
            sample(
                    "DeleteTopicInNameServer",
                    DeleteTopicInNameServer.CODE,
                    new DeleteTopicInNameServer.Request("Orders", "DefaultCluster"),
                    DeleteTopicInNameServer.Request::decode,
                    "topic"),
            sample(
                    "RegisterTopicInNameServer",
                    RegisterTopicInNameServer.CODE,
                    new RegisterTopicInNameServer.Request("Orders"),
                    RegisterTopicInNameServer.Request::decode,
                    "topic"),
            sample(
                    "GetTopicsByCluster",
                    GetTopicsByCluster.CODE,
                    new GetTopicsByCluster.Request("DefaultCluster"),
                    GetTopicsByCluster.Request::decode,
                    "cluster"),
            sample(
                    "GetBrokerMemberGroup",
                    GetBrokerMemberGroup.CODE,
                    new GetBrokerMemberGroup.Request("DefaultCluster", "broker-a"),
                    GetBrokerMemberGroup.Request::decode,
                    "clusterName brokerName"),
            sample(
                    "ViewMessageById",
                    ViewMessageById.CODE,
                    new ViewMessageById.Request("Orders", 256L),
                    ViewMessageById.Request::decode,
                    "offset"),
            sample(
                    "QueryMessage",
                    QueryMessage.CODE,
                    new QueryMessage.Request("Orders", "order-7", 32, 1796000000000L, 1796000009000L, true),
                    QueryMessage.Request::decode,
                    "topic key maxNum beginTimestamp endTimestamp"),
            sample(
                    "QueryMessage",
                    QueryMessage.CODE,
                    new QueryMessage.Response(1796000009000L, 512L),
                    QueryMessage.Response::decode,
                    "indexLastUpdateTimestamp indexLastUpdatePhyoffset"),
            sample(
                    "GetAllTopicConfig",
                    GetAllTopicConfig.CODE,
                    new GetAllTopicConfig.Request(2, "{}", 100),
                    GetAllTopicConfig.Request::decode,
                    ""),
            sample(
                    "GetAllTopicConfig",
                    GetAllTopicConfig.CODE,
                    new GetAllTopicConfig.Response(9),
                    GetAllTopicConfig.Response::decode,
                    ""),
            sample(
                    "GetAllSubscriptionGroupConfig",
                    GetAllSubscriptionGroupConfig.CODE,
                    new GetAllSubscriptionGroupConfig.Request(2, "{}", 100),
                    GetAllSubscriptionGroupConfig.Request::decode,
                    ""),
            sample(
                    "GetAllSubscriptionGroupConfig",
                    GetAllSubscriptionGroupConfig.CODE,
                    new GetAllSubscriptionGroupConfig.Response(9),
                    GetAllSubscriptionGroupConfig.Response::decode,
                    "totalGroupNum"),
            sample(
                    "GetTopicConfig",
                    GetTopicConfig.CODE,
                    new GetTopicConfig.Request("Orders"),
                    GetTopicConfig.Request::decode,
                    "topic"),
            sample(
                    "GetSubscriptionGroupConfig",
                    GetSubscriptionGroupConfig.CODE,
                    new GetSubscriptionGroupConfig.Request("CG_orders"),
                    GetSubscriptionGroupConfig.Request::decode,
                    "group"),
            sample(
                    "GetTopicStats",
                    GetTopicStats.CODE,
                    new GetTopicStats.Request("Orders"),
                    GetTopicStats.Request::decode,
                    "topic"));

    private OperationSamples() {}

    /**
     * A header record to write and to read back.
     *
     * @param name operation and record
     * @param code request code
     * @param isResponse whether it is a response
     * @param fields the record
     * @param decode reads the record
     * @param required wire names of the fields that the protocol requires
     */
    record Sample(
            String name,
            int code,
            boolean isResponse,
            FieldSource fields,
            Function<CommandHeader, FieldSource> decode,
            Set<String> required) {
        byte[] write(HeaderEncoding encoding) {
            HeaderWriter writer = new HeaderWriter();
            writer.begin(encoding, isResponse ? 0 : code, isResponse ? CommandHeader.FLAG_RESPONSE : 0, 1, null);
            fields.writeTo(writer);
            writer.end();
            return Arrays.copyOf(writer.array(), writer.length());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Sample sample(
            String operation,
            int code,
            FieldSource fields,
            Function<CommandHeader, FieldSource> decode,
            String required) {
        String record = fields.getClass().getSimpleName();
        return new Sample(
                operation + "." + record,
                code,
                record.equals("Response"),
                fields,
                decode,
                required.isEmpty() ? Set.of() : Set.of(required.split(" ")));
    }
}
