package io.anser.protocol.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.anser.protocol.frame.CommandHeader;
import io.anser.protocol.frame.FieldSource;
import io.anser.protocol.frame.HeaderEncoding;
import io.anser.protocol.frame.HeaderWriter;
import io.anser.protocol.frame.InvalidFieldException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The operations whose codes have no room in a binary header, so that they travel as JSON only. */
class PopOperationsTest {
    private static final PopMessage.Request POP =
            new PopMessage.Request("g", "Orders", -1, 32, 60_000, 15_000, 123, 1, "TAG", "a||b", true, "try-1");
    private static final PopMessage.Response POPPED =
            new PopMessage.Response(123, 60_000, 999, 7, "0 1 5", "0 1 5,6", "0 qo1%5 2");
    private static final String HANDLE = "5 123 60000 999 2 broker-a 1 6";

    /** Code, names of the fields in the protocol, value, reader. */
    static Stream<Arguments> headers() {
        return Stream.of(
                sample(
                        200050,
                        "consumerGroup topic queueId maxMsgNums invisibleTime pollTime bornTime initMode expType exp order"
                                + " attemptId",
                        POP,
                        PopMessage.Request::decode),
                sample(
                        0,
                        "popTime invisibleTime reviveQid restNum startOffsetInfo msgOffsetInfo orderCountInfo",
                        POPPED,
                        PopMessage.Response::decode),
                sample(
                        AckMessage.CODE,
                        "consumerGroup topic queueId extraInfo offset",
                        new AckMessage.Request("g", "Orders", 1, HANDLE, 6),
                        AckMessage.Request::decode),
                sample(
                        ChangeInvisibleTime.CODE,
                        "consumerGroup topic queueId extraInfo offset invisibleTime",
                        new ChangeInvisibleTime.Request("g", "Orders", 1, HANDLE, 6, 30_000),
                        ChangeInvisibleTime.Request::decode),
                sample(
                        0,
                        "popTime invisibleTime reviveQid",
                        new ChangeInvisibleTime.Response(124, 30_000, 999),
                        ChangeInvisibleTime.Response::decode),
                sample(
                        Notification.CODE,
                        "consumerGroup topic queueId pollTime bornTime order attemptId",
                        new Notification.Request("g", "Orders", -1, 15_000, 123, true, "try-1"),
                        Notification.Request::decode),
                sample(0, "hasMsg pollingFull", new Notification.Response(true, true), Notification.Response::decode),
                sample(
                        PollingInfo.CODE,
                        "consumerGroup topic queueId",
                        new PollingInfo.Request("g", "Orders", -1),
                        PollingInfo.Request::decode),
                sample(0, "pollingNum", new PollingInfo.Response(3), PollingInfo.Response::decode),
                sample(
                        QueryTopicConsumeByWho.CODE,
                        "topic",
                        new QueryTopicConsumeByWho.Request("Orders"),
                        QueryTopicConsumeByWho.Request::decode),
                sample(
                        TraceMessage.CODE,
                        "topic id",
                        new TraceMessage.Request("Orders", "key"),
                        TraceMessage.Request::decode));
    }

    private static Arguments sample(
            int code, String names, FieldSource fields, Function<CommandHeader, ? extends FieldSource> decode) {
        return arguments(code, names, fields, decode);
    }

    @ParameterizedTest
    @MethodSource("headers")
    void comesBackAsItWasWritten(
            int code, String names, FieldSource fields, Function<CommandHeader, FieldSource> decode) {
        CommandHeader header = header(code, fields);

        assertThat(header.code()).isEqualTo(code);
        assertThat(header.toMap().keySet()).containsExactlyInAnyOrder(names.split(" "));
        assertThat(decode.apply(header)).isEqualTo(fields);
    }

    @Test
    void theMissingFieldIsNamed() {
        assertThatThrownBy(() -> AckMessage.Request.decode(header(AckMessage.CODE, FieldSource.NONE)))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessage("field consumerGroup is missing");
    }

    @Test
    void everyOperationHasTheCodeOfTheProtocol() {
        assertThat(PopMessage.CODE).isEqualTo(200050);
        assertThat(AckMessage.CODE).isEqualTo(200051);
        assertThat(BatchAckMessage.CODE).isEqualTo(200151);
        assertThat(ChangeInvisibleTime.CODE).isEqualTo(200053);
        assertThat(Notification.CODE).isEqualTo(200054);
        assertThat(PollingInfo.CODE).isEqualTo(200055);
        assertThat(QueryAssignment.CODE).isEqualTo(400);
        assertThat(SetMessageRequestMode.CODE).isEqualTo(401);
        assertThat(QueryTopicConsumeByWho.CODE).isEqualTo(300);
    }

    /** Written by the class that Apache's own broker uses for it. */
    @Test
    void offsetsAreWrittenAsClientsReadThem() {
        PopOffsets offsets = new PopOffsets();
        offsets.queue(2, 0, 1, new long[] {1, 2});
        offsets.queue(0, 0, 1, new long[] {1, 2});
        offsets.deliveredBefore(0, 1, 5, 2);
        offsets.deliveredBefore(0, 1, 6, 1);

        assertThat(offsets.startOffsetInfo()).isEqualTo("2 0 1;0 0 1");
        assertThat(offsets.msgOffsetInfo()).isEqualTo("2 0 1,2;0 0 1,2");
        assertThat(offsets.orderCountInfo()).isEqualTo("0 qo1%5 2;0 qo1%6 1");
        assertThat(new PopOffsets().orderCountInfo()).isEmpty();
    }

    @Test
    void handlesAreReadAsClientsWriteThem() {
        PopHandle handle = new PopHandle(5, 123, 60_000, 999, 2, "broker-a", 1, 6);

        assertThat(PopHandle.parse(HANDLE)).contains(handle);
        assertThat(handle.text()).isEqualTo(HANDLE);
        assertThat(PopHandle.parse("")).isEmpty();
        assertThat(PopHandle.parse("5 123 60000 999 2 broker-a 1")).isEmpty();
        assertThat(PopHandle.parse("5 123 60000 999 2 broker-a 1 x")).isEmpty();
        assertThat(PopHandle.parse("5 123 60000 999 2 broker-a 1 99999999999999999999"))
                .isEmpty();
    }

    private static CommandHeader header(int code, FieldSource fields) {
        HeaderWriter writer = new HeaderWriter();
        writer.begin(HeaderEncoding.JSON, code, 0, 1, null);
        fields.writeTo(writer);
        writer.end();
        byte[] bytes = Arrays.copyOf(writer.array(), writer.length());
        assertThat(new String(bytes, UTF_8)).contains("\"code\":" + code);
        CommandHeader header = new CommandHeader();
        header.decode(HeaderEncoding.JSON, bytes, 0, bytes.length);
        return header;
    }
}
