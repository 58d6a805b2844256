package io.anser.bench.jmh;

import io.anser.store.MessageStore;
import io.anser.store.queue.QueueCursor;
import io.anser.store.queue.QueueLog;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Reading the queue index: at its end, from front to back, and at places that no cursor has read before. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class IndexReadBenchmark {
    private static final long SEED = 42;

    /** Messages of the queue. */
    @Param("1000000")
    public long messages;

    private final SplittableRandom chance = new SplittableRandom(SEED);
    private final QueueCursor sequential = new QueueCursor();
    private final QueueCursor anywhere = new QueueCursor();
    private Path folder = Path.of("");
    private MessageStore store;
    private QueueLog queue;

    /** Fills one queue. */
    @Setup
    public void open() {
        folder = StoreFolder.make();
        store = StoreFolder.open(folder);
        Burst burst = new Burst(store, 1);
        burst.run(messages);
        queue = burst.queue(0);
    }

    /** Removes the store. */
    @TearDown
    public void close() {
        store.close();
        StoreFolder.remove(folder);
    }

    /** The newest entry, which is in memory. */
    @Benchmark
    public long seekNewest() {
        anywhere.seek(queue, messages - 1);
        return anywhere.position();
    }

    /** The next entry of a queue that is read from its start, again and again. */
    @Benchmark
    public long nextInOrder() {
        if (!sequential.next()) {
            sequential.seek(queue, 0);
        }
        return sequential.position();
    }

    /** An entry of a page that was not read just before. */
    @Benchmark
    public long seekAnywhere() {
        anywhere.seek(queue, chance.nextLong(messages));
        return anywhere.position();
    }
}
