package io.anser.bench.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReliabilityTest {
    private static final Path HOME = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path folder;

    @Test
    void thePageSaysWhatTheResultsSay() throws IOException {
        String page = ReliabilityPage.markdown(ReliabilityCommand.failures(HOME), ReliabilityCommand.results(HOME));

        assertThat(Files.readString(ReliabilityCommand.pageFile(HOME)))
                .as("run ./anser reliability")
                .isEqualTo(page);
    }

    @Test
    void evidenceNamesTestsThatExist() throws IOException {
        List<Path> sources;
        try (Stream<Path> all = Files.walk(HOME)) {
            sources = all.filter(file -> file.toString().contains("/src/test/")
                            && file.toString().endsWith("Test.java"))
                    .toList();
        }
        for (Failure failure : ReliabilityCommand.failures(HOME)) {
            for (String evidence : failure.evidence()) {
                assertThat(evidence.startsWith("chaos:") || exists(evidence, sources))
                        .as("%s: %s", failure.text(), evidence)
                        .isTrue();
            }
        }
    }

    private static boolean exists(String evidence, List<Path> sources) throws IOException {
        String[] names = evidence.split("#");
        for (Path source : sources) {
            if (source.endsWith(names[0] + ".java")) {
                return names.length == 1 || Files.readString(source).contains("void " + names[1] + "(");
            }
        }
        return false;
    }

    @Test
    void aReportGivesEachTestAndItsClassWithTheWorstResult() throws IOException {
        Path reports = Files.createDirectories(folder.resolve("store/target/surefire-reports"));
        Files.writeString(reports.resolve("TEST-a.XTest.xml"), """
                <testsuite name="a.XTest" tests="4">
                  <testcase name="one" classname="a.XTest"><system-out>runs: seeds=11,045 cuts=2</system-out></testcase>
                  <testcase name="two(int)[1]" classname="a.XTest"/>
                  <testcase name="two(int)[2]" classname="a.XTest"><failure message="no"/></testcase>
                  <testcase name="three" classname="a.XTest"><skipped/></testcase>
                </testsuite>
                """);

        Map<String, Outcome> read = TestReports.read(folder, "abc", "2026-11-30");

        assertThat(read)
                .containsOnly(
                        entry("XTest#one", Outcome.Result.PASSED, 1, "11,045"),
                        entry("XTest#two", Outcome.Result.FAILED, 2, ""),
                        entry("XTest#three", Outcome.Result.SKIPPED, 1, ""),
                        entry("XTest", Outcome.Result.FAILED, 4, "11,045"));
    }

    @Test
    void aChaosReportCountsTheRunsOfAScenario() throws IOException {
        Path file = folder.resolve("chaos.jsonl");
        Files.writeString(file, """
                {"scenario":"g01","result":"pass","acked":5}
                {"scenario":"g01","result":"pass"}
                {"scenario":"p01","result":"fail","fails":["x"]}
                2 passed, 1 failed
                """);

        assertThat(ChaosReport.read(file, "abc", "2026-11-30"))
                .containsOnly(
                        entry("chaos:g01", Outcome.Result.PASSED, 2, ""),
                        entry("chaos:p01", Outcome.Result.FAILED, 1, ""));
    }

    @Test
    void whatIsNotCoveredOrNotRecordedIsNotShown() {
        List<Failure> failures =
                List.of(Failure.parse("one; ATest ;BTest#b"), Failure.parse("two"), Failure.parse("three;ATest"));
        Map<String, Outcome> outcomes = Map.ofEntries(entry("ATest", Outcome.Result.PASSED, 3, "7"));

        String page = ReliabilityPage.markdown(failures, outcomes);

        assertThat(page)
                .contains("| one | `ATest` | passed | 3 | 7 | abc | 2026-11-30 |")
                .contains("|  | `BTest#b` | not shown |")
                .contains("| two | - | not shown |")
                .endsWith("1 of 3 kinds of failure are shown in full.\n");
    }

    @Test
    void aResultComesBackFromItsLine() {
        Outcome outcome = entry("ATest#a", Outcome.Result.SKIPPED, 2, "5").getValue();

        assertThat(Outcome.parse(outcome.line())).isEqualTo(outcome);
        assertThatThrownBy(() -> Outcome.parse("ATest;PASSED"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ATest;PASSED");
    }

    private static Map.Entry<String, Outcome> entry(String id, Outcome.Result result, int repeats, String seeds) {
        return Map.entry(id, new Outcome(id, result, repeats, seeds, "abc", "2026-11-30"));
    }
}
