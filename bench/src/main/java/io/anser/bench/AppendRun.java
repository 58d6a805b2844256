package io.anser.bench;

import io.anser.bench.machine.Memory;
import io.anser.bench.machine.Usage;
import io.anser.protocol.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One fork of the microbenchmark of the append path, as {@code ./anser bench micro Append} runs it.
 *
 * @param folder an empty folder
 * @param amounts how long a burst is
 */
record AppendRun(Path folder, Amounts amounts) {
    private static final long PATIENCE_SECONDS = 600;
    private static final int RESULT_BYTES_MAX = 1 << 20;
    private static final double MILLIS_PER_SECOND = 1e3;

    private static final Map<String, Detail> COUNTERS = Map.of(
            "recordsPerCoreSecond", Detail.RECORDS_PER_CORE_SECOND,
            "recordsPerCoreSecondOfAllThreads", Detail.RECORDS_PER_CORE_SECOND_OF_ALL_THREADS,
            "allocatedBytesPerRecord", Detail.ALLOCATED_BYTES_PER_RECORD);

    RunResult run(int number) throws IOException {
        Path results = folder.resolve("append.json");
        Usage before = Usage.readBeforeStart();
        jmh(results);
        Usage usage = Usage.readBeforeStart().since(before);
        return JsonReader.parse(
                        Files.readAllBytes(results),
                        RESULT_BYTES_MAX,
                        in -> in.list(each -> result(each, number, usage)))
                .get(0);
    }

    private void jmh(Path results) throws IOException {
        Path output = folder.resolve("append.out");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jmh.Main",
                        "AppendBenchmark",
                        "-i",
                        "3",
                        "-foe",
                        "true",
                        "-p",
                        "queues=1",
                        "-p",
                        "messages=" + amounts.burst(),
                        "-jvmArgsAppend",
                        "-Dbench.dir=" + folder,
                        "-rf",
                        "json",
                        "-rff",
                        results.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("JMH failed: " + Files.readString(output));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private RunResult result(JsonReader in, int number, Usage usage) {
        Map<Detail, Double> details = new EnumMap<>(Detail.class);
        double millis = 0;
        in.beginObject();
        while (in.nextMember()) {
            switch (in.name()) {
                case "primaryMetric" -> millis = score(in);
                case "secondaryMetrics" ->
                    in.map(AppendRun::score).forEach((name, score) -> {
                        Detail detail = COUNTERS.get(name);
                        if (detail != null) {
                            details.put(detail, score);
                        }
                    });
                default -> in.skip();
            }
        }
        return RunResult.withoutLoad(
                Targets.ANSER,
                Workload.APPEND,
                number,
                amounts.burst(),
                millis / MILLIS_PER_SECOND,
                usage,
                new Memory(0, 0),
                details);
    }

    /** JMH writes what is not a number as text, but no score of ours. */
    private static double score(JsonReader in) {
        double score = 0;
        in.beginObject();
        while (in.nextMember()) {
            if (in.name().equals("score")) {
                score = in.decimal();
            } else {
                in.skip();
            }
        }
        return score;
    }
}
