package io.anser.broker.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.metadata.OpenTransaction;
import io.anser.broker.testing.ApacheStoreDirectory;
import io.anser.broker.testing.ApacheStoreDirectory.Message;
import io.anser.protocol.message.SysFlag;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that an Apache broker had open. */
class ApacheHalvesTest {
    private static final String HALF = "RMQ_SYS_TRANS_HALF_TOPIC";
    private static final String END = "RMQ_SYS_TRANS_OP_HALF_TOPIC";

    @TempDir
    Path directory;

    private ApacheStoreDirectory apache;

    @BeforeEach
    void make() {
        apache = new ApacheStoreDirectory(directory);
        apache.topics("T");
        apache.message("T", "first").born(9).put();
    }

    private Message half(String id) {
        return apache.message(HALF, id)
                .with("UNIQ_KEY", id)
                .with("TRAN_MSG", "true")
                .with("PGROUP", "p")
                .waitsFor("T");
    }

    private void end(String offsets) {
        apache.message(END, offsets).born(77).with("TAGS", "d").put();
    }

    private Message committed(String id, long half) {
        return apache.message("T", id)
                .with("UNIQ_KEY", id)
                .with("PGROUP", "p")
                .sysFlag(SysFlag.TRANSACTION_COMMIT)
                .prepared(half);
    }

    private List<Long> open() {
        try (TakenOver broker = TakenOver.open(directory)) {
            return List.copyOf(broker.state.transactions().open().keySet());
        }
    }

    @Test
    void anOpenOneIsKnownByTheHalfMessagesPlace() {
        half("looked at").put();
        long id = half("a")
                .stored(5_000)
                .with("CHECK_IMMUNITY_TIME_IN_SECONDS", "40")
                .put();
        apache.consumerOffsets("\"" + HALF + "@CID_RMQ_SYS_TRANS\":{0:1}");

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.state.transactions().open().values())
                    .containsExactly(new OpenTransaction(id, 1, id, id, 5_000, 40, 0, 0));
            assertThat(broker.state.offsets().groups(HALF)).isEmpty();
        }
    }

    @Test
    void recordsOfEndsNameSeveral() {
        half("0").put();
        half("1").put();
        long open = half("2").put();
        half("3").put();
        end("0,3,");
        end("1");

        assertThat(open()).containsExactly(open);
    }

    /** Apache writes the records of ends some seconds after the messages. */
    @Test
    void aCommittedMessageIsTheEndAlsoWithoutARecord() {
        long committed = half("a").put();
        long delayed = half("b").put();
        long open = half("c").put();
        long nameless =
                apache.message(HALF, "d").with("PGROUP", "p").waitsFor("T").put();
        committed("a", committed).put();
        apache.message("SCHEDULE_TOPIC_XXXX", "b")
                .with("UNIQ_KEY", "b")
                .sysFlag(SysFlag.TRANSACTION_COMMIT)
                .prepared(delayed)
                .waitsFor("T")
                .put();
        apache.message("T", "d")
                .sysFlag(SysFlag.TRANSACTION_COMMIT)
                .prepared(nameless)
                .put();

        assertThat(open()).containsExactly(open);
    }

    @Test
    void aMessageThatNamesAPlaceOfAnotherLogEndsNothing() {
        long open = half("a").put();
        committed("of another store", open).put();
        apache.message("T", "a").with("UNIQ_KEY", "a").put(); // no part of a transaction

        assertThat(open()).containsExactly(open);
    }

    @Test
    void oneThatWasWrittenAgainWhenItsProducerWasAskedIsTheSame() {
        long first = half("a").stored(1_000).put();
        half("b").put();
        half("a").stored(8_000).with("TRANSACTION_CHECK_TIMES", "1").put();
        long last =
                half("a").stored(40_000).with("TRANSACTION_CHECK_TIMES", "2").put();
        half("b").with("TRANSACTION_CHECK_TIMES", "1").put();
        end("1"); // the producer of b decides by the place that it knows
        apache.consumerOffsets("\"" + HALF + "@CID_RMQ_SYS_TRANS\":{0:2}");

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.state.transactions().open().values())
                    .containsExactly(new OpenTransaction(first, 0, last, last, 1_000, -1, 2, 40_000));
        }
    }

    @Test
    void withoutAUniqueIdEachIsOneOfItsOwn() {
        long first =
                apache.message(HALF, "same").with("PGROUP", "p").waitsFor("T").put();
        long second =
                apache.message(HALF, "same").with("PGROUP", "p").waitsFor("T").put();

        assertThat(open()).containsExactly(first, second);
    }

    @Test
    void whatWasGivenUpIsNotAskedForAgain() {
        half("a").put();
        apache.message("TRANS_CHECK_MAX_TIME_TOPIC", "a")
                .with("UNIQ_KEY", "a")
                .with("PGROUP", "p")
                .waitsFor("T")
                .put();

        assertThat(open()).isEmpty();
    }

    @Test
    void whatCannotBeUnderstoodIsNamedAndTheRestTakenOver() {
        long noGroup = apache.message(HALF, "x").waitsFor("T").put();
        long nowhere = apache.message(HALF, "x").with("PGROUP", "p").put();
        long open = half("good").put();
        half("ended").put();
        long garbage =
                apache.message(END, "\u0000\u0001;").born(77).with("TAGS", "d").put();
        end("0,99999999999999999999");
        apache.message(END, "2").born(77).with("TAGS", "x").put();
        end("3,");

        try (TakenOver broker = TakenOver.open(directory)) {
            assertThat(broker.state.transactions().open().keySet()).containsExactly(open);
            assertThat(broker.told)
                    .anyMatch(line -> line.contains("half message position=" + noGroup + " reason=property PGROUP"))
                    .anyMatch(line -> line.contains("half message position=" + nowhere + " reason=property REAL_TOPIC"))
                    .anyMatch(line -> line.contains("end of a transaction position=" + garbage))
                    .anyMatch(line -> line.contains("openTransactions=1 popped=0 notUnderstood=5"));
        }
    }
}
