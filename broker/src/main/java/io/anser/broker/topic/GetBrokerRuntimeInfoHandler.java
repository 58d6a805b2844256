package io.anser.broker.topic;

import io.anser.broker.dispatch.Bodies;
import io.anser.broker.metadata.BrokerState;
import io.anser.broker.traffic.Traffic;
import io.anser.protocol.body.KvTable;
import io.anser.protocol.frame.FieldSource;
import io.anser.store.log.DamagedRanges;
import io.anser.store.log.DiskStatus;
import io.anser.store.retention.RetentionStatus;
import io.anser.store.snapshot.SnapshotStatus;
import io.anser.system.Clock;
import io.anser.transport.Call;
import io.anser.transport.HandlerTable.Handler;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Tells the broker's figures (code 28), under the names that tools look for. */
public final class GetBrokerRuntimeInfoHandler implements Handler<FieldSource> {
    /** The version that tools know this behaviour by. */
    private static final String VERSION = "513";

    /** No request waits in a queue of a thread pool, and no lock guards the page cache. */
    private static final String NONE_EXISTS = "0";

    /** Most topics named as those that hold back segments, those that hold back most. */
    private static final int PINNING_TOPICS_MAX = 20;

    /** Most damaged ranges and misplaced files that are named one by one. */
    private static final int DAMAGE_LISTED_MAX = 20;

    private final BrokerState state;
    private final Traffic traffic;
    private final Supplier<RetentionStatus> retention;
    private final Supplier<DiskStatus> disk;
    private final Supplier<SnapshotStatus> snapshots;
    private final LongSupplier timersGivenUp;
    private final LongSupplier timersCarriedOver;
    private final LongSupplier transactionsCarriedOver;
    private final LongSupplier valuesCarriedOver;
    private final Supplier<Map<String, String>> others;
    private final Supplier<List<DamagedRanges.Range>> damage;
    private final Supplier<List<String>> misplacedFiles;
    private final long startedMillis;

    /**
     * Makes the handler.
     *
     * @param retention what the log has and who holds back how much
     * @param timersGivenUp delayed messages that could not be delivered
     * @param timersCarriedOver delayed messages that outlived their segment
     * @param others figures of other parts, by name
     * @param damage the damaged parts of the log
     * @param misplacedFiles files of the log that are served from where nobody finds them after a restart
     * @param disk how full the device is
     * @param snapshots how the snapshots of the store go
     */
    public GetBrokerRuntimeInfoHandler(
            BrokerState state,
            Traffic traffic,
            Supplier<RetentionStatus> retention,
            Supplier<List<DamagedRanges.Range>> damage,
            Supplier<List<String>> misplacedFiles,
            Supplier<DiskStatus> disk,
            Supplier<SnapshotStatus> snapshots,
            LongSupplier timersGivenUp,
            LongSupplier timersCarriedOver,
            LongSupplier transactionsCarriedOver,
            LongSupplier valuesCarriedOver,
            Supplier<Map<String, String>> others,
            Clock clock) {
        this.state = state;
        this.traffic = traffic;
        this.retention = retention;
        this.timersGivenUp = timersGivenUp;
        this.timersCarriedOver = timersCarriedOver;
        this.transactionsCarriedOver = transactionsCarriedOver;
        this.valuesCarriedOver = valuesCarriedOver;
        this.others = others;
        this.damage = damage;
        this.misplacedFiles = misplacedFiles;
        this.disk = disk;
        this.snapshots = snapshots;
        this.startedMillis = clock.wallMillis();
    }

    @Override
    public void handle(Call call, FieldSource request, ByteBuf body) {
        Map<String, String> figures = new TreeMap<>();
        figures.put("brokerVersion", VERSION);
        figures.put("brokerVersionDesc", "V5_5_0");
        figures.put("bootTimestamp", Long.toString(startedMillis));
        putRetention(figures);
        figures.put("topics", Integer.toString(state.topics().size()));
        figures.put("groups", Integer.toString(state.groups().size()));
        figures.put("delayedMessages", Integer.toString(state.timers().size()));
        figures.put("delayedMessagesUnreadable", Long.toString(state.timersUnreadable()));
        figures.put("delayedMessagesGivenUp", Long.toString(timersGivenUp.getAsLong()));
        figures.put("delayedMessagesCarriedOver", Long.toString(timersCarriedOver.getAsLong()));
        figures.put("transactionsOpen", Integer.toString(state.transactions().size()));
        figures.put("transactionsGivenUp", Long.toString(state.transactions().givenUp()));
        figures.put("transactionsCarriedOver", Long.toString(transactionsCarriedOver.getAsLong()));
        figures.put("latestValues", Integer.toString(state.latestValues().size()));
        figures.put("latestValuesCarriedOver", Long.toString(valuesCarriedOver.getAsLong()));
        figures.put("dedupKeys", Integer.toString(state.dedup().size()));
        figures.put("dedupKeysForgotten", Long.toString(state.dedup().forgotten()));
        figures.putAll(others.get());
        putDamage(figures);
        putMisplaced(figures);
        putDisk(figures);
        putSnapshots(figures);
        putTraffic(figures);
        figures.put("sendThreadPoolQueueSize", NONE_EXISTS);
        figures.put("pullThreadPoolQueueSize", NONE_EXISTS);
        figures.put("pageCacheLockTimeMills", NONE_EXISTS);
        Bodies.answer(call, new KvTable(figures));
    }

    private void putRetention(Map<String, String> figures) {
        RetentionStatus status = retention.get();
        figures.put("commitLogMinOffset", Long.toString(status.minPosition()));
        figures.put("commitLogMaxOffset", Long.toString(status.committedPosition()));
        figures.put("retentionExpiredOffset", Long.toString(status.expiredPosition()));
        figures.put("retentionRemovedSegments", Long.toString(status.removedSegments()));
        figures.put("retentionHeldBy", status.heldBy());
        figures.put(
                "retentionPinnedBytes",
                status.pinnedBytes().entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .limit(PINNING_TOPICS_MAX)
                        .map(topic -> topic.getKey() + "=" + topic.getValue())
                        .collect(Collectors.joining(" ")));
    }

    /** How much of the log is lost, and where. */
    private void putDamage(Map<String, String> figures) {
        List<DamagedRanges.Range> ranges = damage.get();
        figures.put("damagedRanges", Integer.toString(ranges.size()));
        figures.put(
                "damagedBytes",
                Long.toString(
                        ranges.stream().mapToLong(DamagedRanges.Range::bytes).sum()));
        if (!ranges.isEmpty()) {
            figures.put(
                    "damage",
                    ranges.stream()
                            .limit(DAMAGE_LISTED_MAX)
                            .map(range -> range.file() + " [" + range.from() + "," + range.until() + ")")
                            .collect(Collectors.joining("; ")));
        }
    }

    /** What of the log the next start will not find. */
    private void putMisplaced(Map<String, String> figures) {
        List<String> files = misplacedFiles.get();
        figures.put("misplacedFiles", Integer.toString(files.size()));
        if (!files.isEmpty()) {
            figures.put("misplaced", files.stream().limit(DAMAGE_LISTED_MAX).collect(Collectors.joining("; ")));
        }
    }

    /** The device as the store sees it; the ratio is the name that tools know. */
    private void putDisk(Map<String, String> figures) {
        DiskStatus status = disk.get();
        figures.put("commitLogDiskRatio", String.format(Locale.ROOT, "%.4f", status.usedPercent() / 100));
        figures.put("diskState", status.state().name().toLowerCase(Locale.ROOT));
        figures.put("diskFreeBytes", Long.toString(status.freeBytes()));
        figures.put("diskTotalBytes", Long.toString(status.totalBytes()));
        figures.put("diskSecondsToFull", Long.toString(status.secondsToFull()));
    }

    /** Whether the next start will be quick, and segments can go. */
    private void putSnapshots(Map<String, String> figures) {
        SnapshotStatus status = snapshots.get();
        figures.put("snapshotPosition", Long.toString(status.position()));
        String going = status.problem().isEmpty() ? "normal" : "failed";
        figures.put("snapshotState", status.stopped() ? "stopped" : going);
        if (!status.problem().isEmpty()) {
            figures.put("snapshotProblem", status.problem());
        }
    }

    /** Messages since the start of the process and their rates, by the names of tools. */
    private void putTraffic(Map<String, String> figures) {
        String delivered = rates(traffic.deliveredPerSecond());
        figures.put("putTps", rates(traffic.storedPerSecond()));
        figures.put("getTotalTps", delivered);
        figures.put("getTransferredTps", delivered);
        figures.put("msgPutTotalTodayNow", Long.toString(traffic.stored()));
        figures.put("msgPutTotalTodayMorning", Long.toString(traffic.storedThisMorning()));
        figures.put("msgPutTotalYesterdayMorning", Long.toString(traffic.storedLastMorning()));
        figures.put("msgGetTotalTodayNow", Long.toString(traffic.delivered()));
        figures.put("msgGetTotalTodayMorning", Long.toString(traffic.deliveredThisMorning()));
        figures.put("msgGetTotalYesterdayMorning", Long.toString(traffic.deliveredLastMorning()));
    }

    private static String rates(double[] perSecond) {
        return Arrays.stream(perSecond)
                .mapToObj(rate -> String.format(Locale.ROOT, "%.1f", rate))
                .collect(Collectors.joining(" "));
    }
}
