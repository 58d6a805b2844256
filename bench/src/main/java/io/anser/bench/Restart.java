package io.anser.bench;

import io.anser.bench.machine.Memory;
import io.anser.bench.machine.PageCache;
import io.anser.bench.machine.Usage;
import io.anser.bench.peer.Peer;
import io.anser.bench.peer.RunningServer;
import io.anser.system.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * Fills a store, ends the server, starts it again. Meanwhile it measures what the messages cost beside the log: reachable
 * objects and files of indexes.
 *
 * @param peer the server
 * @param workload how it ends
 * @param folder an empty folder
 * @param amounts how many messages
 * @param clock times the start
 */
record Restart(Peer peer, Workload workload, Path folder, Amounts amounts, Clock clock) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MIB = 1 << 20;
    private static final double MILLION = 1e6;

    RunResult run(int number) throws IOException {
        long messages = workload == Workload.RESTART_QUEUES ? amounts.manyQueues() : amounts.restarted();
        Map<Detail, Double> details = fill(messages);
        Usage before = Usage.readBeforeStart();
        long from = clock.nanos();
        RunningServer again = peer.start(false, folder);
        try {
            double seconds = (clock.nanos() - from) / NANOS_PER_SECOND;
            Usage usage = new Meter(again).read().since(before);
            Memory memory = Memory.of(again.broker().pid());
            again.stop(); // which writes what was in memory only
            double index = indexMib();
            details.put(Detail.INDEX_MIB, index);
            details.put(Detail.INDEX_MIB_PER_MILLION, index * MILLION / messages);
            return RunResult.withoutLoad(peer.name(), workload, number, messages, seconds, usage, memory, details);
        } finally {
            again.kill();
        }
    }

    private Map<Detail, Double> fill(long messages) throws IOException {
        RunningServer first = peer.start(false, folder);
        try {
            workload.createTopics(first.address());
            double heapBefore = Memory.liveHeapBytes(first.broker().pid()) / MIB;
            workload.fill(first.address(), messages, clock);
            double heap = Memory.liveHeapBytes(first.broker().pid()) / MIB;
            if (workload == Workload.RESTART_STOP) {
                first.stop();
            } else {
                first.kill();
            }
            Map<Detail, Double> details = new EnumMap<>(Detail.class);
            details.put(Detail.LIVE_HEAP_MIB, heap);
            if (workload != Workload.RESTART_QUEUES) { // there the queues themselves cost more than their messages
                details.put(Detail.HEAP_MIB_PER_MILLION, (heap - heapBefore) * MILLION / messages);
            }
            return details;
        } finally {
            first.kill();
        }
    }

    private double indexMib() throws IOException {
        return PageCache.occupied(peer.indexes(folder)) / MIB;
    }
}
