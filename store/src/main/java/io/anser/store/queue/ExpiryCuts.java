package io.anser.store.queue;

import java.util.HashMap;
import java.util.Map;

/**
 * Up to where messages have expired, as log positions: those before the cut of their topic are no longer readable.
 * Immutable; a cut never goes back from one value of this class to the next.
 */
public final class ExpiryCuts {
    /** Takes a topic's own cut away: that of all other topics counts again once it is not lower. */
    public static final long NO_OWN = -1;

    /** Nothing has expired. */
    public static final ExpiryCuts NONE = new ExpiryCuts(0, Map.of());

    private final long common;
    private final Map<String, Long> own;

    private ExpiryCuts(long common, Map<String, Long> own) {
        this.common = common;
        this.own = own;
    }

    /** The cut of all topics without one of their own. */
    public long common() {
        return common;
    }

    /** The topics with a cut of their own; not to be changed. */
    public Map<String, Long> own() {
        return own;
    }

    /** The cut of a topic. */
    public long of(String topic) {
        return own.isEmpty() ? common : own.getOrDefault(topic, common);
    }

    /**
     * The cuts after a move.
     *
     * @param nextCommon the cut of all topics without one of their own; a lower one than now changes nothing
     * @param changes topics and their own cuts from now on, lower ones than now change nothing; {@link #NO_OWN} ends an own
     *     cut
     */
    public ExpiryCuts moved(long nextCommon, Map<String, Long> changes) {
        long raised = Math.max(common, nextCommon);
        if (changes.isEmpty()) {
            return new ExpiryCuts(raised, own);
        }
        Map<String, Long> next = new HashMap<>(own);
        changes.forEach((topic, cut) -> {
            long reached = of(topic);
            if (cut != NO_OWN) {
                next.put(topic, Math.max(reached, cut));
            } else if (reached <= raised) {
                next.remove(topic);
            }
        });
        return new ExpiryCuts(raised, next);
    }

    /** The cuts with none below a position: before it there is nothing any more. */
    public ExpiryCuts notBelow(long position) {
        Map<String, Long> raised = new HashMap<>();
        own.forEach((topic, cut) -> raised.put(topic, Math.max(cut, position)));
        return new ExpiryCuts(Math.max(common, position), raised);
    }
}
