package io.anser.broker.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.dispatch.Refusal;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.metadata.LatestValues;
import io.anser.broker.metadata.Topic;
import io.anser.protocol.body.TopicConfig;
import io.anser.protocol.body.TopicFilterType;
import io.anser.protocol.message.BatchBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompactedSendsTest {
    private final Topic topic = new BrokerState(List.of(new TopicConfig(
                    "C", 1, 1, 6, TopicFilterType.SINGLE_TAG, 0, false, Map.of("cleanup.policy", "COMPACTION"))))
            .topics()
            .find("C")
            .orElseThrow();

    private final List<Runnable> answers = new ArrayList<>();

    private Optional<Refusal> refusal(int limit, String properties, int bodyBytes) {
        return refusal(new CompactedSends(new LatestValues(limit)), properties, bodyBytes);
    }

    private Optional<Refusal> refusal(CompactedSends sends, String properties, int bodyBytes) {
        return sends.refusal(topic, 0, properties.getBytes(UTF_8), bodyBytes, answers::add);
    }

    private Optional<Refusal> batchRefusal(int limit, ByteBuffer batch) {
        return new CompactedSends(new LatestValues(limit)).batchRefusal(topic, 0, batch, answers::add);
    }

    @Test
    void whatIsOnItsWayHasAPlaceUntilItsSenderIsAnswered() {
        CompactedSends sends = new CompactedSends(new LatestValues(2));
        assertThat(refusal(sends, "KEYS\u0001a\u0002", 1)).isEmpty();
        assertThat(refusal(sends, "KEYS\u0001b\u0002", 1)).isEmpty();

        assertThat(refusal(sends, "KEYS\u0001c\u0002", 1))
                .contains(new Refusal(
                        2, "topic=C has no room for new keys=1: the broker keeps values=0 coming=2 limit=2"));
        assertThat(refusal(sends, "KEYS\u0001d\u0002", 0)).isEmpty();
        answers.remove(0).run();
        assertThat(refusal(sends, "KEYS\u0001c\u0002", 1)).isEmpty();
        assertThat(refusal(sends, "KEYS\u0001d\u0002", 1)).isPresent();
    }

    @Test
    void aTopicOfThisKindKnowsIt() {
        assertThat(topic.compacted()).isTrue();
    }

    @Test
    void onlyAMessageWithAKeyIsTaken() {
        assertThat(refusal(1, "KEYS\u0001k\u0002", 1)).isEmpty();
        assertThat(refusal(1, "TAGS\u0001t\u0002", 1).map(Refusal::code)).contains(13);
        assertThat(refusal(1, "KEYS\u0001  \u0002", 1).map(Refusal::code)).contains(13);
        assertThat(refusal(1, "KEYS\u0001\u0002", 1).map(Refusal::code)).contains(13);
        assertThat(refusal(1, "", 1).map(Refusal::code)).contains(13);
    }

    @Test
    void withoutRoomANewKeyIsRefusedAndTheEndOfAKeyIsNot() {
        assertThat(refusal(0, "KEYS\u0001k\u0002", 1))
                .contains(new Refusal(
                        2, "topic=C has no room for new keys=1: the broker keeps values=0 coming=0 limit=0"));
        assertThat(refusal(0, "KEYS\u0001k\u0002", 0)).isEmpty();
    }

    @Test
    void aBatchIsTakenWhenAllItsNewKeysFindRoom() {
        ByteBuffer batch = ByteBuffer.allocate(1000);
        for (String key : List.of("a", "b", "a")) {
            BatchBody.encode(batch, 0, ByteBuffer.wrap(new byte[1]), properties(key));
        }
        BatchBody.encode(batch, 0, ByteBuffer.allocate(0), properties("ended"));
        batch.flip();

        assertThat(batchRefusal(1, batch))
                .contains(new Refusal(
                        2, "topic=C has no room for new keys=2: the broker keeps values=0 coming=0 limit=1"));
        assertThat(batchRefusal(2, batch)).isEmpty();
        answers.remove(0).run();
        assertThat(answers).isEmpty();
    }

    private static byte[] properties(String key) {
        return ("KEYS\u0001" + key + "\u0002").getBytes(UTF_8);
    }
}
