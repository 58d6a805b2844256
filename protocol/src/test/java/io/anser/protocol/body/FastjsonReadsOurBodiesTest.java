package io.anser.protocol.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSONReader;
import io.anser.protocol.json.JsonBody;
import io.anser.protocol.json.JsonDialect;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The libraries inside Apache's clients understand what we write, into types shaped like theirs. */
class FastjsonReadsOurBodiesTest {
    /** Shaped as the client's type for a broker group. */
    public static final class Group {
        public String brokerName;
        public HashMap<Long, String> brokerAddrs;
    }

    /** Shaped as the client's type for a route. */
    public static final class Route {
        public List<Group> brokerDatas;
    }

    /** Shaped as the client's type for a queue. */
    public static final class Queue {
        public String topic;
        public String brokerName;
        public int queueId;

        @Override
        public int hashCode() {
            return topic.hashCode() + queueId;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Queue queue && queue.topic.equals(topic) && queue.queueId == queueId;
        }
    }

    /** Shaped as the client's type for a queue's offsets. */
    public static final class Offset {
        public long minOffset;
        public long maxOffset;
    }

    /** Shaped as the client's type for a topic's figures. */
    public static final class Stats {
        public Map<Queue, Offset> offsetTable;
    }

    static List<JsonBody> bodies() {
        return BodyGoldenTest.bodies()
                .map(arguments -> (JsonBody) arguments.get()[2])
                .toList();
    }

    private static String text(JsonBody body, JsonDialect dialect) {
        return new String(body.write(dialect), UTF_8);
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void parsesEveryBody(JsonBody body) {
        for (JsonDialect dialect : JsonDialect.values()) {
            String json = text(body, dialect);
            assertThat(com.alibaba.fastjson.JSON.parseObject(json)).isNotEmpty();
            assertThat(com.alibaba.fastjson2.JSON.parseObject(json, JSONReader.Feature.AllowUnQuotedFieldNames))
                    .isNotEmpty();
        }
    }

    @Test
    void findsBrokerIdsInBothDialects() {
        for (JsonDialect dialect : JsonDialect.values()) {
            String json = text(Bodies.ROUTE, dialect);
            Route old = com.alibaba.fastjson.JSON.parseObject(json, Route.class);
            Route present = com.alibaba.fastjson2.JSON.parseObject(json, Route.class);

            for (Route route : List.of(old, present)) {
                assertThat(route.brokerDatas.get(0).brokerAddrs)
                        .isEqualTo(Map.of(0L, "10.0.0.1:10911", 1L, "10.0.0.2:10911"));
            }
        }
    }

    @Test
    void findsQueuesAsNames() {
        String json = text(Bodies.STATS, JsonDialect.FASTJSON);
        Queue queue = new Queue();
        queue.topic = "Orders";
        queue.queueId = 0;

        Stats old = com.alibaba.fastjson.JSON.parseObject(json, Stats.class);
        Stats present = com.alibaba.fastjson2.JSON.parseObject(json, Stats.class);

        assertThat(old.offsetTable.get(queue).maxOffset).isEqualTo(10);
        assertThat(present.offsetTable.get(queue).maxOffset).isEqualTo(10);
    }

    @Test
    void readsEveryCharacterBack() {
        StringBuilder every = new StringBuilder();
        for (int c = 0; c < 0x3000; c++) {
            every.append((char) c);
        }
        every.append("\ud83e\udebf");
        String json = text(new KvTable(Map.of("k", every.toString())), JsonDialect.STANDARD);

        assertThat(com.alibaba
                        .fastjson
                        .JSON
                        .parseObject(json)
                        .getJSONObject("table")
                        .getString("k"))
                .isEqualTo(every.toString());
        assertThat(com.alibaba
                        .fastjson2
                        .JSON
                        .parseObject(json)
                        .getJSONObject("table")
                        .getString("k"))
                .isEqualTo(every.toString());
        assertThat(KvTable.read(json.getBytes(UTF_8)).table()).containsEntry("k", every.toString());
    }

    @Test
    void isReadBackWhenFastjsonWroteIt() {
        Map<Object, Object> table = Map.of(7, "a\u0001\u2028\u4e16\"", "k", "v");

        String old = com.alibaba.fastjson.JSON.toJSONString(Map.of("table", table));
        String present = com.alibaba.fastjson2.JSON.toJSONString(Map.of("table", table));

        for (String json : List.of(old, present)) {
            assertThat(KvTable.read(json.getBytes(UTF_8)).table())
                    .isEqualTo(Map.of("7", "a\u0001\u2028\u4e16\"", "k", "v"));
        }
    }
}
