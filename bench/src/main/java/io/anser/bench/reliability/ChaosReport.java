package io.anser.bench.reliability;

import io.anser.protocol.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the chaos kit writes: a line of JSON for each run of a scenario. */
final class ChaosReport {
    private static final int LINE_BYTES_MAX = 1 << 20;

    private ChaosReport() {}

    /**
     * Reads a file of it.
     *
     * @param commit what was tested
     * @param date when
     * @return by {@code chaos:scenario}
     */
    static Map<String, Outcome> read(Path file, String commit, String date) throws IOException {
        Map<String, Outcome> outcomes = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("{")) { // the kit ends with a line of text
                Run run = JsonReader.parse(line.getBytes(StandardCharsets.UTF_8), LINE_BYTES_MAX, ChaosReport::run);
                Outcome outcome = new Outcome("chaos:" + run.scenario(), result(run.result()), 1, "", commit, date);
                outcomes.merge(outcome.evidence(), outcome, Outcome::and);
            }
        }
        return outcomes;
    }

    private record Run(String scenario, String result) {}

    private static Run run(JsonReader in) {
        String scenario = "";
        String result = "";
        if (in.beginObject()) {
            while (in.nextMember()) {
                switch (in.name()) {
                    case "scenario" -> scenario = in.string();
                    case "result" -> result = in.string();
                    default -> in.skip();
                }
            }
        }
        return new Run(scenario, result);
    }

    private static Outcome.Result result(String word) {
        return switch (word) {
            case "pass" -> Outcome.Result.PASSED;
            case "skip", "skipped" -> Outcome.Result.SKIPPED;
            default -> Outcome.Result.FAILED;
        };
    }
}
