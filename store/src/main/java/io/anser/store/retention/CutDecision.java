package io.anser.store.retention;

import io.anser.store.log.CommitLog;
import io.anser.store.queue.ExpiryCuts;
import java.util.HashMap;
import java.util.Map;

/**
 * Where the cuts should be by a policy at a time: those that have to move.
 *
 * @param common the cut of all topics without one of their own
 * @param own the topics' own cuts that change, {@link ExpiryCuts#NO_OWN} for one that ends
 */
record CutDecision(long common, Map<String, Long> own) {

    /** Decides. {@code logEnd} is the committed position, {@code topicsMax} the most own cuts that may change at once. */
    static CutDecision of(
            RetentionPolicy policy, long nowMillis, RetentionState state, CommitLog log, long logEnd, int topicsMax) {
        ExpiryCuts now = state.cuts();
        LogTimes times = state.times();
        Map<Long, Long> byAge = new HashMap<>();
        long agePosition = times.positionOf(nowMillis - policy.reserveMillis());
        long sizePosition = sizePosition(policy.logBytes(), log, logEnd);
        long common = Math.max(now.common(), Math.max(agePosition, sizePosition));
        Map<String, Long> own = new HashMap<>();
        policy.topics().forEach((topic, asked) -> {
            if (!asked.hasOwnCut() || own.size() >= topicsMax) {
                return;
            }
            long cut = asked.reserveMillis() == 0
                    ? common
                    : byAge.computeIfAbsent(asked.reserveMillis(), age -> times.positionOf(nowMillis - age));
            if (asked.bytes() > 0) {
                cut = Math.max(cut, state.sizes().positionOfLast(topic, asked.bytes()));
            }
            if (cut > now.of(topic) || !now.own().containsKey(topic)) {
                own.put(topic, cut);
            }
        });
        now.own().forEach((topic, cut) -> {
            if (!policy.of(topic).hasOwnCut() && cut <= common && own.size() < topicsMax) {
                own.put(topic, ExpiryCuts.NO_OWN);
            }
        });
        return new CutDecision(common, own);
    }

    /** The start of the oldest segment that may stay so that the log has at most so many bytes; 0 without a limit. */
    private static long sizePosition(long logBytes, CommitLog log, long logEnd) {
        long from = logEnd - logBytes;
        if (logBytes == 0 || from <= 0) {
            return 0;
        }
        if (from < log.firstPosition()) {
            // Between the end of what is older and the first segment lies nothing that takes room.
            from -= log.firstPosition() - log.older().dataEnd();
            if (from <= log.older().minPosition()) {
                return 0;
            }
        }
        int segmentBytes = log.segmentBytes();
        long first = (from + segmentBytes - 1) / segmentBytes * segmentBytes;
        return Math.min(first, logEnd - logEnd % segmentBytes);
    }

    /** Whether anything moves. */
    boolean moves(ExpiryCuts now) {
        return common > now.common() || !own.isEmpty();
    }
}
