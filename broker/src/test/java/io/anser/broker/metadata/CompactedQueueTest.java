package io.anser.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.LatestValue.Place;
import io.anser.store.queue.RetainedMessages;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CompactedQueueTest {
    private final HeldElements<LatestValue> held = new HeldElements<>();
    private final CompactedQueue queue = new CompactedQueue(held);
    private final long[] entry = new long[2];

    private static LatestValue value(long key, long offset, long position) {
        return new LatestValue(new Place("C", 0), new ValueKey(key, 0), offset, position, 100, -7);
    }

    @Test
    void theLatestMessageTakesThePlaceOfTheOneBefore() {
        assertThat(queue.put(value(1, 0, 1000))).isEqualTo(1);
        assertThat(queue.put(value(2, 1, 1100))).isEqualTo(1);
        assertThat(queue.put(value(1, 2, 1200))).isZero();

        assertThat(queue.firstFrom(0)).isEqualTo(1);
        assertThat(queue.firstFrom(2)).isEqualTo(2);
        assertThat(queue.firstFrom(3)).isEqualTo(RetainedMessages.NONE_LEFT);
        assertThat(queue.read(0, entry)).isFalse();
        assertThat(queue.read(2, entry)).isTrue();
        assertThat(entry).containsExactly(1200, (100L << 32) | 0xFFFF_FFF9L);
    }

    @Test
    void theSameMessageTwiceIsOne() {
        queue.put(value(1, 5, 1000));

        assertThat(queue.put(value(1, 5, 1000))).isZero();

        assertThat(queue.firstFrom(0)).isEqualTo(5);
    }

    @Test
    void anEndedKeyIsGoneAndMayComeAgain() {
        queue.put(value(1, 0, 1000));
        assertThat(queue.remove(new ValueKey(1, 0))).isEqualTo(-1);
        assertThat(queue.remove(new ValueKey(1, 0))).isZero();
        assertThat(queue.firstFrom(0)).isEqualTo(RetainedMessages.NONE_LEFT);

        assertThat(queue.put(value(1, 2, 1200))).isEqualTo(1);
    }

    @Test
    void aCopyCountsOnlyForTheMessageThatItWasMadeOf() {
        queue.put(value(1, 0, 1000));
        queue.move(0, 900, 5000); // of another life of the topic
        queue.move(3, 1000, 5000);
        assertThat(queue.read(0, entry)).isTrue();
        assertThat(entry[0]).isEqualTo(1000);

        queue.move(0, 1000, 5000);
        assertThat(queue.read(0, entry)).isTrue();
        assertThat(entry[0]).isEqualTo(5000);

        queue.put(value(1, 4, 6000));
        queue.move(0, 5000, 7000);
        assertThat(queue.read(0, entry)).isFalse();
        assertThat(queue.read(4, entry)).isTrue();
        assertThat(entry[0]).isEqualTo(6000);
    }

    @Test
    void holdsAtEveryStepTheLastMessageOfEachKeyAndNothingElse() {
        Random chance = new Random(20_261_130);
        Map<Long, LatestValue> model = new HashMap<>();
        int size = 0;
        for (int offset = 0; offset < 5_000; offset++) {
            long key = chance.nextInt(40);
            if (chance.nextInt(4) == 0) {
                size += queue.remove(new ValueKey(key, 0));
                model.remove(key);
            } else {
                LatestValue value = value(key, offset, 1_000 + 100L * offset);
                size += queue.put(value);
                model.put(key, value);
            }
            if (chance.nextInt(10) == 0 && model.containsKey(key)) {
                LatestValue value = model.get(key);
                queue.move(value.queueOffset(), value.position(), 9_000_000 + offset);
                model.put(key, value.at(9_000_000 + offset));
            }
            Map<Long, LatestValue> expected = new TreeMap<>();
            model.values().forEach(value -> expected.put(value.queueOffset(), value));
            assertThat(queue.all()).isEqualTo(expected);
            assertThat(queue.size()).isEqualTo(size).isEqualTo(model.size());
            if (offset % 50 == 0) {
                assertThat(held()).isEqualTo(List.copyOf(expected.values()));
            }
        }
        queue.release();
        assertThat(held()).isEmpty();
    }

    private List<LatestValue> held() {
        return held.hold(Comparator.comparingLong(LatestValue::queueOffset)).get();
    }
}
