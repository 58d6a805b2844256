package io.anser.protocol.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The libraries that Apache's clients write and read headers with agree with ours. */
class FastjsonHeaderTest {
    private static final String PROPERTIES = "TAGS\u0001a\u0002KEYS\u0001\"\\/\u4e2d\ud83d\ude00\t\u2028\u007f\u0002";

    private static Map<String, Object> sample() {
        Map<String, String> fields = new TreeMap<>();
        fields.put("a", "PG_orders");
        fields.put("i", PROPERTIES);
        fields.put("k", "false");
        Map<String, Object> members = new TreeMap<>();
        members.put("code", 310);
        members.put("extFields", fields);
        members.put("flag", 2);
        members.put("language", "JAVA");
        members.put("opaque", 77);
        members.put("remark", "r\u0000");
        members.put("serializeTypeCurrentRPC", "JSON");
        members.put("version", 513);
        return members;
    }

    @Test
    void readsWhatBothVersionsWrite() {
        for (byte[] json : new byte[][] {
            com.alibaba.fastjson.JSON.toJSONBytes(sample()), com.alibaba.fastjson2.JSON.toJSONBytes(sample())
        }) {
            CommandHeader header = new CommandHeader();
            header.decode(HeaderEncoding.JSON, json, 0, json.length);

            assertThat(header.code()).isEqualTo(310);
            assertThat(header.isOneWay()).isTrue();
            assertThat(header.opaque()).isEqualTo(77);
            assertThat(header.remark()).contains("r\u0000");
            assertThat(header.utf8(FieldName.of("i"))).isEqualTo(PROPERTIES.getBytes(UTF_8));
            assertThat(header.string(FieldName.of("a"))).isEqualTo("PG_orders");
        }
    }

    @Test
    void writesWhatBothVersionsRead() {
        HeaderWriter writer = new HeaderWriter();
        writer.begin(HeaderEncoding.JSON, 310, 2, 77, "r\u0000");
        writer.field(FieldName.of("a"), "PG_orders");
        writer.field(FieldName.of("i"), PROPERTIES.getBytes(UTF_8));
        writer.field(FieldName.of("k"), false);
        writer.end();
        byte[] json = Arrays.copyOf(writer.array(), writer.length());

        assertThat(new LinkedHashMap<String, Object>(com.alibaba.fastjson.JSON.parseObject(new String(json, UTF_8))))
                .isEqualTo(sample());
        assertThat(new LinkedHashMap<String, Object>(com.alibaba.fastjson2.JSON.parseObject(json)))
                .isEqualTo(sample());
    }
}
