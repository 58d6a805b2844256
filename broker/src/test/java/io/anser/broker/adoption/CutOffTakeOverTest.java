package io.anser.broker.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.testing.ApacheStoreDirectory;
import io.anser.broker.testing.CutDevice;
import io.anser.store.file.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A take-over whose process is killed at any place. */
class CutOffTakeOverTest {
    private static final String HALF = "RMQ_SYS_TRANS_HALF_TOPIC";
    private static final String WHEEL = "rmq_sys_wheel_timer";
    private static final int CHANGES_MAX = 1_000;

    @TempDir
    Path directory;

    @Test
    void theNextStartTakesOverTheSameWhereverTheOneBeforeWasKilled() throws IOException {
        leaveWork();
        List<String> expected = List.of(
                "timers [65000@" + delayed + ", 201000@" + timer + "]",
                "open [" + half + "]",
                "until 3 out 0 2 visible 150000",
                "committed 0");

        int changes = 0;
        while (isCutAfter(changes)) {
            assertThat(pictureAfterRestart())
                    .as("killed after %d changes", changes)
                    .isEqualTo(expected);
            removeOurs();
            changes++;
            assertThat(changes).isLessThan(CHANGES_MAX);
        }

        assertThat(pictureAfterRestart()).isEqualTo(expected);
        assertThat(changes).isGreaterThan(10);
    }

    private long delayed;
    private long timer;
    private long half;

    private void leaveWork() {
        ApacheStoreDirectory apache = new ApacheStoreDirectory(directory);
        apache.topics("T");
        for (int i = 0; i < 3; i++) {
            apache.message("T", "m" + i).born(i).put();
        }
        delayed = apache.message("SCHEDULE_TOPIC_XXXX", "level")
                .queue(4)
                .stored(5_000)
                .with("DELAY", "5")
                .waitsFor("T")
                .put();
        timer = apache.message(WHEEL, "timer")
                .with("TIMER_OUT_MS", "200000")
                .waitsFor("T")
                .put();
        half = apache.message(HALF, "half")
                .with("UNIQ_KEY", "half")
                .with("PGROUP", "p")
                .waitsFor("T")
                .put();
        record("ck", "\"so\":0,\"pt\":90000,\"it\":60000,\"n\":3,\"d\":[0,1,2]", apache);
        record("ack", "\"so\":0,\"pt\":90000,\"ao\":1", apache);
        apache.consumerOffsets("\"T@g\":{0:3}");
    }

    private static void record(String tag, String json, ApacheStoreDirectory apache) {
        apache.message(WHEEL, "{\"c\":\"g\",\"t\":\"T\",\"q\":0," + json + "}")
                .with("TAGS", tag)
                .with("TIMER_OUT_MS", "149000")
                .waitsFor("rmq_sys_REVIVE_LOG_DefaultCluster")
                .put();
    }

    /** Opens the store with a device that lets so many changes happen; whether it met the end of them. */
    private boolean isCutAfter(int changes) {
        CutDevice device = new CutDevice(changes);
        try {
            TakenOver.open(directory, device::over, (where, cause) -> {
                        if (!device.isCut()) {
                            throw new AssertionError(where, cause);
                        } // else what works beside the opening meets the end, too
                    })
                    .close();
        } catch (StoreException e) {
            assertThat(device.isCut()).as(e.getMessage()).isTrue();
        }
        return device.isCut();
    }

    private List<String> pictureAfterRestart() {
        try (TakenOver broker = TakenOver.open(directory)) {
            List<String> picture = new ArrayList<>();
            picture.add("timers " + broker.timers());
            picture.add("open " + broker.state.transactions().open().keySet());
            picture.add(broker.leases("g", "T", 0));
            picture.add("committed " + broker.state.offsets().committed("g", "T", 0));
            return picture;
        }
    }

    private void removeOurs() throws IOException {
        try (Stream<Path> ours = Files.walk(directory.resolve("anser"))) {
            for (Path file : ours.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
