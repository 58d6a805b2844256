package io.anser.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.anser.bench.machine.Memory;
import io.anser.bench.machine.Usage;
import io.anser.bench.stats.Spread;
import io.anser.bench.stats.Target.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetsTest {
    private static final double SECONDS = 10;
    private static final Circumstances CIRCUMSTANCES = new Circumstances(
            "a machine", "./anser bench --vs apache", "2026-01-31", 5, 10_000, 10_000, Optional.of("5.5.0"));

    private final List<RunResult> runs = new ArrayList<>();

    @Test
    void ratioPairsRunsOfTheSameNumber() {
        send("anser", 1, 8, 0);
        send("anser", 2, 6, 0);
        send("apache", 1, 40, 0);
        send("apache", 2, 20, 0);
        send("apache", 3, 1, 0);

        Spread ratio = only().figure().all();

        assertThat(ratio.min()).isEqualTo(0.2);
        assertThat(ratio.max()).isEqualTo(0.3);
        assertThat(ratio.runs()).isEqualTo(2);
    }

    @Test
    void fiveQuietPairsAreAVerdict() {
        for (int number = 1; number <= 5; number++) {
            send("anser", number, 8, 0);
            send("apache", number, 40, 0);
        }

        assertThat(only().verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void pairWithANoisyRunDoesNotCount() {
        for (int number = 1; number <= 5; number++) {
            send("anser", number, 8, 0);
            send("apache", number, 40, number == 3 ? 5 : 0);
        }

        assertThat(only().figure().all().runs()).isEqualTo(5);
        assertThat(only().figure().quiet().orElseThrow().runs()).isEqualTo(4);
        assertThat(only().verdict()).isEqualTo(Verdict.NONE);
    }

    @Test
    void runWithManyRefusalsDoesNotCount() {
        RunResult few = withFailures(1_000);
        RunResult many = withFailures(1_001);

        assertThat(few.isVerdict()).isTrue();
        assertThat(many.isVerdict()).isFalse();
        assertThat(Report.progress(few)).endsWith("; refused 1000 busy");
        assertThat(Report.progress(many)).endsWith("; refused 1001 busy; not a verdict");
    }

    private static RunResult withFailures(long failures) {
        RunResult any = run("apache", Workload.SEND_1K, 1, 1_000_000, 8, 0, 0);
        return new RunResult(
                any.peer(),
                any.workload(),
                any.number(),
                any.messages(),
                any.seconds(),
                any.usage(),
                any.p50Nanos(),
                any.p99Nanos(),
                any.flushSeconds(),
                any.memory(),
                failures,
                "busy",
                Map.of());
    }

    @Test
    void withoutApacheThereIsNoRatio() {
        send("anser", 1, 8, 0);

        assertThat(Targets.judge(new Results(runs))).isEmpty();
    }

    @Test
    void durableSendsAreMeasuredByTheFlush() {
        for (int number = 1; number <= 5; number++) {
            runs.add(run("anser", Workload.DURABLE_64X1, number, 580_000, 10, 0, 0.001));
        }

        assertThat(only().figure().all().median()).isEqualTo(0.90625);
        assertThat(only().verdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void filtersAreMeasuredByHowFastMessagesAreGoneThroughAndPopsByTheirCost() {
        for (int number = 1; number <= 5; number++) {
            runs.add(run("anser", Workload.FILTER_SQL, number, 4_000_000, 8, 0, 0));
            runs.add(run("apache", Workload.FILTER_SQL, number, 1_000_000, 8, 0, 0));
            runs.add(run("anser", Workload.POP_ACK, number, 1_000_000, 8, 0, 0));
            runs.add(run("apache", Workload.POP_ACK, number, 1_000_000, 20, 0, 0));
        }

        assertThat(Targets.judge(new Results(runs)))
                .extracting(outcome -> outcome.target().text(), Targets.Outcome::verdict)
                .containsExactly(
                        tuple("pop-ack: CPU-seconds per million beside Apache's <= 0.33", Verdict.FAIL),
                        tuple("filter-sql: messages/s beside Apache's >= 3.00", Verdict.PASS));
    }

    @Test
    void pageTellsDurabilityVerdictAndRatio() {
        for (int number = 1; number <= 5; number++) {
            send("anser", number, 8, 0);
            send("apache", number, 40, 0);
        }

        String page = Report.markdown(CIRCUMSTANCES, new Results(runs));

        assertThat(page)
                .contains(
                        "Made by `./anser bench --vs apache` on 2026-01-31.",
                        "| send-1k: CPU-seconds per million beside Apache's <= 0.25 | 5 of 5 |",
                        "| pass |",
                        "Durability: memory",
                        "| CPU-seconds per million | 8.00 (8.00..8.00) | 40.0 (40.0..40.0) | 0.20 (0.20..0.20) |");
    }

    @Test
    void detailsAreJudgedAndShown() {
        for (int number = 1; number <= 5; number++) {
            runs.add(coldRead(number));
        }
        Results results = new Results(runs);

        assertThat(Targets.judge(results))
                .extracting(outcome -> outcome.figure().all().median())
                .containsExactly(1.5, 3.0);
        assertThat(Report.markdown(CIRCUMSTANCES, results))
                .contains("| ack p99 beside the cold group, ms | 3.00 (3.00..3.00) | - | - |");
    }

    private static RunResult coldRead(int number) {
        RunResult any = run("anser", Workload.COLD_READ, number, 12_000, 1, 0, 0);
        return RunResult.withoutLoad(
                "anser",
                Workload.COLD_READ,
                number,
                any.messages(),
                any.seconds(),
                any.usage(),
                any.memory(),
                Map.of(
                        Detail.ACK_P99_ALONE_MILLIS, 2.0,
                        Detail.ACK_P99_MILLIS, 3.0,
                        Detail.DELIVERY_P99_ALONE_MILLIS, 1.0,
                        Detail.DELIVERY_P99_MILLIS, 3.0));
    }

    @Test
    void savedRunsMakeTheSamePage() {
        send("anser", 1, 8, 5);
        send("apache", 1, 40, 0);
        runs.add(coldRead(1));
        List<String> lines = new ArrayList<>(List.of(SavedRuns.line(CIRCUMSTANCES)));
        runs.forEach(run -> lines.add(SavedRuns.line(run)));

        SavedRuns saved = SavedRuns.read(lines);

        assertThat(Report.markdown(saved.circumstances(), new Results(saved.runs())))
                .isEqualTo(Report.markdown(CIRCUMSTANCES, new Results(runs)));
    }

    @Test
    void lineOfJsonHasTheRun() {
        send("anser", 2, 8, 5);

        assertThat(SavedRuns.line(runs.get(0)))
                .contains("\"workload\":\"send-1k\"", "\"run\":2", "\"durability\":\"memory\"", "\"verdict\":false");
    }

    @Test
    void savedLineWithoutAMemberIsNamed() {
        assertThatThrownBy(() -> SavedRuns.read(List.of("{\"server\":\"anser\"}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no member workload");
    }

    @Test
    void apacheRunsOnceWhereNoTargetComparesBoth() {
        assertThat(Workload.SEND_1K.isBesideApache(5)).isTrue();
        assertThat(Workload.DURABLE_64X1.isBesideApache(1)).isTrue();
        assertThat(Workload.DURABLE_64X1.isBesideApache(2)).isFalse();
        assertThat(Workload.RESTART_KILL.isBesideApache(1)).isFalse();
    }

    private Targets.Outcome only() {
        List<Targets.Outcome> outcomes = Targets.judge(new Results(runs));
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    private void send(String peer, int number, double cpuPerMillion, double others) {
        runs.add(run(peer, Workload.SEND_1K, number, 1_000_000, cpuPerMillion, others, 0));
    }

    /** A run on a machine of two cores. */
    private static RunResult run(
            String peer,
            Workload workload,
            int number,
            long messages,
            double cpuSeconds,
            double others,
            double flushSeconds) {
        Usage usage = new Usage(cpuSeconds + 2 + others, 2 * SECONDS, 0, cpuSeconds, cpuSeconds + 2, Map.of());
        return new RunResult(
                peer,
                workload,
                number,
                messages,
                SECONDS,
                usage,
                1_000_000,
                5_000_000,
                flushSeconds,
                new Memory(1 << 20, 20),
                0,
                "",
                Map.of());
    }
}
