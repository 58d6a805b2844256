package io.anser.protocol.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    private final JsonWriter out = new JsonWriter(JsonDialect.STANDARD);

    private static String text(JsonWriter out) {
        return new String(out.toBytes(), UTF_8);
    }

    @Test
    void setsCommasBetweenMembersAndElements() {
        out.beginObject()
                .member("a", 1)
                .name("b")
                .beginArray()
                .value("x")
                .value(true)
                .beginObject();
        out.endObject().value(-1).endArray().member("c", false).member("d", 0.5).endObject();

        assertThat(text(out)).isEqualTo("{\"a\":1,\"b\":[\"x\",true,{},-1],\"c\":false,\"d\":0.5}");
    }

    @Test
    void escapesWhatMustBeEscapedAndNothingElse() {
        out.value("\"\\/\u0000\n\u001f\u007f\u00e9\u4e16\ud83e\udebf");

        assertThat(text(out)).isEqualTo("\"\\\"\\\\/\\u0000\\u000a\\u001f\\u007f\u00e9\u4e16\ud83e\udebf\"");
    }

    @Test
    void replacesHalfSurrogatePairs() {
        out.value("a\ud83eb\udebf");

        assertThat(text(out)).isEqualTo("\"a?b?\"");
    }

    @Test
    void quotesNumbersAsNamesInTheStandardDialectOnly() {
        JsonWriter fastjson = new JsonWriter(JsonDialect.FASTJSON);
        for (JsonWriter writer : List.of(out, fastjson)) {
            writer.beginObject().name(0).value("a").name(-1).value("b").endObject();
        }

        assertThat(text(out)).isEqualTo("{\"0\":\"a\",\"-1\":\"b\"}");
        assertThat(text(fastjson)).isEqualTo("{0:\"a\",-1:\"b\"}");
    }

    @Test
    void writesObjectsAsNames() {
        JsonBody key = w -> w.beginObject().member("q", 1).endObject();
        out.beginObject().name(key).value(1).name(key).value(2).endObject();

        assertThat(text(out)).isEqualTo("{{\"q\":1}:1,{\"q\":1}:2}");
    }

    @Test
    void leavesEmptyMembersOut() {
        out.beginObject().memberUnlessEmpty("a", "").memberUnlessEmpty("b", "x").strings("c", Map.of());

        assertThat(text(out.endObject())).isEqualTo("{\"b\":\"x\",\"c\":{}}");
    }

    @Test
    void refusesNumbersThatJsonDoesNotHave() {
        assertThatThrownBy(() -> out.value(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void growsBeyondItsFirstArray() {
        out.value("x".repeat(100_000));

        assertThat(out.toBytes()).hasSize(100_002);
    }
}
