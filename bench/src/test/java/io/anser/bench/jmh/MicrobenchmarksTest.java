package io.anser.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class MicrobenchmarksTest {
    @TempDir
    private Path folder;

    @Test
    void everyBenchmarkRuns() throws RunnerException {
        System.setProperty("bench.dir", folder.toString());

        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("io.anser.bench.jmh")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .param("messages", "5000")
                        .param("queues", "1", "2000")
                        .param("mebibytes", "4")
                        .param("end", "stop", "kill")
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results).hasSize(7);
        assertThat(folder).isEmptyDirectory();
    }
}
