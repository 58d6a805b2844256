package io.anser.broker.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.Change.TimerFired;
import io.anser.broker.metadata.Change.TopicSaved;
import io.anser.broker.metadata.PendingTimer;
import io.anser.protocol.body.TopicConfig;
import io.anser.store.file.StoreException.Kind;
import io.anser.store.log.Append;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers of topics that the log refuses, beside those of others. */
class RefusedTimersTest extends HandDrivenTimers {
    private static final List<Kind> REFUSALS = List.of(Kind.BUSY, Kind.FULL, Kind.REFUSED, Kind.DROPPED);
    private static final String BLOCKED = "TBW102";
    private static final String OTHER = "Other";
    private static final int MANY = 3 * TimerDelivery.MAX_IN_FLIGHT;
    private static final long DUE = 1_001_000;

    private int committed;

    @BeforeEach
    void makeTopic() {
        committing = true;
        TopicSaved saved = new TopicSaved(1, new TopicConfig(OTHER, 4, 4, 6));
        state.applyState(saved.kind(), ByteBuffer.wrap(saved.payload()), 0);
    }

    @Override
    void commit(Append append) {
        super.commit(append);
        committed++;
    }

    private void pass(long millis) {
        time.advance(Duration.ofMillis(millis));
    }

    private void refuseMany(Kind kind) {
        refusals.put(BLOCKED, kind);
        for (int i = 1; i <= MANY; i++) {
            commitWaiting(BLOCKED, i, DUE);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FULL", "REFUSED", "IO"})
    void howeverManyTimersOfATopicAreRefusedThoseOfAnotherFireInTime(Kind kind) {
        refuseMany(kind);
        commitWaiting(OTHER, MANY + 1, DUE);
        commitWaiting(OTHER, MANY + 2, DUE + 500);
        pass(1000);
        assertThat(committed).isEqualTo(1);

        pass(500);
        assertThat(committed).isEqualTo(2);
        commitWaiting(OTHER, MANY + 3, DUE - 1);
        assertThat(committed).as("one that was due before it came").isEqualTo(3);
        assertThat(state.timers().size()).isEqualTo(MANY);
    }

    @Test
    void oneTimerAsksForItsTopicAndAllFireOnceThereIsRoom() {
        refuseMany(Kind.FULL);
        pass(1000);
        int first = refused;
        pass(10 * TimerDelivery.RETRY_MILLIS);
        assertThat(refused - first).as("attempts within ten retries").isEqualTo(10);

        refusals.clear();
        pass(TimerDelivery.RETRY_MILLIS);
        assertThat(committed).isEqualTo(MANY);
        assertThat(state.timers().size()).isZero();
        pass(60_000);
        assertThat(committed).isEqualTo(MANY);
    }

    @Test
    void aTimerThatAskedAndIsGoneLeavesItToAnother() {
        refuseMany(Kind.FULL);
        pass(1000);
        TimerFired gone = new TimerFired(new PendingTimer(DUE, 1));
        state.applyState(gone.kind(), ByteBuffer.wrap(gone.payload()), 0);
        refusals.clear();

        pass(TimerDelivery.RETRY_MILLIS);

        assertThat(committed).isEqualTo(MANY - 1);
        assertThat(state.timers().size()).isZero();
    }

    @Test
    void aLogThatIsBusyIsNotAskedForEveryTimer() {
        refuseMany(Kind.BUSY);
        pass(1000);
        assertThat(refused).isEqualTo(1);

        refusals.clear();
        pass(TimerDelivery.RETRY_MILLIS);
        assertThat(committed).isEqualTo(MANY);
    }

    @Test
    void moreTimersThanAreRememberedFireToo() {
        int count = RefusedTopics.WAITING_MAX + 5_000;
        refusals.put(BLOCKED, Kind.FULL);
        for (int i = 1; i <= count; i++) {
            commitWaiting(BLOCKED, i, DUE);
        }
        pass(1000);
        commitWaiting(OTHER, count + 1, DUE);
        assertThat(committed).isEqualTo(1);

        refusals.clear();
        pass(TimerDelivery.RETRY_MILLIS);
        assertThat(committed).isEqualTo(count + 1);
        assertThat(state.timers().size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whateverIsRefusedAndWhenEveryTimerFiresOnce(int seed) {
        Random random = new Random(seed);
        int count = 0;
        for (int step = 0; step < 2_000; step++) {
            switch (random.nextInt(6)) {
                case 0 ->
                    refusals.put(random.nextBoolean() ? BLOCKED : OTHER, REFUSALS.get(random.nextInt(REFUSALS.size())));
                case 1 -> refusals.remove(random.nextBoolean() ? BLOCKED : OTHER);
                case 2 -> pass(random.nextInt(2_000));
                case 3 -> time.stepWallClock(Duration.ofMillis(random.nextInt(2_000) - 1_000));
                case 4 -> committing = random.nextInt(4) > 0;
                default -> {
                    for (int more = random.nextInt(20); more >= 0; more--) {
                        String topic = random.nextBoolean() ? BLOCKED : OTHER;
                        commitWaiting(topic, ++count, time.wallMillis() + random.nextInt(3_000) - 500);
                    }
                }
            }
            while (!appended.isEmpty() && random.nextInt(3) > 0) {
                commit(appended.remove());
            }
        }
        refusals.clear();
        committing = true;
        while (!appended.isEmpty()) {
            commit(appended.remove());
        }
        for (int second = 0; second < 120; second++) {
            pass(1_000);
        }

        assertThat(state.timers().size()).isZero();
        assertThat(committed).isEqualTo(count);
    }
}
