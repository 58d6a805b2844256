package io.anser.bench.jmh;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/**
 * What the threads of the store in this process, whose names begin with {@code log-}, have used since they started.
 *
 * @param writerNanos CPU time of {@code log-writer}
 * @param allNanos CPU time of all of them
 * @param allocatedBytes of heap, of all of them
 */
record StoreThreads(long writerNanos, long allNanos, long allocatedBytes) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String WRITER = "log-writer";
    private static final String ANY = "log-";

    static StoreThreads now() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        StoreThreads sum = new StoreThreads(0, 0, 0);
        for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (info != null && info.getThreadName().startsWith(ANY)) {
                long cpu = Math.max(0, threads.getThreadCpuTime(info.getThreadId()));
                sum = new StoreThreads(
                        sum.writerNanos + (info.getThreadName().equals(WRITER) ? cpu : 0),
                        sum.allNanos + cpu,
                        sum.allocatedBytes + Math.max(0, threads.getThreadAllocatedBytes(info.getThreadId())));
            }
        }
        return sum;
    }

    StoreThreads since(StoreThreads earlier) {
        return new StoreThreads(
                writerNanos - earlier.writerNanos,
                allNanos - earlier.allNanos,
                allocatedBytes - earlier.allocatedBytes);
    }

    double writerSeconds() {
        return Math.max(1, writerNanos) / NANOS_PER_SECOND;
    }

    double allSeconds() {
        return Math.max(1, allNanos) / NANOS_PER_SECOND;
    }
}
