package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderWriterTest {
    private static final FieldName A = FieldName.of("a");
    private static final FieldName B = FieldName.of("b");

    private final HeaderWriter writer = new HeaderWriter();
    private final CommandHeader header = new CommandHeader();

    private String written() {
        return new String(writer.array(), 0, writer.length(), UTF_8);
    }

    private CommandHeader decoded(HeaderEncoding encoding) {
        header.decode(encoding, writer.array(), 0, writer.length());
        return header;
    }

    @Test
    void writesJsonMembersInAFixedOrder() {
        writer.begin(HeaderEncoding.JSON, 17, CommandHeader.FLAG_RESPONSE, -3, "no \"such\"\\\ntopic");
        writer.field(A, 5L);
        writer.field(B, true);
        writer.end();

        assertThat(written())
                .isEqualTo("{\"code\":17,\"language\":\"JAVA\",\"version\":513,\"opaque\":-3,\"flag\":1,"
                        + "\"serializeTypeCurrentRPC\":\"JSON\",\"remark\":\"no \\\"such\\\"\\\\\\u000atopic\","
                        + "\"extFields\":{\"a\":\"5\",\"b\":\"true\"}}");
    }

    @Test
    void leavesOutWhatIsNotThere() {
        writer.begin(HeaderEncoding.JSON, 0, 1, 9, null);
        writer.optional(A, "");
        FieldSource.NONE.writeTo(writer);
        writer.end();

        assertThat(written())
                .isEqualTo("{\"code\":0,\"language\":\"JAVA\",\"version\":513,\"opaque\":9,\"flag\":1,"
                        + "\"serializeTypeCurrentRPC\":\"JSON\"}");
    }

    @ParameterizedTest
    @EnumSource(HeaderEncoding.class)
    void writesWhatTheHeaderReads(HeaderEncoding encoding) {
        String text = "\u0000\u0001\u001f \"\\/\u007f\u0080\u07ff\u0800\uffff\ud83d\ude00";
        writer.begin(encoding, 105, 2, Integer.MIN_VALUE, text);
        writer.field(A, text);
        writer.field(B, text.getBytes(UTF_8));
        writer.field(FieldName.of("empty"), "");
        writer.field(FieldName.of("int"), Integer.MIN_VALUE);
        writer.field(FieldName.of("long"), -Long.MAX_VALUE);
        writer.field(FieldName.of("flag"), false);
        writer.end();

        decoded(encoding);
        assertThat(header.code()).isEqualTo(105);
        assertThat(header.flag()).isEqualTo(2);
        assertThat(header.opaque()).isEqualTo(Integer.MIN_VALUE);
        assertThat(header.version()).isEqualTo(513);
        assertThat(header.language()).isEqualTo(Language.JAVA);
        assertThat(header.remark()).contains(text);
        assertThat(header.string(A)).isEqualTo(text);
        assertThat(header.utf8(B)).isEqualTo(text.getBytes(UTF_8));
        assertThat(header.string(FieldName.of("empty"))).isEmpty();
        assertThat(header.integer(FieldName.of("int"))).isEqualTo(Integer.MIN_VALUE);
        assertThat(header.number(FieldName.of("long"))).isEqualTo(-Long.MAX_VALUE);
        assertThat(header.flag(FieldName.of("flag"))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(HeaderEncoding.class)
    void replacesLoneSurrogatesByAQuestionMark(HeaderEncoding encoding) {
        writer.begin(encoding, 0, 0, 0, null);
        writer.field(A, "\ud83dx\ude00");
        writer.end();

        assertThat(decoded(encoding).string(A)).isEqualTo("?x?");
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                9,
                10,
                99,
                100,
                2147483647,
                -1,
                -10,
                999999999999999999L,
                1000000000000000000L,
                Long.MAX_VALUE,
                Long.MIN_VALUE
            })
    void writesNumbersAsDecimals(long number) {
        writer.begin(HeaderEncoding.JSON, 0, 0, 0, null);
        writer.field(A, number);
        writer.end();

        assertThat(decoded(HeaderEncoding.JSON).string(A)).isEqualTo(Long.toString(number));
    }

    @ParameterizedTest
    @EnumSource(HeaderEncoding.class)
    void growsForALongValueAndShrinksAfterIt(HeaderEncoding encoding) {
        String text = "\u4e2d\"".repeat(100_000);
        writer.begin(encoding, 1, 0, 0, null);
        writer.field(A, text);
        writer.end();
        assertThat(decoded(encoding).string(A)).isEqualTo(text);

        writer.begin(encoding, 2, 0, 0, null);
        writer.end();
        assertThat(decoded(encoding).code()).isEqualTo(2);
        assertThat(writer.array()).hasSizeLessThan(1000);
    }

    @Test
    void refusesAHeaderWhoseLengthDoesNotFitTheFrame() {
        writer.begin(HeaderEncoding.BINARY, 1, 0, 0, null);

        assertThatThrownBy(() -> writer.field(A, new byte[1 << 24]))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("header of 16777244 bytes is above the limit of 16777215");
    }

    @Test
    void refusesACodeThatTheBinaryEncodingCannotHold() {
        assertThatThrownBy(() -> writer.begin(HeaderEncoding.BINARY, 200050, 0, 0, null))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessage("field code is \"200050\", expected an integer from -32768 to 32767 in a binary header");
    }

    @Test
    void refusesFieldNamesThatWouldNeedEscapes() {
        for (String name : new String[] {"", "a b", "a\"", "a\\", "\u00fc", "x".repeat(128)}) {
            assertThatThrownBy(() -> FieldName.of(name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void escapesAnyByteAtAnyPlaceOfAValue() {
        FieldName name = FieldName.of("value");
        HeaderWriter writer = new HeaderWriter();
        CommandHeader header = new CommandHeader();
        for (int letter = 0; letter < 0x80; letter++) {
            for (int place = 0; place < 19; place++) {
                byte[] value = "nineteen characters".getBytes(US_ASCII);
                value[place] = (byte) letter;
                writer.begin(HeaderEncoding.JSON, 1, 0, 1, null);
                writer.field(name, value);
                writer.end();
                header.decode(HeaderEncoding.JSON, writer.array(), 0, writer.length());
                assertThat(header.utf8(name))
                        .as("letter %d at %d", letter, place)
                        .isEqualTo(value);
            }
        }
    }
}
