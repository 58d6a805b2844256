package io.anser.bench.reliability;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The page {@code docs/reliability.md}. */
final class ReliabilityPage {
    private static final String HEAD = """
            # Failures, and what shows that they are stood

            Generated from docs/reliability/failures.csv (which test covers what) and docs/reliability/results.csv (how each
            last ended). To renew it: `./anser test`, then `./anser reliability`. Do not edit.

            A test is named `Class#method`, or `Class` for all of a class; `chaos:NAME` is a scenario of the chaos kit through
            unmodified Apache clients (bench/chaos/sut.sh). *Not shown* means that no test covers it, that one was skipped, or
            that no result is recorded.

            | Failure | Shown by | Last result | Runs | Seeds | Commit | Date |
            |---|---|---|---|---|---|---|
            """;

    private ReliabilityPage() {}

    /** The whole page. */
    static String markdown(List<Failure> failures, Map<String, Outcome> outcomes) {
        StringBuilder page = new StringBuilder(HEAD);
        long shown = 0;
        for (Failure failure : failures) {
            shown += isShown(failure, outcomes) ? 1 : 0;
            if (failure.evidence().isEmpty()) {
                row(page, failure.text(), "-", "not shown", "", "", "", "");
            }
            String text = failure.text();
            for (String evidence : failure.evidence()) {
                row(page, text, evidence, Optional.ofNullable(outcomes.get(evidence)));
                text = "";
            }
        }
        return page.append(String.format(
                        Locale.ROOT, "%n%d of %d kinds of failure are shown in full.%n", shown, failures.size()))
                .toString();
    }

    private static boolean isShown(Failure failure, Map<String, Outcome> outcomes) {
        return !failure.evidence().isEmpty()
                && failure.evidence().stream()
                        .map(evidence -> Optional.ofNullable(outcomes.get(evidence)))
                        .allMatch(outcome -> outcome.filter(one -> one.result() == Outcome.Result.PASSED)
                                .isPresent());
    }

    private static void row(StringBuilder page, String text, String evidence, Optional<Outcome> outcome) {
        if (outcome.isEmpty()) {
            row(page, text, "`" + evidence + "`", "not shown", "", "", "", "");
            return;
        }
        Outcome known = outcome.get();
        String result = switch (known.result()) {
            case PASSED -> "passed";
            case FAILED -> "**failed**";
            case SKIPPED -> "not shown (skipped)";
        };
        row(
                page,
                text,
                "`" + evidence + "`",
                result,
                Integer.toString(known.repeats()),
                known.seeds(),
                known.commit(),
                known.date());
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
