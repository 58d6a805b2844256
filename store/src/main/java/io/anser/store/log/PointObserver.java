package io.anser.store.log;

/** Told on the committing thread how far derived state goes, so that it can be saved between two records. */
public interface PointObserver {
    /** Everything before a point is committed and applied, nothing after it. */
    void applied(LogPoint point);

    /** Whether {@link #applied} should be called now although nothing new was committed. */
    boolean wantsPoint();
}
