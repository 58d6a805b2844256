package io.anser.broker;

import static io.anser.broker.RunningBroker.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.protocol.operation.QueryMessage;
import io.anser.transport.Reply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryTest {
    @TempDir
    Path directory;

    private RunningBroker broker;

    @BeforeEach
    void open() throws Exception {
        broker = RunningBroker.open(directory);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void findsByEachKeyAsSoonAsTheSendIsAnswered() throws Exception {
        for (int i = 0; i < 20; i++) {
            broker.stored(request("T", keys("Aa K" + i) + id("ID-" + i)), "m" + i);
            assertThat(bodies(query("T", "K" + i, 32, false))).containsExactly("m" + i);
            assertThat(bodies(query("T", "ID-" + i, 32, true))).containsExactly("m" + i);
        }
        broker.stored(request("T", keys("BB")), "other");

        assertThat(bodies(query("T", "Aa", 3, false))).containsExactly("m19", "m18", "m17");
        assertThat(bodies(query("T", "Aa", 1_000_000, false))).hasSize(20);
        assertThat(bodies(query("T", "BB", 32, false))).containsExactly("other");
    }

    @Test
    void answersAllCopiesOfAnIdButOnlyOfTheIdWhenThatIsAskedFor() throws Exception {
        broker.stored(request("T", id("ID")), "first");
        broker.stored(request("T", id("ID")), "again");
        broker.stored(request("T", keys("ID")), "a key");
        broker.stored(request("U", id("ID")), "elsewhere");

        assertThat(bodies(query("T", "ID", 32, true))).containsExactly("again", "first");
        assertThat(bodies(query("T", "ID", 32, false))).containsExactly("a key", "again", "first");
    }

    @Test
    void answersATimeRange() throws Exception {
        long start = broker.time.wallMillis();
        for (int i = 0; i < 5; i++) {
            broker.stored(request("T", keys("K")), "m" + i);
            broker.time.advance(Duration.ofMillis(100));
        }

        Reply reply =
                broker.ask(QueryMessage.CODE, new QueryMessage.Request("T", "K", 32, start + 100, start + 200, false));

        assertThat(bodies(reply)).containsExactly("m2", "m1");
        assertThat(QueryMessage.Response.decode(reply.header()).indexLastUpdateTimestamp())
                .isEqualTo(start + 500);
    }

    @Test
    void saysThatThereIsNone() throws Exception {
        broker.stored(request("T", keys("K")), "m");

        assertThat(query("T", "k", 32, false).code()).isEqualTo(22);
        assertThat(query("Unknown", "K", 32, false).code()).isEqualTo(22);
        assertThat(query("T", "K", 0, false).code()).isEqualTo(1);
    }

    private Reply query(String topic, String key, int maxNum, boolean unique) throws Exception {
        return broker.ask(QueryMessage.CODE, new QueryMessage.Request(topic, key, maxNum, 0, Long.MAX_VALUE, unique));
    }

    private static String keys(String keys) {
        return "KEYS\u0001" + keys + "\u0002";
    }

    private static String id(String id) {
        return "UNIQ_KEY\u0001" + id + "\u0002";
    }

    private static List<String> bodies(Reply reply) {
        assertThat(reply.code()).as(reply.remark().orElse("")).isZero();
        List<String> bodies = new ArrayList<>();
        ByteBuffer messages = ByteBuffer.wrap(reply.body());
        MessageView view = new MessageView();
        for (int at = 0; at < messages.limit(); at += view.totalSize()) {
            view.wrap(messages, at);
            bodies.add(StandardCharsets.UTF_8.decode(view.body()).toString());
        }
        return bodies;
    }
}
