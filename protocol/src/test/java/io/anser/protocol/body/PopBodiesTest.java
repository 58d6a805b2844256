package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.anser.protocol.json.JsonBody;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that came with 5.x, as client and server 5.5.0 write them. */
class PopBodiesTest {
    static Stream<Arguments> bodies() {
        return Stream.of(
                body(
                        "{\"acks\":[{\"b\":\"AQI=\",\"c\":\"g\",\"it\":8,\"pt\":7,\"q\":1,\"r\":\"0\",\"rq\":0,\"so\":5,"
                                + "\"t\":\"t\"}],\"brokerName\":\"br\"}",
                        BatchAck::read,
                        new BatchAck(
                                "br",
                                List.of(new BatchAck.Entry(
                                        "g", "t", 0, 5, 1, 0, 7, 8, BitSet.valueOf(new byte[] {1, 2}))))),
                body(
                        "{\"consumerGroup\":\"g\",\"mode\":\"POP\",\"popShareQueueNum\":8,\"topic\":\"t\"}",
                        RequestMode::read,
                        new RequestMode("t", "g", MessageRequestMode.POP, 8)),
                body(
                        "{\"clientId\":\"c\",\"consumerGroup\":\"g\",\"messageModel\":\"CLUSTERING\","
                                + "\"strategyName\":\"AVG\",\"topic\":\"t\"}",
                        Assignment.Request::read,
                        new Assignment.Request("t", "g", "c", "AVG", MessageModel.CLUSTERING)),
                body(
                        "{\"messageQueueAssignments\":[{\"messageQueue\":{\"brokerName\":\"br\",\"queueId\":-1,"
                                + "\"topic\":\"t\"},\"mode\":\"POP\"}]}",
                        Assignment.Response::read,
                        new Assignment.Response(Set.of(
                                new Assignment.Assigned(new MessageQueue("t", "br", -1), MessageRequestMode.POP)))),
                body("{\"groupList\":[\"a\",\"b\"]}", GroupList::read, new GroupList(List.of("a", "b"))));
    }

    private static <T extends JsonBody> Arguments body(String json, Function<byte[], T> reader, T value) {
        return arguments(json, reader, value);
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void readsAndWritesWhatApacheWrites(String json, Function<byte[], JsonBody> reader, JsonBody value) {
        assertThat(reader.apply(json.getBytes(UTF_8))).isEqualTo(value);
        assertThat(new String(value.write(), UTF_8)).isEqualTo(json);
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void takesEveryMemberForOptional(String json, Function<byte[], JsonBody> reader, JsonBody value) {
        assertThat(reader.apply("{\"unknown\":[{}]}".getBytes(UTF_8))).isNotNull();
    }

    @Test
    void longNamesOfAnAcknowledgementAreReadToo() {
        String json = "{\"acks\":[{\"bitSet\":\"AQ==\",\"consumerGroup\":\"g\",\"topic\":\"t\",\"startOffset\":5}]}";

        BatchAck.Entry entry = BatchAck.read(json.getBytes(UTF_8)).acks().get(0);

        assertThat(entry.offsets().stream()).containsExactly(0);
        assertThat(entry.startOffset()).isEqualTo(5);
    }

    @Test
    void whatNobodyKnowsIsRefused() {
        assertThatThrownBy(() -> BatchAck.read("{\"acks\":[{\"r\":\"3\"}]}".getBytes(UTF_8)))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("retry is none of 0, 1 and 2");
        assertThatThrownBy(() -> RequestMode.read("{\"mode\":\"PUSH\"}".getBytes(UTF_8)))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("mode has an unknown value, length=4");
    }

    @Test
    void aSetThatIsNoBase64IsRefused() {
        assertThatThrownBy(() -> BatchAck.read("{\"acks\":[{\"b\":\"*\"}]}".getBytes(UTF_8)))
                .isInstanceOf(MalformedBodyException.class)
                .hasMessage("the set of acknowledged offsets is not Base64");
    }
}
