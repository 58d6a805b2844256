package io.anser.protocol.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static <T> T parse(String json, Function<JsonReader, T> body) {
        return JsonReader.parse(json.getBytes(UTF_8), 1 << 20, body);
    }

    private static Map<String, String> strings(String json) {
        return parse(json, in -> in.map(JsonReader::string));
    }

    private static List<Integer> integers(String json) {
        return parse(json, in -> in.list(JsonReader::integer));
    }

    private static void skip(String json) {
        parse(json, in -> {
            in.skip();
            return 0;
        });
    }

    @Test
    void readsStandardMembers() {
        assertThat(strings(" { \"a\" : \"x\" , \"b\":\"y\" } ")).isEqualTo(Map.of("a", "x", "b", "y"));
        assertThat(strings("{}")).isEmpty();
    }

    @Test
    void readsNumbersAndWordsAsNames() {
        assertThat(strings("{0:\"a\",-1:'b',name:\"c\"}")).isEqualTo(Map.of("0", "a", "-1", "b", "name", "c"));
    }

    @Test
    void readsObjectsAsNames() {
        assertThat(strings("{{\"q\":{\"n\":[1,2]}}:1,[3]:2}"))
                .isEqualTo(Map.of("{\"q\":{\"n\":[1,2]}}", "1", "[3]", "2"));
    }

    @Test
    void undoesEscapes() {
        assertThat(parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83E\\uDEBF\\'\"", JsonReader::string))
                .isEqualTo("\"\\/\b\f\n\r\t\u00e9\ud83e\udebf'");
        assertThat(strings("{\"a\\u0062\":1}")).containsKey("ab");
        assertThat(parse("\"\u4e16 \ud83e\udebf\"", JsonReader::string)).isEqualTo("\u4e16 \ud83e\udebf");
    }

    @Test
    void readsNullAsTheEmptyValue() {
        assertThat(parse("null", JsonReader::string)).isEmpty();
        assertThat(parse("null", JsonReader::integer)).isZero();
        assertThat(parse("null", JsonReader::number)).isZero();
        assertThat(parse("null", JsonReader::decimal)).isZero();
        assertThat(parse("null", JsonReader::flag)).isFalse();
        assertThat(integers("null")).isEmpty();
        assertThat(strings("null")).isEmpty();
        assertThat(parse("\"null\"", JsonReader::string)).isEqualTo("null");
    }

    @Test
    void readsScalarsOfAnotherTypeWhereTheMeaningIsPlain() {
        assertThat(parse("\"12\"", JsonReader::integer)).isEqualTo(12);
        assertThat(parse("-9223372036854775808", JsonReader::number)).isEqualTo(Long.MIN_VALUE);
        assertThat(parse("12.5", JsonReader::string)).isEqualTo("12.5");
        assertThat(parse("\"true\"", JsonReader::flag)).isTrue();
        assertThat(parse("1", JsonReader::flag)).isTrue();
        assertThat(parse("\"1e3\"", JsonReader::decimal)).isEqualTo(1000.0);
    }

    @Test
    void readsArraysAndACommaAtTheEnd() {
        assertThat(integers("[1, 2 ,3,]")).isEqualTo(List.of(1, 2, 3));
        assertThat(strings("{\"a\":1,}")).isEqualTo(Map.of("a", "1"));
    }

    @Test
    void treatsATypeNameAsAnyUnknownMember() {
        skip("{\"@type\":\"java.lang.AutoCloseable\",\"x\":{\"@type\":\"java.net.URL\",\"val\":\"http://127.0.0.1\"}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":}",
                "{\"a\" 1}",
                "{\"a\":1",
                "{\"a\":1 \"b\":2}",
                "{:1}",
                "{,}",
                "[",
                "]",
                "[1",
                "[1 2]",
                "[,]",
                "\"",
                "\"a",
                "\"a\\",
                "\"a\\\"",
                "'a\"",
                "{}{}",
                "{}x",
                "nul}",
                "{{:1}:1}",
                "\"\\x\"",
                "[1}",
                "{\"a\":1]"
            })
    void refusesWhatIsNotJson(String json) {
        assertThatThrownBy(() -> parse(json, in -> {
                    in.skip();
                    in.end();
                    return new JsonReader(json.getBytes(UTF_8)).map(JsonReader::string);
                }))
                .isInstanceOf(MalformedJsonException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "2147483648 | json number=2147483648 at byte 0 does not fit 32 bits",
                "9223372036854775808 | json at byte 0: expected a whole number, found \"9223372036854775808\"",
                "1.5 | json at byte 0: expected a whole number, found \"1.5\"",
                "\"a\\nb\" | json at byte 0: expected a whole number, found \"a?b\"",
                "{} | json at byte 0: expected a string, found byte 0x7b",
            })
    void saysWhichNumberDoesNotFit(String json, String message) {
        assertThatThrownBy(() -> parse(json, JsonReader::integer))
                .isInstanceOf(MalformedJsonException.class)
                .hasMessage(message);
    }

    @Test
    void refusesOtherShapes() {
        assertThatThrownBy(() -> parse("[]", in -> in.map(JsonReader::string)))
                .hasMessage("json at byte 0: expected an object, found byte 0x5b");
        assertThatThrownBy(() -> parse("{}", in -> in.list(JsonReader::string)))
                .hasMessage("json at byte 0: expected an array, found byte 0x7b");
        assertThatThrownBy(() -> parse("2", JsonReader::flag)).isInstanceOf(MalformedJsonException.class);
        assertThatThrownBy(() -> parse("NaN", JsonReader::decimal)).isInstanceOf(MalformedJsonException.class);
        assertThatThrownBy(() -> parse("\"\\u12G4\"", JsonReader::string)).isInstanceOf(MalformedJsonException.class);
        assertThatThrownBy(() -> parse("\"\\u12\"", JsonReader::string)).isInstanceOf(MalformedJsonException.class);
    }

    @Test
    void limitsNesting() {
        skip("[".repeat(32) + "]".repeat(32));
        for (String open : new String[] {"[", "{\"a\":", "{", "{{"}) {
            assertThatThrownBy(() -> skip(open.repeat(200_000)))
                    .isInstanceOf(MalformedJsonException.class)
                    .hasMessageContaining("nested deeper than limit=32");
        }
    }

    @Test
    void limitsTheEntriesItKeeps() {
        String zeros = "0,".repeat(250_000);

        assertThat(integers("[" + zeros + "]")).hasSize(250_000);
        assertThatThrownBy(() -> integers("[" + zeros + "0]"))
                .hasMessage("json at byte 500001: more entries than limit=250000");
        assertThatThrownBy(() -> strings("{" + "a:1,".repeat(250_001) + "}"))
                .isInstanceOf(MalformedJsonException.class);
        skip("[" + zeros + "0]");
    }

    @Test
    void limitsSize() {
        byte[] json = ("\"" + "x".repeat(99) + "\"").getBytes(UTF_8);

        assertThat(JsonReader.parse(json, 101, JsonReader::string)).hasSize(99);
        assertThatThrownBy(() -> JsonReader.parse(json, 100, JsonReader::string))
                .hasMessage("json bytes=101 limit=100");
    }
}
