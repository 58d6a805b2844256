package io.anser.broker.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.testing.ApacheStoreDirectory;
import io.anser.broker.testing.ApacheStoreDirectory.Message;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages for an exact time in the store of an Apache broker. */
class ApacheTimersTest {
    private static final String WHEEL = "rmq_sys_wheel_timer";
    private static final long END = 100_000;

    @TempDir
    Path directory;

    private ApacheStoreDirectory apache;

    @BeforeEach
    void make() {
        apache = new ApacheStoreDirectory(directory);
        apache.topics("T");
    }

    private Message timer(String id, long outMillis) {
        return apache.message(WHEEL, id)
                .with("UNIQ_KEY", id)
                .with("TIMER_OUT_MS", Long.toString(outMillis))
                .waitsFor("T");
    }

    private Message copy(String id) {
        return apache.message("T", id).with("UNIQ_KEY", id);
    }

    /** Stores a message of no interest, so that the log ends at a time. */
    private void end() {
        apache.message("T", "last").born(9).stored(END).put();
    }

    @Test
    void aTimerIsDueWhenItsSenderAskedForOrAtTheEndOfTheTurn() {
        long asked = timer("a", 200_000).with("TIMER_DELIVER_MS", "200123").put();
        long delay = timer("b", 200_000).with("TIMER_DELAY_SEC", "7").put();
        long both = timer("c", 200_000).with("TIMER_DELIVER_MS", "900000").put();
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly("200123@" + asked, "201000@" + delay, "201000@" + both);
        }
    }

    @Test
    void whatTheWheelHasPassedIsDelivered() {
        timer("delivered", 50_000).put();
        long turn = timer("of the turn that is next", 60_000).put();
        end();
        apache.timerCheck(60_000, 2);

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly("61000@" + turn);
        }
    }

    @Test
    void whatCameTooLateForTheWheelWasNotDeliveredByIt() {
        timer("delivered", 50_000).put();
        long late = timer("late", 40_000).put();
        end();
        apache.timerCheck(60_000, 1);

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly("41000@" + late);
        }
    }

    @Test
    void aKilledBrokerHasDeliveredMoreThanItHasNoted() {
        timer("delivered", 60_000).put();
        long waiting = timer("waiting", 60_000).put();
        copy("delivered").stored(61_500).put();
        end();
        apache.timerCheck(60_000, 2);
        apache.killed();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly("61000@" + waiting);
        }
    }

    @Test
    void notesThatCannotBeLoseNothing() {
        long waiting = timer("waiting", 500_000).put();
        timer("delivered", 50_000).put();
        copy("delivered").stored(51_000).put();
        end();
        apache.timerCheck(Long.MAX_VALUE, Long.MAX_VALUE);

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly("501000@" + waiting);
        }
    }

    @Test
    void withoutNotesOrWithHalfOfThemTheLogTells() {
        long waiting = timer("waiting", 50_000).put();
        timer("delivered", 50_000).put();
        copy("delivered").stored(51_000).put();
        end();
        apache.write("config/timercheck", new byte[20]);

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly("51000@" + waiting);
            assertThat(broker.told).anyMatch(line -> line.startsWith("file too short"));
        }
    }

    @Test
    void whatWasTakenBackDoesNotWait() {
        timer("u1", 200_000).put();
        timer("u2", 200_000).put();
        long other = timer("u1", 300_000).born(2).put();
        apache.message(WHEEL, "mark")
                .with("TIMER_OUT_MS", "200000")
                .with("TIMER_DEL_UNIQKEY", "T+u1")
                .waitsFor("T")
                .put();
        apache.message(WHEEL, "mark")
                .with("TIMER_OUT_MS", "200000")
                .with("TIMER_DEL_UNIQKEY", "u2")
                .waitsFor("T")
                .put();
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly("301000@" + other);
        }
    }

    @Test
    void oneThatWasWrittenAgainWaitsOnce() {
        timer("far", 900_000).put();
        timer("near", 200_000).put();
        timer("far", 900_000).with("TIMER_ROLL_TIMES", "1").put();
        long last = timer("far", 900_000).with("TIMER_ROLL_TIMES", "2").put();
        timer("delivered", 70_000).put();
        timer("delivered", 70_000).with("TIMER_ROLL_TIMES", "1").put();
        copy("delivered").stored(71_000).put();
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).hasSize(2).contains("901000@" + last);
        }
    }

    @Test
    void whatCannotBeUnderstoodIsNamedAndTheRestTakenOver() {
        long never = apache.message(WHEEL, "x").waitsFor("T").put();
        long garbage = apache.message(WHEEL, "x")
                .waitsFor("T")
                .with("TIMER_OUT_MS", "-1")
                .put();
        long nowhere = apache.message(WHEEL, "x").with("TIMER_OUT_MS", "200000").put();
        long good = timer("good", 200_000)
                .with("TIMER_ROLL_TIMES", "many")
                .with("TIMER_DELIVER_MS", "soon")
                .put();
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.timers()).containsExactly("201000@" + good);
            assertThat(broker.told)
                    .anyMatch(line -> line.contains("timer position=" + never + " reason="))
                    .anyMatch(line -> line.contains("timer position=" + garbage + " reason="))
                    .anyMatch(line -> line.contains("timer position=" + nowhere + " reason="))
                    .anyMatch(line -> line.contains("notUnderstood=3"));
        }
    }
}
