package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonHeaderTest {
    private static final FieldName A = FieldName.of("a");
    private static final FieldName B = FieldName.of("b");

    private final CommandHeader header = new CommandHeader();

    private CommandHeader decode(String json) {
        return decode(json.getBytes(UTF_8));
    }

    private CommandHeader decode(byte[] json) {
        header.decode(HeaderEncoding.JSON, json, 0, json.length);
        return header;
    }

    @Test
    void readsTheMembersOfARequest() {
        decode("{\"code\":310,\"language\":\"GO\",\"version\":431,\"opaque\":-7,\"flag\":2,"
                + "\"remark\":\"hi\",\"extFields\":{\"a\":\"x\",\"b\":\"12\"},\"serializeTypeCurrentRPC\":\"JSON\"}");

        assertThat(header.code()).isEqualTo(310);
        assertThat(header.language()).isEqualTo(9);
        assertThat(header.version()).isEqualTo(431);
        assertThat(header.opaque()).isEqualTo(-7);
        assertThat(header.isOneWay()).isTrue();
        assertThat(header.isResponse()).isFalse();
        assertThat(header.encoding()).isEqualTo(HeaderEncoding.JSON);
        assertThat(header.remark()).contains("hi");
        assertThat(header.string(A)).isEqualTo("x");
        assertThat(header.integer(B)).isEqualTo(12);
    }

    @Test
    void readsMembersInAnyOrderWithAnyWhiteSpace() {
        decode(" \r\n{ \"extFields\" : { \"a\" : \"x\" , \"b\" : \"y\" } ,\t\"opaque\" : 5 , \"code\" : 11 } \n");

        assertThat(header.code()).isEqualTo(11);
        assertThat(header.opaque()).isEqualTo(5);
        assertThat(header.toMap()).containsExactly(entry("a", "x"), entry("b", "y"));
    }

    @Test
    void takesAbsentAndNullMembersAsZeroOrNone() {
        for (String json : new String[] {
            "{}",
            "{\"code\":null,\"language\":null,\"version\":null,\"opaque\":null,\"flag\":null,\"remark\":null,"
                    + "\"extFields\":null}"
        }) {
            decode(json);

            assertThat(header.code()).isZero();
            assertThat(header.language()).isEqualTo(Language.JAVA);
            assertThat(header.version()).isZero();
            assertThat(header.opaque()).isZero();
            assertThat(header.flag()).isZero();
            assertThat(header.remark()).isEmpty();
            assertThat(header.toMap()).isEmpty();
        }
    }

    @Test
    void ignoresUnknownMembersWhateverTheirValueAndTheirType() {
        decode("{\"@type\":\"java.net.URL\",\"x\":{\"code\":9,\"y\":[1,2.5e3,{\"z\":null}],\"e\":{}},\"l\":[],"
                + "\"t\":true,\"code\":34,\"extFields\":{\"@type\":\"java.net.URL\",\"a\":\"1\"}}");

        assertThat(header.code()).isEqualTo(34);
        assertThat(header.integer(A)).isEqualTo(1);
    }

    @Test
    void acceptsScalarExtValuesAndTakesNullAsAbsent() {
        decode("{\"extFields\":{\"a\":-42,\"b\":true,\"c\":null,\"d\":{\"x\":[1]}}}");

        assertThat(header.number(A)).isEqualTo(-42);
        assertThat(header.flag(B)).isTrue();
        assertThat(header.has(FieldName.of("c"))).isFalse();
        assertThat(header.string(FieldName.of("d"))).isEqualTo("{\"x\":[1]}");
    }

    @Test
    void lastOfEqualNamesCounts() {
        decode("{\"code\":1,\"extFields\":{\"a\":\"old\",\"b\":\"1\",\"a\":\"new\"},\"code\":2}");

        assertThat(header.code()).isEqualTo(2);
        assertThat(header.string(A)).isEqualTo("new");
        assertThat(header.toMap()).containsExactly(entry("a", "new"), entry("b", "1"));
    }

    @Test
    void secondExtFieldsMemberReplacesTheFirst() {
        decode("{\"extFields\":{\"a\":\"1\"},\"extFields\":{\"b\":\"2\"}}");

        assertThat(header.toMap()).containsExactly(entry("b", "2"));
    }

    @Test
    void unescapesPropertiesToTheirBytes() {
        decode("{\"extFields\":{\"a\":\"TAGS\\u0001t\\u0002KEYS\\u0001\\u4e2d\u6587\\u0002\"}}");

        assertThat(header.utf8(A)).isEqualTo("TAGS\u0001t\u0002KEYS\u0001\u4e2d\u6587\u0002".getBytes(UTF_8));
        assertThat(header.string(A)).isEqualTo("TAGS\u0001t\u0002KEYS\u0001\u4e2d\u6587\u0002");
    }

    @Test
    void unescapesEveryEscapeAndSurrogatePairs() {
        decode("{\"extFields\":{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00|\"}}");

        assertThat(header.string(A)).isEqualTo("\"\\/\b\f\n\r\t\u00e9\ud83d\ude00|");
    }

    @Test
    void replacesLoneSurrogatesByAQuestionMark() {
        decode("{\"extFields\":{\"a\":\"\\ud83dx\\ude00\\ud83d\\u0041\\ud83d\"}}");

        assertThat(header.utf8(A)).isEqualTo("?x??A?".getBytes(UTF_8));
    }

    @Test
    void findsNamesAndReadsNumbersWrittenWithEscapes() {
        decode("{\"extFields\":{\"\\u0061\":\"\\u0031\\u0032\",\"b\":\"\\u0074rue\"}}");

        assertThat(header.integer(A)).isEqualTo(12);
        assertThat(header.flag(B)).isTrue();
        assertThat(header.toMap()).containsExactly(entry("a", "12"), entry("b", "true"));
    }

    @Test
    void passesControlCharactersAndInvalidUtf8Through() {
        byte[] json = "{\"extFields\":{\"a\":\"k\u0001v\u0002\u00ff\u00c3\"}}".getBytes(ISO_8859_1);

        decode(json);

        assertThat(header.utf8(A)).isEqualTo(new byte[] {'k', 1, 'v', 2, (byte) 0xff, (byte) 0xc3});
        assertThat(header.string(A)).isEqualTo("k\u0001v\u0002\ufffd\ufffd");
    }

    @Test
    void readsNumbersUpToTheirLimits() {
        decode("{\"opaque\":-2147483648,\"extFields\":{\"a\":\"9223372036854775807\",\"b\":\"-2147483648\"}}");

        assertThat(header.opaque()).isEqualTo(Integer.MIN_VALUE);
        assertThat(header.number(A)).isEqualTo(Long.MAX_VALUE);
        assertThat(header.integer(B)).isEqualTo(Integer.MIN_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " 1", "1 ", "0x10", "1.0", "1e3", "--1", "-", "+", "\u0661", "9223372036854775808", "null"})
    void refusesTextThatIsNoNumberAndNamesTheField(String text) {
        decode("{\"extFields\":{\"queueOffset\":\"" + text + "\"}}");

        assertThatThrownBy(() -> header.number(FieldName.of("queueOffset")))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessage("field queueOffset is \"" + text
                        + "\", expected an integer from -9223372036854775807 to 9223372036854775807");
    }

    @Test
    void refusesAnIntegerOutOfRange() {
        decode("{\"extFields\":{\"a\":\"2147483648\"}}");

        assertThat(header.number(A)).isEqualTo(2147483648L);
        assertThatThrownBy(() -> header.integer(A, 0))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessage("field a is \"2147483648\", expected an integer from -2147483648 to 2147483647");
    }

    @Test
    void refusesABooleanThatIsNone() {
        decode("{\"extFields\":{\"a\":\"yes\",\"b\":\"TRUE\"}}");

        assertThat(header.flag(B, false)).isTrue();
        assertThatThrownBy(() -> header.flag(A, false))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessage("field a is \"yes\", expected true or false");
    }

    @Test
    void namesAMissingFieldAndUsesDefaults() {
        decode("{\"code\":30}");

        assertThatThrownBy(() -> header.string(A)).hasMessage("field a is missing");
        assertThatThrownBy(() -> header.integer(A)).hasMessage("field a is missing");
        assertThatThrownBy(() -> header.number(A)).hasMessage("field a is missing");
        assertThatThrownBy(() -> header.flag(A)).hasMessage("field a is missing");
        assertThat(header.string(A, "d")).isEqualTo("d");
        assertThat(header.integer(A, 7)).isEqualTo(7);
        assertThat(header.number(A, 8)).isEqualTo(8);
        assertThat(header.flag(A, true)).isTrue();
        assertThat(header.utf8(A)).isEmpty();
    }

    @Test
    void cutsALongValueInTheMessage() {
        decode("{\"extFields\":{\"a\":\"" + "x".repeat(5000) + "\\n\"}}");

        assertThatThrownBy(() -> header.integer(A))
                .hasMessage("field a is \"" + "x".repeat(64)
                        + "\" (first 64 of 5001 characters), expected an integer from -2147483648 to 2147483647");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "x",
                "[]",
                "null",
                "{",
                "{}x",
                "{}{}",
                "{\"code\"}",
                "{\"code\":}",
                "{\"code\":1,}",
                "{,}",
                "{\"code\" 1}",
                "{code:1}",
                "{'code':1}",
                "{\"code\":1]",
                "{\"code\":2147483648}",
                "{\"code\":1.5}",
                "{\"code\":\"ten\"}",
                "{\"code\":{}}",
                "{\"code\":nul}",
                "{\"code\":tru}",
                "{\"code\":NaN}",
                "{\"x\":}",
                "{\"x\":[1 2]}",
                "{\"x\":[1,]}",
                "{\"x\":{1:2}}",
                "{\"extFields\":[]}",
                "{\"extFields\":\"x\"}",
                "{\"extFields\":{\"a\"}}",
                "{\"extFields\":{\"a\":\"\\x\"}}",
                "{\"extFields\":{\"a\":\"\\u12\"}}",
                "{\"extFields\":{\"a\":\"\\u12g4\"}}",
                "{\"extFields\":{\"a\":\"\\",
                "{\"extFields\":{\"a\":\"\\u",
            })
    void refusesWhatIsNoHeader(String json) {
        assertThatThrownBy(() -> decode(json))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageStartingWith("JSON header has ");
    }

    @Test
    void detectsEveryTruncation() {
        byte[] json = ("{\"code\":310,\"x\":[{\"y\":null},-1.5],\"remark\":\"\\u0001\\ud83d\\ude00\","
                        + "\"extFields\":{\"a\":\"1\",\"b\":true}}")
                .getBytes(UTF_8);
        decode(json);

        for (int length = 0; length < json.length; length++) {
            byte[] cut = Arrays.copyOf(json, length);
            assertThatThrownBy(() -> decode(cut)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void readsOnlyItsRangeOfTheArray() {
        byte[] bytes = "garbage{\"code\":5}\"\\{".getBytes(UTF_8);

        header.decode(HeaderEncoding.JSON, bytes, 7, 17);

        assertThat(header.code()).isEqualTo(5);
        assertThatThrownBy(() -> header.decode(HeaderEncoding.JSON, bytes, 7, 16))
                .isInstanceOf(MalformedFrameException.class);
        assertThatThrownBy(() -> header.decode(HeaderEncoding.JSON, bytes, 7, 99))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"x\":", "["})
    void refusesNestingDeeperThanItsLimitWithoutRecursingIntoIt(String opening) {
        String json = "{\"x\":" + opening.repeat(200_000);

        assertThatThrownBy(() -> decode(json))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("at most 32 levels of nesting");
    }

    @Test
    void acceptsNestingUpToItsLimit() {
        assertThat(decode("{\"x\":" + "[".repeat(31) + "]".repeat(31) + ",\"code\":1}")
                        .code())
                .isEqualTo(1);
        assertThatThrownBy(() -> decode("{\"x\":" + "[".repeat(32) + "]".repeat(32) + "}"))
                .isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void acceptsAtMost512Fields() {
        assertThat(decode(withFields(512)).toMap()).hasSize(512).containsEntry("f511", "511");
        assertThatThrownBy(() -> decode(withFields(20_000)))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("header has more than 512 fields");
    }

    private static String withFields(int count) {
        StringBuilder json = new StringBuilder("{\"extFields\":{");
        for (int i = 0; i < count; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("\"f")
                    .append(i)
                    .append("\":\"")
                    .append(i)
                    .append('"');
        }
        return json.append("}}").toString();
    }

    @Test
    void isEmptyAfterAFailureAndUsableForTheNextHeader() {
        decode("{\"code\":1,\"remark\":\"r\",\"extFields\":{\"a\":\"1\"}}");
        assertThatThrownBy(() -> decode("{\"code\":2,\"extFields\":{\"a\":\"2\"},"))
                .isInstanceOf(MalformedFrameException.class);

        assertThat(header.code()).isZero();
        assertThat(header.remark()).isEmpty();
        assertThat(header.has(A)).isFalse();
        assertThat(decode("{\"extFields\":{\"b\":\"3\"}}").toMap()).containsExactly(entry("b", "3"));
    }

    @Test
    void copyOutlivesTheNextHeader() {
        CommandHeader copy = decode("{\"code\":7,\"opaque\":3,\"flag\":1,\"language\":\"GO\",\"version\":9,"
                        + "\"remark\":\"\\u0041\",\"extFields\":{\"a\":\"kept\"}}")
                .copy();
        decode("{\"code\":8,\"extFields\":{\"a\":\"other\"}}");

        assertThat(copy.code()).isEqualTo(7);
        assertThat(copy.opaque()).isEqualTo(3);
        assertThat(copy.isResponse()).isTrue();
        assertThat(copy.language()).isEqualTo(9);
        assertThat(copy.version()).isEqualTo(9);
        assertThat(copy.remark()).contains("A");
        assertThat(copy.string(A)).isEqualTo("kept");
    }

    @Test
    void copyCanBeCopiedAndDecodedIntoAgain() {
        CommandHeader copy = new CommandHeader().copy();
        assertThat(copy.toMap()).isEmpty();
        assertThat(copy.remark()).isEmpty();

        byte[] json = withFields(40).getBytes(UTF_8);
        copy.decode(HeaderEncoding.JSON, json, 0, json.length);

        assertThat(copy.copy().toMap()).hasSize(40).containsEntry("f39", "39");
    }

    @Test
    void takesUnknownLanguagesAsOtherAndKnowsThemAll() {
        String[] names = {
            "JAVA", "CPP", "DOTNET", "PYTHON", "DELPHI", "ERLANG", "RUBY", "OTHER", "HTTP", "GO", "PHP", "OMS", "RUST",
            "NODE_JS"
        };
        for (int number = 0; number < names.length; number++) {
            assertThat(decode("{\"language\":\"" + names[number] + "\"}").language())
                    .isEqualTo(number);
            assertThat(Language.name(number)).isEqualTo(names[number]);
        }
        assertThat(decode("{\"language\":\"COBOL\"}").language()).isEqualTo(Language.OTHER);
        assertThat(decode("{\"language\":12}").language()).isEqualTo(12);
        assertThat(Language.name(99)).isEqualTo("OTHER");
        assertThat(Language.name(-1)).isEqualTo("OTHER");
    }

    @Test
    void returnsTheSameStringForARepeatedName() {
        String first = decode("{\"extFields\":{\"a\":\"Orders\"}}").string(A);
        decode("{\"extFields\":{\"a\":\"Payments\"}}").string(A);
        String again = decode("{\"extFields\":{\"b\":\"Orders\"}}").string(B);

        assertThat(again).isEqualTo("Orders").isSameAs(first);
    }

    @Test
    void neverMixesUpStringsThatShareASlot() {
        for (int i = 0; i < 1000; i++) {
            assertThat(decode("{\"extFields\":{\"a\":\"t" + i + "\"}}").string(A))
                    .isEqualTo("t" + i);
            assertThat(decode("{\"extFields\":{\"a\":\"\u00fc" + i + "\"}}").string(A))
                    .isEqualTo("\u00fc" + i);
        }
    }
}
