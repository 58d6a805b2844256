package io.anser.store.log;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the files of a log still have their names. Where one was removed or replaced that is written to, what is
 * acknowledged from then on would be gone with this process. One that is only read does no harm as long as the process has
 * it open: it is reported, so that somebody can save it before a restart. A device that does not tell proves nothing.
 *
 * <p>Owned by the log-preparer thread; any thread asks what is {@link #misplaced}.
 */
final class SegmentWatch {
    private static final Logger LOGGER = LoggerFactory.getLogger(SegmentWatch.class);

    /** Most segments in one look at those that are not written to any more: a question to the system for each. */
    static final int LOOKS = 64;

    private final Segments segments;
    private final int segmentBytes;

    /** Positions of segments that had lost their names when they were looked at, but for those that are written to. */
    private final Set<Long> misplaced = new ConcurrentSkipListSet<>();

    /** Where the next look at segments before the log's tail begins. */
    private long lookFrom;

    /** Whether the device did not tell, at the last look or in this one: reported once, until it tells again. */
    private boolean blindBefore;

    private boolean blind;

    SegmentWatch(Segments segments, int segmentBytes) {
        this.segments = segments;
        this.segmentBytes = segmentBytes;
    }

    /**
     * Looks at the segments from the one of a position on, and at the next {@link #LOOKS} of those before it, so that all have
     * their turn and no look costs more when there are thousands.
     *
     * @param tail log position that is written next
     * @throws IOException when a segment from the one of the tail on was removed or replaced
     */
    void look(long tail) throws IOException {
        blindBefore = blind;
        blind = false;
        for (Segment segment : segments.from(tail)) {
            if (!isInPlace(segment)) {
                throw segments.removedOrReplaced(segment);
            }
        }
        lookInTurn(segments.before(tail));
    }

    private void lookInTurn(List<Segment> older) {
        int next = segments.before(lookFrom).size();
        for (int looks = Math.min(LOOKS, older.size()); looks > 0; looks--) {
            next = next < older.size() ? next : 0;
            Segment segment = older.get(next++);
            lookAtOlder(segment);
            lookFrom = segment.base() + segmentBytes;
        }
        misplaced.removeIf(base -> base < segments.min());
    }

    private void lookAtOlder(Segment segment) {
        if (isInPlace(segment)) {
            if (misplaced.remove(segment.base())) {
                LOGGER.info("a file of the log is in its place again file={}", segments.describe(segment.base()));
            }
        } else if (misplaced.add(segment.base())) {
            LOGGER.error(
                    "a file of the log was removed, renamed or replaced file={}; this process has it still and serves what is"
                            + " in it, the next start will not: put it back before a restart (on Linux ls -l"
                            + " /proc/{}/fd shows the number of the file, from which cp can copy it)",
                    segments.describe(segment.base()),
                    ProcessHandle.current().pid());
        }
    }

    /** Whether a segment has its name, or the device does not tell. */
    private boolean isInPlace(Segment segment) {
        try {
            return segment.isInPlace();
        } catch (IOException e) {
            if (!blind && !blindBefore) {
                LOGGER.warn(
                        "the device does not tell whether the log is in its place, going on file={}",
                        segments.describe(segment.base()),
                        e);
            }
            blind = true;
            return true;
        }
    }

    /** Files before the log's tail that this process has open and that are not in their places. Any thread. */
    List<String> misplaced() {
        return misplaced.stream().map(segments::describe).toList();
    }
}
