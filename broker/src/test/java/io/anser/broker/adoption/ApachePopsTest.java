package io.anser.broker.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.testing.ApacheStoreDirectory;
import io.anser.broker.testing.ApacheStoreDirectory.Message;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that were popped from an Apache broker. */
class ApachePopsTest {
    private static final String WHEEL = "rmq_sys_wheel_timer";
    private static final String RECORDS = "rmq_sys_REVIVE_LOG_DefaultCluster";
    private static final long POPPED = 90_000;
    private static final long END = 100_000;

    @TempDir
    Path directory;

    private ApacheStoreDirectory apache;

    @BeforeEach
    void make() {
        apache = new ApacheStoreDirectory(directory);
        apache.topics("T", "%RETRY%g_T");
        for (int i = 0; i < 10; i++) {
            apache.message("T", "m" + i).born(i).with("UNIQ_KEY", "m" + i).put();
        }
    }

    private void offset(int offset) {
        apache.consumerOffsets("\"T@g\":{0:" + offset + "}");
    }

    private static String pop(long start, long popMillis, long invisibleMillis, String more) {
        return "{\"bn\":\"broker-a\",\"c\":\"g\",\"t\":\"T\",\"q\":0,\"so\":" + start + ",\"pt\":" + popMillis
                + ",\"it\":" + invisibleMillis + "," + more + "}";
    }

    private static String ack(long start, long popMillis, long offset) {
        return "{\"ao\":" + offset + ",\"bn\":\"broker-a\",\"c\":\"g\",\"t\":\"T\",\"q\":0,\"so\":" + start + ",\"pt\":"
                + popMillis + "}";
    }

    /** A record that waits in the wheel until the end of an invisible time. */
    private Message inWheel(String tag, String json, long outMillis) {
        return apache.message(WHEEL, json)
                .born(77)
                .stored(POPPED)
                .with("TAGS", tag)
                .with("TIMER_OUT_MS", Long.toString(outMillis))
                .waitsFor(RECORDS);
    }

    private Message carried(String tag, String json) {
        return apache.message(RECORDS, json).born(77).stored(END).with("TAGS", tag);
    }

    private void end() {
        apache.message("T", "last").queue(1).born(99).stored(END).put();
    }

    @Test
    void whatIsNotAcknowledgedIsOutUntilItsTimeIsOver() {
        inWheel("ck", pop(2, POPPED, 60_000, "\"n\":3,\"d\":[0,1,2],\"bm\":0"), 149_000)
                .put();
        inWheel("ack", ack(2, POPPED, 3), 150_000).put();
        offset(5);
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "T", 0)).isEqualTo("until 5 out 2 4 visible 150000");
            assertThat(broker.state.offsets().committed("g", "T", 0)).isEqualTo(2);
            assertThat(broker.timers()).isEmpty();
            assertThat(broker.told).anyMatch(line -> line.contains("popped=2"));
        }
        try (TakenOver again = TakenOver.open(directory)) {
            assertThat(again.leases("g", "T", 0)).isEqualTo("until 5 out 2 4 visible 150000");
        }
    }

    @Test
    void whatIsAcknowledgedAsAWholeIsDone() {
        inWheel("ck", pop(0, POPPED, 60_000, "\"n\":3,\"bm\":1"), 149_000).put();
        inWheel("bAck", "{\"aol\":[1,2],\"c\":\"g\",\"t\":\"T\",\"q\":0,\"so\":0,\"pt\":" + POPPED + "}", 150_000)
                .put();
        offset(3);
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.state.leases().all()).isEmpty();
            assertThat(broker.state.offsets().committed("g", "T", 0)).isEqualTo(3);
        }
    }

    @Test
    void recordsThatWereCarriedToTheirTopicCountUnlessTheyAreHandled() {
        carried("ck", pop(0, 1_000, 10_000, "\"n\":1")).put();
        carried("ck", pop(1, 2_000, 90_000, "\"n\":2")).put();
        carried("ack", ack(1, 2_000, 1)).put();
        apache.consumerOffsets("\"T@g\":{0:3},\"" + RECORDS + "@CID_RMQ_SYS_REVIVE_GROUP\":{0:0}");
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "T", 0)).isEqualTo("until 3 out 2 visible 92000");
        }
    }

    @Test
    void aRecordInBothTopicsIsOneAndIsHandledWhereItWasCarried() {
        String handled = pop(0, 1_000, 98_000, "\"n\":1");
        String open = pop(1, 2_000, 97_000, "\"n\":1");
        inWheel("ck", handled, 99_000).put();
        inWheel("ck", open, 99_000).put();
        carried("ck", handled).put();
        carried("ck", open).put();
        apache.consumerOffsets("\"T@g\":{0:2},\"" + RECORDS + "@CID_RMQ_SYS_REVIVE_GROUP\":{0:0}");
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "T", 0)).isEqualTo("until 2 out 1 visible 99000");
        }
    }

    @Test
    void whatIsInTheRetryTopicAlreadyIsNotOut() {
        carried("ck", pop(0, 1_000, 10_000, "\"n\":2")).put();
        apache.message("%RETRY%g_T", "m0")
                .born(0)
                .tries(1)
                .stored(END)
                .with("UNIQ_KEY", "m0")
                .put();
        offset(2);
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "T", 0)).isEqualTo("until 2 out 1 visible 11000");
        }
    }

    @Test
    void aMessagePoppedFromTheRetryTopicIsOutThere() {
        apache.message("%RETRY%g_T", "m0")
                .born(0)
                .tries(1)
                .with("UNIQ_KEY", "m0")
                .put();
        inWheel("ck", "{\"c\":\"g\",\"t\":\"%RETRY%g_T\",\"q\":0,\"so\":0,\"pt\":90000,\"it\":60000,\"n\":1}", 149_000)
                .put();
        apache.consumerOffsets("\"%RETRY%g_T@g\":{0:1}");
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "%RETRY%g_T", 0)).isEqualTo("until 1 out 0 visible 150000");
        }
    }

    @Test
    void aKilledBrokerHasHandedOutMoreThanItHasNoted() {
        inWheel("ck", pop(2, POPPED, 60_000, "\"n\":2"), 149_000).put();
        inWheel("ck", pop(5, POPPED, 60_000, "\"n\":2"), 149_000).put();
        inWheel("ack", ack(5, POPPED, 5), 150_000).put();
        offset(1);
        end();
        apache.killed();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "T", 0))
                    .isEqualTo("until 7 hole 1-2 hole 4-5 out 2 3 visible 150000 out 6 visible 150000");
            assertThat(broker.state.offsets().committed("g", "T", 0)).isEqualTo(1);
        }
    }

    @Test
    void aGroupThatWasSetBackGetsEverythingFromThereOn() {
        inWheel("ck", pop(0, POPPED, 60_000, "\"n\":2"), 149_000).put();
        inWheel("ck", pop(2, POPPED, 60_000, "\"n\":3"), 149_000).put();
        inWheel("ack", ack(2, POPPED, 3), 150_000).put();
        offset(1);
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "T", 0)).isEqualTo("until 1 out 0 visible 150000");
        }
    }

    @Test
    void aGroupWhoseOffsetIsLostGoesOnBehindItsPops() {
        inWheel("ck", pop(2, POPPED, 60_000, "\"n\":2"), 149_000).put();
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "T", 0)).isEqualTo("until 4 out 2 3 visible 150000");
        }
    }

    @Test
    void whatCannotBeUnderstoodIsNamedAndTheRestTakenOver() {
        long[] garbage = {
            inWheel("ck", "\u0000{{", 149_000).put(),
            inWheel("ck", "{}", 149_000).put(),
            inWheel("ck", pop(0, POPPED, 60_000, "\"n\":2,\"d\":[1,0]"), 149_000)
                    .put(),
            inWheel("ck", pop(0, POPPED, 60_000, "\"n\":64"), 149_000).put(),
            inWheel("ck", pop(0, POPPED, -60_000, "\"n\":1"), 149_000).put(),
            inWheel("ck", pop(0, POPPED, 60_000, "\"n\":3,\"d\":[0]"), 149_000).put(),
            inWheel("ck", pop(0, POPPED, 60_000, "\"n\":1,\"d\":[-9223372036854775807]"), 149_000)
                    .put(),
            inWheel("ck", pop(0, POPPED, 60_000, "\"n\":1").replace("\"T\"", "\"gone\""), 149_000)
                    .put()
        };
        inWheel("ck", pop(4, POPPED, 60_000, "\"n\":2,\"x\":[{\"y\":[]}]"), 149_000)
                .put();
        long badAck = inWheel("ack", "[", 150_000).put();
        inWheel("ack", ack(4, POPPED, 9), 150_000).put(); // none of the pop's
        inWheel("ack", ack(4, POPPED, 4), 150_000).put();
        offset(6);
        end();

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.leases("g", "T", 0)).isEqualTo("until 6 out 5 visible 150000");
            for (long position : garbage) {
                assertThat(broker.told).anyMatch(line -> line.contains("pop position=" + position + " reason="));
            }
            assertThat(broker.told).anyMatch(line -> line.contains("record of a pop position=" + badAck));
        }
    }
}
