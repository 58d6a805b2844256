package io.anser.broker.topic;

import io.anser.store.MessageStore;
import io.anser.store.log.DamagedRanges;
import io.anser.store.log.DiskStatus;
import io.anser.store.retention.RetentionStatus;
import io.anser.store.snapshot.SnapshotStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of the store, under the names that tools look for. */
final class StoreFigures {
    /** Most topics named as those that hold back segments, those that hold back most. */
    private static final int PINNING_TOPICS_MAX = 20;

    /** Most damaged ranges and misplaced files that are named one by one. */
    private static final int DAMAGE_LISTED_MAX = 20;

    private final MessageStore store;

    StoreFigures(MessageStore store) {
        this.store = store;
    }

    /** Adds what they are now. */
    void put(Map<String, String> figures) {
        putRetention(figures);
        putDamage(figures);
        putMisplaced(figures);
        putDisk(figures);
        putSnapshots(figures);
    }

    /** What the log has, and who holds back how much. */
    private void putRetention(Map<String, String> figures) {
        RetentionStatus status = store.retention();
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
        List<DamagedRanges.Range> ranges = store.damage();
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
        List<String> files = store.misplacedFiles();
        figures.put("misplacedFiles", Integer.toString(files.size()));
        if (!files.isEmpty()) {
            figures.put("misplaced", files.stream().limit(DAMAGE_LISTED_MAX).collect(Collectors.joining("; ")));
        }
    }

    /** The device as the store sees it; the ratio is the name that tools know. */
    private void putDisk(Map<String, String> figures) {
        DiskStatus status = store.diskStatus();
        figures.put("commitLogDiskRatio", String.format(Locale.ROOT, "%.4f", status.usedPercent() / 100));
        figures.put("diskState", status.state().name().toLowerCase(Locale.ROOT));
        figures.put("diskFreeBytes", Long.toString(status.freeBytes()));
        figures.put("diskTotalBytes", Long.toString(status.totalBytes()));
        figures.put("diskSecondsToFull", Long.toString(status.secondsToFull()));
    }

    /** Whether the next start will be quick, and segments can go. */
    private void putSnapshots(Map<String, String> figures) {
        SnapshotStatus status = store.snapshots();
        figures.put("snapshotPosition", Long.toString(status.position()));
        String going = status.problem().isEmpty() ? "normal" : "failed";
        figures.put("snapshotState", status.stopped() ? "stopped" : going);
        if (!status.problem().isEmpty()) {
            figures.put("snapshotProblem", status.problem());
        }
    }
}
