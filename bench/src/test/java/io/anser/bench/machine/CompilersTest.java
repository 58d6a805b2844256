package io.anser.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class CompilersTest {
    @Test
    void countsWhatTheCompilersOfThisProcessUsed() {
        double seconds = new Compilers(ProcessHandle.current().pid()).seconds();

        // A test run has compiled something; the JVM's own figure is elapsed time of all that were ever made.
        assertThat(seconds).isPositive();
        assertThat(seconds)
                .isLessThan(10 + ManagementFactory.getCompilationMXBean().getTotalCompilationTime() / 1e3);
    }
}
