package io.anser.bench.jmh;

import io.anser.store.MessageStore;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The append path alone: writer and committer at durability memory, 1 KB bodies, one appending thread, a burst of 2 GB that
 * the page cache holds. Run it with {@code -prof gc} for the allocation; divide by {@code messages}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
public class AppendBenchmark {
    /** Messages of one burst: 1,800,000 of about 1.2 KB are 2 GB. */
    @Param("1800000")
    public long messages;

    /** Queues that the messages go to in turn; 8,000 are eight topics, 100,000 a hundred. */
    @Param({"1", "8000", "100000"})
    public int queues;

    private Path folder = Path.of("");
    private MessageStore store;
    private Burst burst;

    /** What a burst cost the thread that writes and commits. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Cost {
        /** Records for each second of CPU of the thread {@code log-writer}. */
        public double recordsPerCoreSecond;
    }

    /** A new store for each burst, so that each finds the page cache the same. */
    @Setup(Level.Iteration)
    public void open() {
        folder = StoreFolder.make();
        store = StoreFolder.open(folder);
        burst = new Burst(store, queues);
    }

    /** Removes the store. */
    @TearDown(Level.Iteration)
    public void close() {
        store.close();
        StoreFolder.remove(folder);
    }

    /** One burst. */
    @Benchmark
    public void append(Cost cost) {
        long before = writerNanos();
        burst.run(messages);
        cost.recordsPerCoreSecond = messages * 1e9 / Math.max(1, writerNanos() - before);
    }

    private static long writerNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (info != null && info.getThreadName().equals("log-writer")) {
                sum += threads.getThreadCpuTime(info.getThreadId());
            }
        }
        return sum;
    }
}
