package io.anser.broker.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.testing.ApacheStoreDirectory;
import io.anser.broker.testing.ApacheStoreDirectory.Message;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that an Apache broker had put off by level. */
class ApacheDelaysTest {
    private static final String SCHEDULE = "SCHEDULE_TOPIC_XXXX";
    private static final int LEVEL_5 = 4;
    private static final long MINUTE = 60_000;

    @TempDir
    Path directory;

    private ApacheStoreDirectory apache;

    @BeforeEach
    void make() {
        apache = new ApacheStoreDirectory(directory);
        apache.topics("T", "%RETRY%g");
    }

    private Message delayed(String id, long storedMillis) {
        return apache.message(SCHEDULE, id)
                .queue(LEVEL_5)
                .born(storedMillis)
                .stored(storedMillis)
                .with("UNIQ_KEY", id)
                .with("DELAY", "5")
                .waitsFor("T");
    }

    private Message copy(String id, long bornMillis) {
        return apache.message("T", id).born(bornMillis).with("UNIQ_KEY", id);
    }

    @Test
    void whatApacheHasNotDeliveredWaitsUntilItsLevelIsOver() {
        delayed("delivered", 1_000).put();
        long first = delayed("a", 2_000).put();
        long second = delayed("b", 3_000).put();
        apache.delayOffsets("5:1");

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly(2_000 + MINUTE + "@" + first, 3_000 + MINUTE + "@" + second);
            assertThat(broker.told).anyMatch(line -> line.contains("delayed=2"));
        }
    }

    @Test
    void aKilledBrokerHasDeliveredMoreThanItHasNoted() {
        delayed("delivered", 1_000).put();
        delayed("delivered too", 1_001).put();
        long waiting = delayed("due and not delivered", 1_002).put();
        copy("delivered", 1_000).stored(1_000 + MINUTE).put();
        copy("delivered too", 1_001).stored(1_001 + MINUTE).put();
        copy("another that was born at the same time", 1_002)
                .stored(5_000 + MINUTE)
                .put();
        apache.delayOffsets("5:0");
        apache.killed();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly(1_002 + MINUTE + "@" + waiting);
        }
    }

    @Test
    void withoutAnyNotesTheLogTells() {
        delayed("delivered", 1_000).put();
        long waiting = delayed("waiting", 50_000).put();
        copy("delivered", 1_000).stored(1_000 + MINUTE).put();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly(50_000 + MINUTE + "@" + waiting);
        }
    }

    @Test
    void ofTwoThatLookTheSameTheFirstWasDeliveredFirst() {
        delayed("same", 1_000).put();
        delayed("same", 1_000).put();
        long last = delayed("same", 1_000).put();
        copy("same", 1_000).stored(1_000 + MINUTE).put();
        copy("same", 1_000).stored(1_000 + MINUTE).put();
        apache.delayOffsets("5:1");

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly(1_000 + MINUTE + "@" + last);
        }
    }

    @Test
    void anEarlierTryOfAMessageIsNoCopyOfTheNext() {
        apache.message("%RETRY%g", "m")
                .born(1)
                .tries(1)
                .stored(1_000)
                .with("UNIQ_KEY", "m")
                .put();
        long next = apache.message(SCHEDULE, "m")
                .queue(LEVEL_5)
                .born(1)
                .tries(2)
                .stored(2_000)
                .with("UNIQ_KEY", "m")
                .waitsFor("%RETRY%g")
                .put();
        apache.message("%RETRY%g", "m")
                .born(1)
                .tries(1)
                .stored(3_000 + MINUTE)
                .with("UNIQ_KEY", "m")
                .put();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly(2_000 + MINUTE + "@" + next);
        }
    }

    @Test
    void delaysThatTheBrokerWasSetToAreThoseOfItsQueueEntries() {
        Message message = delayed("a", 1_000);
        long first = message.put();
        long second = delayed("b", 2_000).put();
        int bytes = (int) (second - first);
        apache.write(
                "consumequeue/SCHEDULE_TOPIC_XXXX/4/00000000000000000000",
                ByteBuffer.allocate(60)
                        .putLong(first)
                        .putInt(bytes)
                        .putLong(1_000 + 7 * MINUTE)
                        .putLong(first + 1) // of something else
                        .putInt(bytes)
                        .putLong(2_000 + 7 * MINUTE)
                        .array());

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers())
                    .containsExactlyInAnyOrder(1_000 + 7 * MINUTE + "@" + first, 2_000 + MINUTE + "@" + second);
        }
    }

    @Test
    void queueEntriesThatCannotBeAreNotBelieved() {
        long first = delayed("a", 1_000).put();
        long second = delayed("b", 2_000).put();
        int bytes = (int) (second - first);
        apache.write(
                "consumequeue/SCHEDULE_TOPIC_XXXX/4/00000000000000000000",
                ByteBuffer.allocate(50)
                        .putLong(first)
                        .putInt(bytes)
                        .putLong(Long.MAX_VALUE)
                        .putLong(second)
                        .putInt(bytes)
                        .putInt(0) // a file that ends within an entry
                        .array());
        apache.write("consumequeue/SCHEDULE_TOPIC_XXXX/4/99999999999999999999", new byte[20]);

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers())
                    .containsExactlyInAnyOrder(1_000 + MINUTE + "@" + first, 2_000 + MINUTE + "@" + second);
        }
    }

    @Test
    void whatCannotBeUnderstoodIsNamedAndTheRestTakenOver() {
        long nowhere = apache.message(SCHEDULE, "x").queue(LEVEL_5).put();
        long noQueue = apache.message(SCHEDULE, "x")
                .queue(LEVEL_5)
                .with("REAL_TOPIC", "T")
                .with("REAL_QID", "seven")
                .put();
        long gone =
                apache.message(SCHEDULE, "x").queue(LEVEL_5).waitsFor("gone").put();
        long good = delayed("good", 1_000).put();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly(1_000 + MINUTE + "@" + good);
            assertThat(broker.told)
                    .anyMatch(line ->
                            line.contains("delayed message position=" + nowhere + " reason=property REAL_TOPIC"))
                    .anyMatch(
                            line -> line.contains("position=" + noQueue + " reason=property REAL_QID is not a number"))
                    .anyMatch(line -> line.contains("position=" + gone + " reason=its topic=gone does not exist"))
                    .anyMatch(line -> line.contains("notUnderstood=3"));
        }
    }

    @Test
    void itIsTakenOverOnce() {
        long waiting = delayed("a", 1_000).put();
        TakenOver.open(directory).close();

        try (TakenOver again = TakenOver.open(directory)) {
            assertThat(again.timers()).containsExactly(1_000 + MINUTE + "@" + waiting);
            assertThat(again.told).isEmpty();
        }
    }
}
