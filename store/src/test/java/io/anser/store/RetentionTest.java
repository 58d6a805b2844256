package io.anser.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.protocol.message.MessageView;
import io.anser.store.file.FaultyStorage;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.TimeBoundary;
import io.anser.store.retention.RetentionPolicy;
import io.anser.store.retention.TopicRetention;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages expire by age and size, segments go when nobody needs them, and no crash on the way does harm. */
class RetentionTest extends RetainingStore {
    private static final int SEGMENT = HandDriven.SEGMENT_BYTES;

    @Test
    void messagesExpireByAgeAtOnceAndSegmentsGoWithThem() {
        append("A", 100);
        retain(hours(1));

        assertThat(queue("A").minOffset()).isEqualTo(40);
        assertThat(queue("A").maxOffset()).isEqualTo(100);
        assertThat(minPosition()).isEqualTo(2 * SEGMENT);
        assertThat(store.storage.list("log").get(0)).isEqualTo(String.format("%020d", 2 * SEGMENT));
        assertReadable(queue("A"));
        assertThat(store.faults).isEmpty();
    }

    @Test
    void aQuietTopicExpiresWithoutFurtherMessages() {
        append("A", 3);
        time.advance(Duration.ofHours(2));
        retain(hours(1));

        assertThat(queue("A").minOffset()).isEqualTo(3);
        assertThat(queue("A").firstPosition()).isEqualTo(Long.MAX_VALUE);

        append("A", 1);
        assertThat(offsets(queue("A"))).containsExactly(3L);
    }

    @Test
    void nothingIsAppendedWhenNothingExpires() {
        append("A", 10);
        long end = store.parts.marks().appended();
        store.parts.retention().retain(time.wallMillis(), hours(1));
        store.run();

        assertThat(store.parts.marks().appended()).isEqualTo(end);
    }

    @Test
    void theLogIsKeptWithinItsSize() {
        append("A", 200);
        retain(new RetentionPolicy(1_000 * HOUR, 4L * SEGMENT, Map.of()));

        long kept = store.parts.marks().committed() - minPosition();
        assertThat(kept).isBetween(3L * SEGMENT, 4L * SEGMENT);
        assertThat(queue("A").firstPosition()).isGreaterThanOrEqualTo(minPosition());
        assertReadable(queue("A"));
    }

    @Test
    void aShorterTimeOfOneTopicMovesOnlyItsOffsets() {
        append("A", 50);
        append("B", 50);
        retain(hours(1_000, "A", new TopicRetention(HOUR, 0, false)));

        assertThat(queue("A").minOffset()).isEqualTo(40);
        assertThat(queue("B").minOffset()).isZero();
        assertThat(minPosition()).isZero();
    }

    @Test
    void aLongerTimeOfOneTopicKeepsItsSegmentsAndTheStatusSaysSo() {
        append("A", 40);
        append("B", 2);
        append("A", 60);
        RetentionPolicy policy = hours(1, "B", new TopicRetention(10 * HOUR, 0, false));
        append("A", 60);
        retain(policy);

        long pin = queue("B").firstPosition() / SEGMENT * SEGMENT;
        assertThat(queue("B").minOffset()).isZero();
        assertThat(queue("A").minOffset()).isGreaterThanOrEqualTo(99);
        assertThat(minPosition()).isEqualTo(pin).isPositive();
        long free = store.parts.retention().status().expiredPosition() / SEGMENT * SEGMENT;
        assertThat(store.parts.retention().status().pinnedBytes()).containsExactly(Map.entry("B", free - pin));
        assertThat(free - pin).isGreaterThan(SEGMENT);
        assertReadable(queue("B"));

        time.advance(Duration.ofHours(10));
        retain(policy);
        assertThat(queue("B").minOffset()).isEqualTo(2);
        assertThat(store.parts.retention().status().pinnedBytes()).isEmpty();
    }

    @Test
    void aTopicKeepsItsLastBytes() {
        append("A", 100);
        append("B", 10);
        retain(hours(1_000, "A", new TopicRetention(0, 20_000, false)));

        assertThat(queue("A").maxOffset() - queue("A").minOffset()).isBetween(18L, 22L);
        assertThat(queue("B").minOffset()).isZero();
    }

    @Test
    void aMinimumNeverGoesBack() {
        append("A", 100);
        retain(hours(1, "A", new TopicRetention(HOUR / 2, 0, false)));
        assertThat(queue("A").minOffset()).isEqualTo(70);

        retain(hours(1));
        assertThat(queue("A").minOffset()).isEqualTo(70);
        retain(hours(1, "A", new TopicRetention(10 * HOUR, 0, false)));
        assertThat(queue("A").minOffset()).isEqualTo(70);

        reopen(store.storage.kill());
        assertThat(queue("A").minOffset()).isEqualTo(70);
    }

    @Test
    void aReaderKeepsItsSliceWhenTheSegmentGoes() {
        append("A", 100);
        QueueCursor cursor = new QueueCursor();
        cursor.seek(queue("A"), 0);
        ByteBuffer slice = store.parts.log().slice(cursor.position(), cursor.size());
        retain(hours(1));

        assertThat(minPosition()).isPositive();
        assertThat(new MessageView().wrap(slice, 0).isBodyIntact()).isTrue();
        assertThat(cursor.seek(queue("A"), 0)).isFalse();
    }

    @Test
    void aSearchByTimeBeginsAtTheMinimum() {
        append("A", 100);
        retain(hours(1));

        assertThat(queue("A").offsetByTime(0, TimeBoundary.LOWER)).isEqualTo(40);
        assertThat(queue("A").offsetByTime(0, TimeBoundary.UPPER)).isEqualTo(40);
    }

    @Test
    void segmentsStayUntilTwoSnapshotsWereTakenBehindThem() {
        append("A", 100);
        store.parts.retention().retain(time.wallMillis(), hours(1));
        store.run();

        assertThat(queue("A").minOffset()).isEqualTo(40);
        assertThat(minPosition()).isZero();
    }

    @Test
    void aStoreOpensAfterRemovalAndGoesOn() {
        append("A", 100);
        retain(hours(1));
        long min = minPosition();
        reopen(store.storage.kill());

        assertThat(minPosition()).isEqualTo(min);
        assertThat(queue("A").minOffset()).isEqualTo(40);
        assertReadable(queue("A"));
        append("A", 100);
        retain(hours(1));
        assertThat(queue("A").minOffset()).isEqualTo(140);
        assertThat(minPosition()).isGreaterThan(min);
    }

    @Test
    void aLostIndexComesBackWithoutTheMessagesThatWentWithTheirSegments() {
        append("Quiet", 3);
        append("A", 100);
        retain(hours(1));
        FaultyStorage storage = store.storage.kill();
        storage.list("index").forEach(name -> storage.delete("index/" + name));

        reopen(storage);

        assertThat(queue("Quiet").minOffset()).isEqualTo(3);
        assertThat(queue("Quiet").maxOffset()).isEqualTo(3);
        assertThat(offsets(queue("A"))).startsWith(queue("A").minOffset()).endsWith(99L);
        assertReadable(queue("A"));
        append("Quiet", 1);
        assertThat(offsets(queue("Quiet"))).containsExactly(3L);
    }

    @Test
    void aTopicThatDropsItsOldestMakesRoomAndOthersLoseNothing() {
        append("Drop", 50);
        append("Block", 10);
        append("Drop", 50);
        RetentionPolicy policy = hours(1_000, "Drop", new TopicRetention(0, 0, true));

        assertThat(store.parts.retention().expireOldest(2 * SEGMENT - 100, policy))
                .isEqualTo(2 * SEGMENT);
        retain(policy);

        assertThat(minPosition()).isEqualTo(2 * SEGMENT);
        assertThat(queue("Drop").firstPosition()).isBetween(2L * SEGMENT, 2L * SEGMENT + 1_200);
        assertThat(queue("Block").minOffset()).isZero();

        assertThat(store.parts.retention().expireOldest(100L * SEGMENT, policy))
                .as("the device has to be looked at first")
                .isZero();
        assertThat(store.parts.retention().expireOldest(100L * SEGMENT, policy)).isBetween(1L, 3L * SEGMENT);
        retain(policy);
        long blocked = queue("Block").firstPosition() / SEGMENT * SEGMENT;
        assertThat(minPosition()).isEqualTo(blocked);
        assertThat(queue("Block").minOffset()).isZero();

        long min = queue("Drop").minOffset();
        assertThat(store.parts.retention().expireOldest(1, policy)).isZero();
        retain(policy);
        assertThat(queue("Drop").minOffset()).isEqualTo(min);
    }

    @Test
    void aLogThatNobodyWritesGetsTheSnapshotsThatARemovalNeeds() {
        append("A", 100);
        for (int run = 0; run < 4; run++) {
            store.parts.retention().retain(time.wallMillis(), hours(1));
            store.run();
            store.parts.pipeline().runFlusher();
        }
        long end = store.parts.marks().appended();
        assertThat(minPosition()).isEqualTo(2 * SEGMENT);

        store.parts.retention().retain(time.wallMillis(), hours(1));
        store.run();
        assertThat(store.parts.marks().appended()).isEqualTo(end);
    }

    @Test
    void aSnapshotFindsRoomOnADeviceThatHasNone() {
        append("A", 92);
        store.snapshot();
        append("A", 4);
        store.snapshot();
        append("A", 4);
        store.run();
        store.storage.capacityBytes = store.storage.space().usedBytes();
        for (int run = 0; run < 4; run++) {
            store.parts.retention().retain(time.wallMillis(), hours(1));
            store.run();
            store.parts.pipeline().runFlusher();
        }

        assertThat(store.faults).isEmpty();
        assertThat(minPosition()).isEqualTo(2 * SEGMENT);
    }

    @Test
    void whatHasExpiredForRoomIsNotRecordedAgain() {
        store.parts.retention().carryOver((until, end) -> end.kept("the test says so"));
        append("Drop", 100);
        RetentionPolicy policy = hours(1_000, "Drop", new TopicRetention(0, 0, true));
        look(policy, 4);
        long end = store.parts.marks().appended();

        look(policy, 10);

        assertThat(store.parts.marks().appended()).isEqualTo(end);
        assertThat(queue("Drop").minOffset()).isPositive();
    }

    private void look(RetentionPolicy policy, int times) {
        for (int look = 0; look < times; look++) {
            store.parts.retention().expireOldest(1, policy);
            store.run();
            store.parts.pipeline().runFlusher();
        }
    }

    @Test
    void theStatusSaysWhyNoRoomIsMade() {
        append("Block", 1);
        append("Drop", 100);
        store.parts.retention().expireOldest(1, hours(1_000, "Drop", new TopicRetention(0, 0, true)));

        assertThat(store.parts.retention().status().heldBy())
                .isEqualTo("topic=Block has messages in it and does not drop its oldest");
    }

    @Test
    void whatCannotBeAppendedAgainIsToldUntilItCan() {
        AtomicBoolean stuck = new AtomicBoolean(true);
        store.parts.retention().carryOver((until, outcome) -> {
            if (stuck.get()) {
                outcome.kept("delayed messages=1 cannot be appended again");
            } else {
                outcome.free();
            }
        });
        append("A", 100);
        retain(hours(1));
        assertThat(store.parts.retention().status().heldBy()).isEqualTo("delayed messages=1 cannot be appended again");
        assertThat(minPosition()).isZero();

        stuck.set(false);
        retain(hours(1));
        assertThat(store.parts.retention().status().heldBy()).isEmpty();
        assertThat(minPosition()).isPositive();
    }

    @Test
    void roomIsMadeSegmentBySegment() {
        List<Long> asked = new ArrayList<>();
        store.parts.retention().carryOver((until, outcome) -> {
            asked.add(until);
            outcome.free();
        });
        append("Drop", 100);
        RetentionPolicy policy = hours(1_000, "Drop", new TopicRetention(0, 0, true));
        look(policy, 5);

        assertThat(asked).startsWith((long) SEGMENT);
        assertThat(minPosition()).isEqualTo(asked.get(asked.size() - 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void aPowerLossAtAnyStepLeavesALogThatOpens(long seed) {
        Random random = new Random(seed);
        append("A", 20 + random.nextInt(100));
        long min = 0;
        long minOffset = 0;
        for (int round = 0; round < 6; round++) {
            append("A", random.nextInt(40));
            int steps = random.nextInt(12);
            for (int step = 0; step < steps; step++) {
                store.parts.retention().retain(time.wallMillis(), hours(1));
                if (random.nextBoolean()) {
                    store.parts.pipeline().runWriter();
                } else {
                    store.run();
                }
            }
            long max = queue("A").maxOffset();
            minOffset = queue("A").minOffset();
            reopen(store.storage.losePower(random));

            assertThat(minPosition()).isGreaterThanOrEqualTo(min);
            min = minPosition();
            assertThat(queue("A").minOffset()).isGreaterThanOrEqualTo(minOffset);
            assertThat(queue("A").maxOffset()).isGreaterThanOrEqualTo(max);
            assertReadable(queue("A"));
        }
    }
}
