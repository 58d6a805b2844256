package io.anser.bench.jmh;

import io.anser.store.MessageStore;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The append path alone: encoding, the write into the log, the queue index and the commit at durability memory, 1 KB bodies,
 * a burst of 2 GB that the page cache holds. No transport: one thread hands in units that it uses again. The time is the wall
 * clock's; what counts is in {@link Cost}.
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

    /** What a burst cost the threads of the store. JMH shows sums over all bursts, so each adds its part of the mean. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Cost {
        /** Records for each second of CPU of the thread {@code log-writer}, which runs the whole append path. */
        public double recordsPerCoreSecond;

        /** The same with the threads that prepare space ahead of it and write back behind it. */
        public double recordsPerCoreSecondOfAllThreads;

        /** Bytes of heap that all threads of the store allocated, for each record. */
        public double allocatedBytesPerRecord;
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
    public void append(Cost cost, BenchmarkParams parameters) {
        StoreThreads before = StoreThreads.now();
        burst.run(messages);
        StoreThreads used = StoreThreads.now().since(before);
        int bursts = parameters.getMeasurement().getCount() * Math.max(1, parameters.getForks());
        cost.recordsPerCoreSecond = messages / used.writerSeconds() / bursts;
        cost.recordsPerCoreSecondOfAllThreads = messages / used.allSeconds() / bursts;
        cost.allocatedBytesPerRecord = (double) used.allocatedBytes() / messages / bursts;
    }
}
