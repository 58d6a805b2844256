package io.anser.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.broker.replication.CopySettings.WithoutReplicas;
import io.anser.broker.replication.FollowAnswer.Verdict;
import io.anser.store.log.LogPoint;
import io.anser.system.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a primary says to replicas, and what it believes of what they say. */
class ReplicasTest {
    private static final int RECORD = FakeLog.RECORD_BYTES;

    private final VirtualTime time = new VirtualTime();
    private final FakeLog log = new FakeLog();
    private final InSync inSync = new InSync(1, 1_000, WithoutReplicas.REFUSE);
    private final List<FetchAnswer> answers = new ArrayList<>();
    private final List<FollowAnswer> refusals = new ArrayList<>();
    private Replicas replicas;

    @BeforeEach
    void make() {
        for (int i = 0; i < 10; i++) {
            log.add(1, i);
        }
        log.force();
        replicas = new Replicas("broker-a", log, inSync, time, Runnable::run, () -> {});
    }

    private static LogPoint at(FakeLog copied, int records) {
        FakeLog start = new FakeLog();
        start.records().addAll(copied.records().subList(0, records));
        return start.end();
    }

    private Verdict judge(String group, int segmentBytes, LogPoint end) {
        return replicas.judge(new FollowRequest(group, 1, segmentBytes, end)).verdict();
    }

    private ReplicaSession join(int records) {
        return replicas.join(
                        new FollowRequest("broker-a", 1, FakeLog.SEGMENT_BYTES, at(log, records)),
                        "somewhere",
                        Runnable::run,
                        refusals::add)
                .orElseThrow();
    }

    @Test
    void aReplicaFitsIfItsLogIsTheBeginningOfThePrimarys() {
        assertThat(judge("broker-a", FakeLog.SEGMENT_BYTES, LogPoint.START)).isEqualTo(Verdict.FITS);
        assertThat(judge("broker-a", FakeLog.SEGMENT_BYTES, at(log, 7))).isEqualTo(Verdict.FITS);
        assertThat(judge("broker-a", FakeLog.SEGMENT_BYTES, at(log, 10))).isEqualTo(Verdict.FITS);
    }

    @Test
    void aReplicaThatDoesNotFitIsToldWhy() {
        FakeLog longer = new FakeLog();
        longer.records().addAll(log.records());
        longer.add(1, 10);
        FakeLog other = new FakeLog();
        other.records().addAll(log.records().subList(0, 6));
        other.add(2, 99);

        assertThat(judge("broker-b", FakeLog.SEGMENT_BYTES, LogPoint.START)).isEqualTo(Verdict.NOT_MINE);
        assertThat(judge("broker-a", 4096, LogPoint.START)).isEqualTo(Verdict.OTHER_SEGMENTS);
        assertThat(judge("broker-a", FakeLog.SEGMENT_BYTES, longer.end())).isEqualTo(Verdict.AHEAD);
        assertThat(judge("broker-a", FakeLog.SEGMENT_BYTES, other.end())).isEqualTo(Verdict.DIFFERENT);
        log.forgetBefore(5 * RECORD);
        assertThat(judge("broker-a", FakeLog.SEGMENT_BYTES, at(log, 4))).isEqualTo(Verdict.GONE);
        assertThat(judge("broker-a", FakeLog.SEGMENT_BYTES, at(log, 5))).isEqualTo(Verdict.FITS);
    }

    @Test
    void whatIsNotOnThePrimarysDeviceIsNotSent() {
        ReplicaSession session = join(10);
        log.add(1, 10);
        assertThat(replicas.fetch(session, 10 * RECORD, 10 * RECORD, 0, answers::add))
                .isTrue();
        replicas.progressed();
        assertThat(answers).isEmpty();

        log.force();
        replicas.progressed();
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).records().remaining()).isEqualTo(RECORD);
    }

    @Test
    void aPositionBeyondWhatWasSentIsNotBelieved() {
        ReplicaSession session = join(4);

        assertThat(replicas.acknowledged(session, 5 * RECORD)).isFalse();
        assertThat(inSync.copied()).isZero();
        assertThat(replicas.status()).isEmpty();
        assertThat(replicas.fetch(session, 4 * RECORD, 4 * RECORD, 0, answers::add))
                .as("after that it has to begin anew")
                .isFalse();
    }

    @Test
    void aPositionBeyondThePrimarysEndIsNotBelievedInARequestForMore() {
        ReplicaSession session = join(10);

        assertThat(replicas.fetch(session, 10 * RECORD, Long.MAX_VALUE, 0, answers::add))
                .isFalse();
        assertThat(inSync.limit()).isZero();
    }

    @Test
    void aReplicaCannotLeaveRecordsOut() {
        ReplicaSession session = join(4);

        assertThat(replicas.fetch(session, 5 * RECORD, 4 * RECORD, 0, answers::add))
                .isFalse();
        assertThat(answers).isEmpty();
    }

    @Test
    void aReplicaHasOneRequestAtATime() {
        ReplicaSession session = join(10);
        assertThat(replicas.fetch(session, 10 * RECORD, 0, 0, answers::add)).isTrue();

        assertThat(replicas.fetch(session, 10 * RECORD, 0, 0, answers::add)).isFalse();
    }

    @Test
    void aReplicaThatComesAgainTakesThePlaceOfItsOlderConnection() {
        ReplicaSession first = join(4);
        ReplicaSession second = join(6);

        assertThat(replicas.acknowledged(first, 4 * RECORD)).isFalse();
        assertThat(replicas.acknowledged(second, 6 * RECORD)).isTrue();
        replicas.left(first);
        assertThat(replicas.status()).hasSize(1);
        assertThat(inSync.limit()).isEqualTo(6 * RECORD);
    }

    @Test
    void aReplicaThatDoesNotFitKeepsTheOneWithItsNumberFromNothing() {
        ReplicaSession session = join(4);
        FakeLog other = new FakeLog();
        other.add(9, 9);

        assertThat(replicas.join(
                        new FollowRequest("broker-a", 1, FakeLog.SEGMENT_BYTES, other.end()),
                        "elsewhere",
                        Runnable::run,
                        refusals::add))
                .isEmpty();
        assertThat(refusals).extracting(FollowAnswer::verdict).containsExactly(Verdict.DIFFERENT);
        assertThat(replicas.acknowledged(session, 4 * RECORD)).isTrue();
    }

    @Test
    void aReplicaThatIsSilentIsNoneAnyMore() {
        ReplicaSession session = join(10);
        replicas.acknowledged(session, 10 * RECORD);

        time.advance(Duration.ofMillis(Replicas.SILENT_MILLIS - 1));
        replicas.tick();
        assertThat(replicas.status()).hasSize(1);
        time.advance(Duration.ofMillis(1));
        replicas.tick();
        assertThat(replicas.status()).isEmpty();
    }

    @Test
    void aRequestIsAnsweredWithNothingWhenThereIsNothingForAWhile() {
        ReplicaSession session = join(10);
        replicas.fetch(session, 10 * RECORD, 0, 0, answers::add);
        replicas.tick();
        assertThat(answers).isEmpty();

        time.advance(Duration.ofMillis(Replicas.PARKED_MILLIS));
        replicas.tick();
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).records().hasRemaining()).isFalse();
    }

    @Test
    void aReplicaIsToldOfWhatIsCommittedWithoutNewRecords() {
        ReplicaSession session = join(10);
        replicas.fetch(session, 10 * RECORD, 10 * RECORD, 0, answers::add);
        assertThat(inSync.limit()).isEqualTo(10 * RECORD);
        log.commitAsFarAs(inSync.limit());
        replicas.progressed();

        assertThat(answers).extracting(FetchAnswer::committed).containsExactly(10L * RECORD);
    }

    /** The log's own threads tell replicas of what is written: they must not fail with a connection. */
    @Test
    void aReplicaWhoseConnectionEndsKeepsOthersFromNothing() {
        replicas.join(
                new FollowRequest("broker-a", 2, FakeLog.SEGMENT_BYTES, at(log, 0)),
                "elsewhere",
                task -> {
                    throw new RejectedExecutionException("the event loop has ended");
                },
                refusals::add);
        ReplicaSession lively = join(10);
        replicas.fetch(lively, log.durable(), log.durable(), log.committed(), answers::add);
        log.add(1, 10);
        log.force();

        replicas.progressed();
        replicas.tick();

        assertThat(answers).hasSize(1);
    }

    @Test
    void aReplicaThatHangsKeepsOthersFromNothing() {
        ReplicaSession hanging = join(0);
        ReplicaSession lively = replicas.join(
                        new FollowRequest("broker-a", 2, FakeLog.SEGMENT_BYTES, at(log, 10)),
                        "elsewhere",
                        Runnable::run,
                        refusals::add)
                .orElseThrow();
        replicas.fetch(hanging, 0, 0, 0, answer -> {});
        for (int i = 0; i < 100; i++) {
            int before = answers.size();
            replicas.fetch(lively, log.durable(), log.durable(), log.committed(), answers::add);
            log.add(1, 100 + i);
            log.force();
            replicas.progressed();
            assertThat(answers).hasSize(before + 1);
        }
        assertThat(inSync.limit()).isEqualTo(109 * RECORD);
    }
}
