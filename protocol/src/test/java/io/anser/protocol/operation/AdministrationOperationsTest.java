package io.anser.protocol.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldName;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.frame.InvalidFieldException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The headers of what operators ask for: names of fields, which of them must be there, and codes. */
class AdministrationOperationsTest {
    private final CommandHeader header = new CommandHeader();

    /** A request with every field different from its default, and the names of those that must be there. */
    private record Sample(FieldSource request, Function<CommandHeader, FieldSource> decode, String required) {
        @Override
        public String toString() {
            return request.getClass().getEnclosingClass().getSimpleName();
        }
    }

    static List<Sample> samples() {
        return List.of(
                new Sample(
                        new GetConsumerConnectionList.Request("g"),
                        GetConsumerConnectionList.Request::decode,
                        "consumerGroup"),
                new Sample(
                        new GetProducerConnectionList.Request("g"),
                        GetProducerConnectionList.Request::decode,
                        "producerGroup"),
                new Sample(
                        new GetConsumeStats.Request("g", "t", "t;u"), GetConsumeStats.Request::decode, "consumerGroup"),
                new Sample(new GetBrokerConsumeStats.Request(true), GetBrokerConsumeStats.Request::decode, ""),
                new Sample(new QueryTopicsByConsumer.Request("g"), QueryTopicsByConsumer.Request::decode, "group"),
                new Sample(
                        new QuerySubscriptionByConsumer.Request("g", "t"),
                        QuerySubscriptionByConsumer.Request::decode,
                        "group topic"),
                new Sample(
                        new QueryConsumeTimeSpan.Request("t", "g"),
                        QueryConsumeTimeSpan.Request::decode,
                        "topic group"),
                new Sample(
                        new CloneGroupOffset.Request("g", "h", "t", true),
                        CloneGroupOffset.Request::decode,
                        "srcGroup destGroup"),
                new Sample(
                        new ResetOffset.Request("t", "g", 3, 4, 5, false),
                        ResetOffset.Request::decode,
                        "topic group timestamp"),
                new Sample(
                        new GetConsumerStatus.Request("t", "g", "c"), GetConsumerStatus.Request::decode, "topic group"),
                new Sample(
                        new GetConsumerRunningInfo.Request("g", "c", true),
                        GetConsumerRunningInfo.Request::decode,
                        "consumerGroup clientId"),
                new Sample(
                        new ConsumeMessageDirectly.Request("g", "c", "m", "b", "t"),
                        ConsumeMessageDirectly.Request::decode,
                        "consumerGroup"),
                new Sample(
                        new QueryCorrectionOffset.Request("f", "g", "t"),
                        QueryCorrectionOffset.Request::decode,
                        "compareGroup topic"),
                new Sample(
                        new ViewBrokerStatsData.Request("n", "k"),
                        ViewBrokerStatsData.Request::decode,
                        "statsName statsKey"),
                new Sample(
                        new QueryConsumeQueue.Request("t", 1, 2, 3, "g"),
                        QueryConsumeQueue.Request::decode,
                        "topic queueId index count"),
                new Sample(
                        new UpdateAndGetGroupForbidden.Request("g", "t", "true"),
                        UpdateAndGetGroupForbidden.Request::decode,
                        "group topic"),
                new Sample(new CreateUser.Request("u"), CreateUser.Request::decode, ""),
                new Sample(new UpdateUser.Request("u"), UpdateUser.Request::decode, ""),
                new Sample(new DeleteUser.Request("u"), DeleteUser.Request::decode, ""),
                new Sample(new GetUser.Request("u"), GetUser.Request::decode, ""),
                new Sample(new ListUsers.Request("u"), ListUsers.Request::decode, ""),
                new Sample(new CreateAcl.Request("s"), CreateAcl.Request::decode, ""),
                new Sample(new UpdateAcl.Request("s"), UpdateAcl.Request::decode, ""),
                new Sample(new DeleteAcl.Request("s", "p", "r"), DeleteAcl.Request::decode, ""),
                new Sample(new GetAcl.Request("s"), GetAcl.Request::decode, ""),
                new Sample(new ListAcls.Request("s", "r"), ListAcls.Request::decode, ""));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void comesBackAsItWasWritten(Sample sample) {
        decode(fields(sample.request()));

        assertThat(sample.decode().apply(header)).isEqualTo(sample.request());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void namesTheRequiredFieldThatIsMissingAndDoesWithoutTheOthers(Sample sample) {
        Map<String, String> fields = fields(sample.request());
        for (String name : fields.keySet()) {
            Map<String, String> without = new LinkedHashMap<>(fields);
            without.remove(name);
            decode(without);
            if (Arrays.asList(sample.required().split(" ")).contains(name)) {
                assertThatThrownBy(() -> sample.decode().apply(header))
                        .isInstanceOf(InvalidFieldException.class)
                        .hasMessage("field " + name + " is missing");
            } else {
                assertThat(sample.decode().apply(header)).isNotEqualTo(sample.request());
            }
        }
    }

    @Test
    void booleansHaveTheNamesOfTheProtocol() {
        assertThat(fields(new ResetOffset.Request("t", "g", 3, 4, 5, false))).containsEntry("isForce", "false");
        assertThat(fields(new GetBrokerConsumeStats.Request(true))).containsEntry("isOrder", "true");
    }

    @Test
    void everyOperationHasTheCodeOfTheProtocol() {
        assertThat(List.of(
                        CreateTopicList.CODE,
                        UpdateBrokerConfig.CODE,
                        GetBrokerConfig.CODE,
                        GetAllConsumerOffset.CODE,
                        GetConsumerConnectionList.CODE,
                        GetProducerConnectionList.CODE,
                        GetConsumeStats.CODE,
                        ResetOffset.CLIENT_CODE,
                        GetConsumerStatus.CLIENT_CODE,
                        ResetOffset.CODE,
                        GetConsumerStatus.CODE,
                        CreateSubscriptionGroupList.CODE))
                .containsExactly(18, 25, 26, 43, 203, 204, 208, 220, 221, 222, 223, 225);
        assertThat(List.of(
                        QueryConsumeTimeSpan.CODE,
                        GetSystemTopicListFromBroker.CODE,
                        CleanExpiredConsumeQueue.CODE,
                        GetConsumerRunningInfo.CODE,
                        QueryCorrectionOffset.CODE,
                        ConsumeMessageDirectly.CODE,
                        CloneGroupOffset.CODE,
                        ViewBrokerStatsData.CODE,
                        CleanUnusedTopic.CODE,
                        GetBrokerConsumeStats.CODE,
                        UpdateNameServerConfig.CODE,
                        GetNameServerConfig.CODE,
                        QueryConsumeQueue.CODE))
                .containsExactly(303, 305, 306, 307, 308, 309, 314, 315, 316, 317, 318, 319, 321);
        assertThat(List.of(
                        GetUnitTopicList.CODE,
                        GetHasUnitSubTopicList.CODE,
                        GetHasUnitSubUnunitTopicList.CODE,
                        GetAllProducerInfo.CODE,
                        DeleteExpiredCommitLog.CODE,
                        QueryTopicsByConsumer.CODE,
                        QuerySubscriptionByConsumer.CODE,
                        UpdateAndGetGroupForbidden.CODE,
                        GetAllMessageRequestMode.CODE,
                        GetBrokerHaStatus.CODE))
                .containsExactly(311, 312, 313, 328, 329, 343, 345, 353, 402, 907);
        assertThat(List.of(
                        CreateUser.CODE,
                        UpdateUser.CODE,
                        DeleteUser.CODE,
                        GetUser.CODE,
                        ListUsers.CODE,
                        CreateAcl.CODE,
                        UpdateAcl.CODE,
                        DeleteAcl.CODE,
                        GetAcl.CODE,
                        ListAcls.CODE))
                .containsExactly(3001, 3002, 3003, 3004, 3005, 3006, 3007, 3008, 3009, 3010);
    }

    private Map<String, String> fields(FieldSource request) {
        HeaderWriter writer = new HeaderWriter();
        writer.begin(HeaderEncoding.JSON, 1, 0, 1, null);
        request.writeTo(writer);
        writer.end();
        header.decode(HeaderEncoding.JSON, Arrays.copyOf(writer.array(), writer.length()), 0, writer.length());
        return header.toMap();
    }

    private void decode(Map<String, String> fields) {
        fields(writer -> fields.forEach((name, value) -> writer.field(FieldName.of(name), value)));
    }
}
