package io.anser.store.log;

import java.io.IOException;

/**
 * Forces what is written to the device, all of it at once, again and again: group commit. Owned by the log-flusher thread.
 */
public final class LogFlusher {
    private final CommitLog log;
    private final Watermarks marks;
    private final Fence fence;

    /** A flusher of a log. */
    public LogFlusher(CommitLog log, Watermarks marks, Fence fence) {
        this.log = log;
        this.marks = marks;
        this.fence = fence;
    }

    /** Whether something is written and not forced. */
    boolean hasWork() {
        return marks.appended() > marks.forced() && fence.reason() == null;
    }

    /** Forces everything written so far. */
    boolean doWork() {
        if (!hasWork()) {
            return false;
        }
        int cuts = marks.cuts();
        long until = marks.appended();
        try {
            log.force(marks.forced(), until);
            marks.forced(until, cuts);
        } catch (IOException e) {
            fence.close("log-flusher", "forcing " + log.describe(until) + " failed", e);
        }
        return true;
    }
}
