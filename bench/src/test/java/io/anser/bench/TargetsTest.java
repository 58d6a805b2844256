package io.anser.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.anser.bench.machine.Memory;
import io.anser.bench.machine.Usage;
import io.anser.bench.stats.Spread;
import io.anser.bench.stats.Target.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetsTest {
    private static final double SECONDS = 10;
    private static final Report.Circumstances CIRCUMSTANCES = new Report.Circumstances(
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
    void lineOfJsonHasTheRun() {
        send("anser", 2, 8, 5);

        assertThat(Report.json(runs.get(0)))
                .contains("\"workload\":\"send-1k\"", "\"run\":2", "\"durability\":\"memory\"", "\"verdict\":false");
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
        Usage usage = new Usage(cpuSeconds + 2 + others, 2 * SECONDS, cpuSeconds, cpuSeconds + 2);
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
                "");
    }
}
