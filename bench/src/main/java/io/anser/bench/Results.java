package io.anser.bench;

import io.anser.bench.stats.Spread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** All runs, and figures over them. Pure. */
record Results(List<RunResult> runs) {
    /** A figure over all runs and over those that count; the latter may be none. */
    record Figure(Spread all, Optional<Spread> quiet) {}

    Results {
        runs = List.copyOf(runs);
    }

    /** The runs of one server at one workload. */
    List<RunResult> of(String peer, Workload workload) {
        return runs.stream()
                .filter(run -> run.peer().equals(peer) && run.workload() == workload)
                .toList();
    }

    /** A figure of one server at one workload; empty when it did not run. */
    Optional<Figure> figure(String peer, Workload workload, ToDoubleFunction<RunResult> value) {
        return figure(of(peer, workload), value, RunResult::isVerdict);
    }

    /** The ratio of two servers, each run beside the run of the other with the same number. */
    Optional<Figure> ratio(String peer, String other, Workload workload, ToDoubleFunction<RunResult> value) {
        return ratio(of(peer, workload), of(other, workload), value);
    }

    /** The ratio of two workloads on one server. */
    Optional<Figure> ratio(String peer, Workload workload, Workload base, ToDoubleFunction<RunResult> value) {
        return ratio(of(peer, workload), of(peer, base), value);
    }

    private static Optional<Figure> ratio(
            List<RunResult> over, List<RunResult> under, ToDoubleFunction<RunResult> value) {
        record Pair(RunResult over, RunResult under) {}
        List<Pair> pairs = new ArrayList<>();
        for (RunResult each : over) {
            under.stream()
                    .filter(candidate -> candidate.number() == each.number())
                    .findFirst()
                    .ifPresent(beside -> pairs.add(new Pair(each, beside)));
        }
        return figure(
                pairs,
                pair -> value.applyAsDouble(pair.over()) / value.applyAsDouble(pair.under()),
                pair -> pair.over().isVerdict() && pair.under().isVerdict());
    }

    private static <T> Optional<Figure> figure(Collection<T> runs, ToDoubleFunction<T> value, Predicate<T> counts) {
        return spread(runs, value)
                .map(all -> new Figure(all, spread(runs.stream().filter(counts).toList(), value)));
    }

    private static <T> Optional<Spread> spread(Collection<T> runs, ToDoubleFunction<T> value) {
        return runs.isEmpty()
                ? Optional.empty()
                : Optional.of(Spread.of(runs.stream().mapToDouble(value).boxed().toList()));
    }
}
