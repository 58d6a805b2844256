package io.anser.raft.engine;

import com.alipay.sofa.jraft.conf.Configuration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Who belongs to the group by the newest entry of this member's log that says so. The engine goes by the same one, but tells
 * only a leader. Changed by the appending thread; any thread reads.
 */
final class KnownMembers {
    /** More than are ever cut at once: each term begins with one. */
    private static final int KEPT_MAX = 64;

    private final Configuration first;
    private final ConcurrentSkipListMap<Long, Configuration> changes = new ConcurrentSkipListMap<>();

    /**
     * Members as long as the log says nothing.
     *
     * @param first by a snapshot or the settings
     */
    KnownMembers(Configuration first) {
        this.first = first;
    }

    Configuration now() {
        Map.Entry<Long, Configuration> last = changes.lastEntry();
        return last == null ? first : last.getValue();
    }

    /** An entry that says so was written. */
    void written(long index, Configuration members) {
        changes.put(index, members);
        if (changes.size() > KEPT_MAX) {
            changes.pollFirstEntry();
        }
    }

    /** The entries behind an index were cut. */
    void cutBehind(long lastIndexKept) {
        changes.tailMap(lastIndexKept, false).clear();
    }
}
