package io.anser.protocol.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.frame.InvalidFieldException;
import io.anser.protocol.operation.OperationSamples.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OperationWireTest {
    private final CommandHeader header = new CommandHeader();

    static List<Sample> samples() {
        return OperationSamples.ALL;
    }

    @Test
    void jsonHeadersAreTheGoldenBytes() throws IOException {
        assertThat(lines(sample -> new String(sample.write(HeaderEncoding.JSON), UTF_8)))
                .isEqualTo(golden("operations-json.txt"));
    }

    @Test
    void binaryHeadersAreTheGoldenBytes() throws IOException {
        assertThat(lines(sample -> HexFormat.of().formatHex(sample.write(HeaderEncoding.BINARY))))
                .isEqualTo(golden("operations-binary.txt"));
    }

    private static String lines(Function<Sample, String> text) {
        StringBuilder lines = new StringBuilder();
        for (Sample sample : OperationSamples.ALL) {
            lines.append(sample.name()).append(' ').append(text.apply(sample)).append('\n');
        }
        return lines.toString();
    }

    private static String golden(String file) throws IOException {
        try (InputStream in = OperationWireTest.class.getResourceAsStream("/golden/" + file)) {
            assertThat(in).as(file).isNotNull();
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void comesBackAsItWasWritten(Sample sample) {
        for (HeaderEncoding encoding : HeaderEncoding.values()) {
            byte[] bytes = sample.write(encoding);
            header.decode(encoding, bytes, 0, bytes.length);

            assertThat(header.code()).isEqualTo(sample.isResponse() ? 0 : sample.code());
            assertThat(sample.decode().apply(header)).usingRecursiveComparison().isEqualTo(sample.fields());
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void namesTheRequiredFieldThatIsMissingAndDoesWithoutTheOthers(Sample sample) {
        Map<String, String> fields = fields(sample);
        assertThat(fields.keySet()).containsAll(sample.required());
        for (String name : fields.keySet()) {
            Map<String, String> without = new LinkedHashMap<>(fields);
            without.remove(name);
            decode(without);

            if (sample.required().contains(name)) {
                assertThatThrownBy(() -> sample.decode().apply(header))
                        .isInstanceOf(InvalidFieldException.class)
                        .hasMessage("field " + name + " is missing");
            } else {
                assertThat(sample.decode().apply(header)).isNotEqualTo(sample.fields());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void namesTheFieldWhoseNumberOrBooleanIsMalformed(Sample sample) {
        Map<String, String> fields = fields(sample);
        fields.forEach((name, value) -> {
            if (!value.matches("-?[0-9]+|true|false")) {
                return;
            }
            Map<String, String> changed = new LinkedHashMap<>(fields);
            changed.put(name, value + "x");
            decode(changed);

            assertThatThrownBy(() -> sample.decode().apply(header))
                    .isInstanceOf(InvalidFieldException.class)
                    .hasMessageStartingWith("field " + name + " is \"" + value + "x\", expected ");
        });
    }

    private Map<String, String> fields(Sample sample) {
        byte[] bytes = sample.write(HeaderEncoding.JSON);
        header.decode(HeaderEncoding.JSON, bytes, 0, bytes.length);
        return header.toMap();
    }

    private void decode(Map<String, String> fields) {
        HeaderWriter writer = new HeaderWriter();
        writer.begin(HeaderEncoding.JSON, 1, 0, 1, null);
        fields.forEach((name, value) -> writer.field(FieldName.of(name), value));
        writer.end();
        header.decode(HeaderEncoding.JSON, Arrays.copyOf(writer.array(), writer.length()), 0, writer.length());
    }

    @Test
    void everyOperationHasTheCodeOfTheProtocol() {
        assertThat(SendMessage.CODE).isEqualTo(10);
        assertThat(SendMessageV2.CODE).isEqualTo(310);
        assertThat(SendBatchMessage.CODE).isEqualTo(320);
        assertThat(PullMessage.CODE).isEqualTo(11);
        assertThat(LitePullMessage.CODE).isEqualTo(361);
        assertThat(QueryConsumerOffset.CODE).isEqualTo(14);
        assertThat(UpdateConsumerOffset.CODE).isEqualTo(15);
        assertThat(GetMaxOffset.CODE).isEqualTo(30);
        assertThat(GetMinOffset.CODE).isEqualTo(31);
        assertThat(SearchOffsetByTimestamp.CODE).isEqualTo(29);
        assertThat(GetEarliestMessageStoreTime.CODE).isEqualTo(32);
        assertThat(Heartbeat.CODE).isEqualTo(34);
        assertThat(UnregisterClient.CODE).isEqualTo(35);
        assertThat(ConsumerSendMessageBack.CODE).isEqualTo(36);
        assertThat(SendReplyMessage.CODE).isEqualTo(324);
        assertThat(SendReplyMessageV2.CODE).isEqualTo(325);
        assertThat(PushReplyMessageToClient.CODE).isEqualTo(326);
        assertThat(RecallMessage.CODE).isEqualTo(370);
        assertThat(ResumeCheckHalfMessage.CODE).isEqualTo(323);
        assertThat(EndTransaction.CODE).isEqualTo(37);
        assertThat(CheckTransactionState.CODE).isEqualTo(39);
        assertThat(GetConsumerListByGroup.CODE).isEqualTo(38);
        assertThat(NotifyConsumerIdsChanged.CODE).isEqualTo(40);
        assertThat(LockBatchQueues.CODE).isEqualTo(41);
        assertThat(UnlockBatchQueues.CODE).isEqualTo(42);
        assertThat(CheckClientConfig.CODE).isEqualTo(46);
        assertThat(CreateTopic.CODE).isEqualTo(17);
        assertThat(CreateSubscriptionGroup.CODE).isEqualTo(200);
        assertThat(GetTopicRoute.CODE).isEqualTo(105);
        assertThat(GetClusterInfo.CODE).isEqualTo(106);
        assertThat(RegisterBroker.CODE).isEqualTo(103);
        assertThat(UnregisterBroker.CODE).isEqualTo(104);
        assertThat(BrokerHeartbeat.CODE).isEqualTo(904);
        assertThat(QueryDataVersion.CODE).isEqualTo(322);
        assertThat(PutKvConfig.CODE).isEqualTo(100);
        assertThat(GetKvConfig.CODE).isEqualTo(101);
        assertThat(DeleteKvConfig.CODE).isEqualTo(102);
        assertThat(GetKvListByNamespace.CODE).isEqualTo(219);
        assertThat(WipeWritePermission.CODE).isEqualTo(205);
        assertThat(AddWritePermission.CODE).isEqualTo(327);
        assertThat(GetAllTopicList.CODE).isEqualTo(206);
        assertThat(DeleteTopicInNameServer.CODE).isEqualTo(216);
        assertThat(RegisterTopicInNameServer.CODE).isEqualTo(217);
        assertThat(GetTopicsByCluster.CODE).isEqualTo(224);
        assertThat(GetSystemTopicListFromNameServer.CODE).isEqualTo(304);
        assertThat(GetBrokerMemberGroup.CODE).isEqualTo(901);
        assertThat(ViewMessageById.CODE).isEqualTo(33);
        assertThat(QueryMessage.CODE).isEqualTo(12);
        assertThat(GetBrokerRuntimeInfo.CODE).isEqualTo(28);
        assertThat(GetAllTopicConfig.CODE).isEqualTo(21);
        assertThat(GetAllSubscriptionGroupConfig.CODE).isEqualTo(201);
        assertThat(GetTopicConfig.CODE).isEqualTo(351);
        assertThat(GetSubscriptionGroupConfig.CODE).isEqualTo(352);
        assertThat(GetTopicStats.CODE).isEqualTo(202);
    }

    @Test
    void batchSendReadsAsABatchWhateverItsFieldSays() {
        byte[] json = ("{\"code\":320,\"extFields\":{\"a\":\"g\",\"b\":\"t\",\"c\":\"TBW102\",\"d\":\"4\",\"e\":\"0\","
                        + "\"f\":\"0\",\"g\":\"1\",\"h\":\"0\",\"m\":\"false\"}}")
                .getBytes(UTF_8);
        header.decode(HeaderEncoding.JSON, json, 0, json.length);

        assertThat(SendBatchMessage.decode(header).batch()).isTrue();
        assertThat(SendMessageV2.Request.decode(header).batch()).isFalse();
    }

    @Test
    void absentOptionalFieldsHaveTheirDefaults() {
        decode(Map.of(
                "consumerGroup",
                "g",
                "topic",
                "t",
                "queueId",
                "0",
                "queueOffset",
                "0",
                "maxMsgNums",
                "1",
                "sysFlag",
                "0",
                "commitOffset",
                "0",
                "suspendTimeoutMillis",
                "0",
                "subVersion",
                "0"));
        PullMessage.Request pull = PullMessage.Request.decode(header);
        assertThat(pull.subscription()).isEmpty();
        assertThat(pull.expressionType()).isEqualTo("TAG");
        assertThat(pull.maxMsgBytes()).isEqualTo(-1);

        decode(Map.of("offset", "0", "group", "g", "delayLevel", "0"));
        ConsumerSendMessageBack.Request back = ConsumerSendMessageBack.Request.decode(header);
        assertThat(back.maxReconsumeTimes()).isEqualTo(-1);
        assertThat(back.originMsgId()).isEmpty();

        decode(Map.of("topic", "t", "queueId", "0", "timestamp", "0"));
        assertThat(SearchOffsetByTimestamp.Request.decode(header).boundary())
                .isEqualTo(SearchOffsetByTimestamp.Boundary.LOWER);
        assertThat(GetMaxOffset.Request.decode(header).committed()).isTrue();
    }

    @Test
    void searchBoundaryIsReadInAnyCaseAndRefusedOtherwise() {
        decode(Map.of("topic", "t", "queueId", "0", "timestamp", "0", "boundaryType", "UPPER"));
        assertThat(SearchOffsetByTimestamp.Request.decode(header).boundary())
                .isEqualTo(SearchOffsetByTimestamp.Boundary.UPPER);

        decode(Map.of("topic", "t", "queueId", "0", "timestamp", "0", "boundaryType", "middle"));
        assertThatThrownBy(() -> SearchOffsetByTimestamp.Request.decode(header))
                .hasMessage("field boundaryType is \"middle\", expected lower or upper");
    }
}
